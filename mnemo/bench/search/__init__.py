"""Latency and exactness of search."""
