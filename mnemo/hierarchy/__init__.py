"""The two hierarchies: categories over entities, and the memtree over episodes."""
