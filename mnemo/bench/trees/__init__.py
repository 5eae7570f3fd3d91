"""Benchmarks of versioned trees."""
