"""Folders of the project that tests read."""

import os
from pathlib import Path

__all__ = ["CASES", "CHILD_PATH", "ROOT"]

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases"
CHILD_PATH = os.pathsep.join(str(folder) for folder in (ROOT, ROOT / "tests"))
"""PYTHONPATH of a child process that imports `mnemo` and `support`."""
