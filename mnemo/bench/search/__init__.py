"""Latency and recall of search."""
