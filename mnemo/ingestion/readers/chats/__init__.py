"""Exports of chat and mail programs."""
