"""Benchmarks of the memtree."""
