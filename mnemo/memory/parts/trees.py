"""Builds what runs Semantic XPath queries."""

from mnemo.semxpath.compiler.scorers import CosineScorer
from mnemo.semxpath.trees.executor import Executor

__all__ = ["CosineScorer", "Executor"]
