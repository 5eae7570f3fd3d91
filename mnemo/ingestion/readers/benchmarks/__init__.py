"""Data sets that measure memory."""
