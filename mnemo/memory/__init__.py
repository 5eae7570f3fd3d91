"""The façade: one memory for many groups, asynchronous inside, synchronous and asynchronous outside."""

from mnemo.memory.core import AsyncMemory
from mnemo.memory.sync.memory import Memory

__all__ = ["AsyncMemory", "Memory"]
