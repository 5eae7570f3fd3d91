"""Benchmarks of the online tree."""
