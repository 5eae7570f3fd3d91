"""Normalizes and parses chat English."""
