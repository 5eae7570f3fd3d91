"""Benchmarks: data sets, metrics, runs, reports."""
