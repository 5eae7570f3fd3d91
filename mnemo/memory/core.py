"""The memory, asynchronous: the one implementation."""

from mnemo.memory.files.method import MemoryFiles
from mnemo.memory.hierarchies import MemoryHierarchies
from mnemo.memory.structured import MemoryStructure

__all__ = ["AsyncMemory"]


class AsyncMemory(MemoryFiles, MemoryHierarchies, MemoryStructure):
    """Long-term memory in Neo4j; use it as an async context manager, within one event loop.

    Connects at the first call and brings the database's schema up to date. Every call takes a group; None is the
    memory's own. Any call may raise `GroupError`, `ConfigError` or `StoreError`.
    """
