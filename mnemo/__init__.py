"""Long-term memory for LLM agents, kept in Neo4j."""

from mnemo.memory import AsyncMemory, Memory
from mnemo.models.graph import Message
from mnemo.retrieval.request import Looking
from mnemo.version import VERSION

__all__ = ["AsyncMemory", "Looking", "Memory", "Message", "__version__"]

__version__ = VERSION
