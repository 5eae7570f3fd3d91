"""The memtree: the online tree over episodes (MemTree, arXiv 2410.14052)."""
