"""The online tree over episodes (MemTree)."""
