"""What is right among the facts that conversations gave: cases, matching, scores."""

from mnemo.bench.facts.cases import EndLine, EntityLine, FactLine, Said, Scene, parse, read_scenes
from mnemo.bench.facts.held import HeldEntity, HeldFact
from mnemo.bench.facts.scores import KINDS, Failure, SceneScore, score_scene, totals

__all__ = [
    "KINDS",
    "EndLine",
    "EntityLine",
    "FactLine",
    "Failure",
    "HeldEntity",
    "HeldFact",
    "Said",
    "Scene",
    "SceneScore",
    "parse",
    "read_scenes",
    "score_scene",
    "totals",
]
