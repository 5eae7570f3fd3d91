"""What is right among the facts that conversations gave: cases, matching, scores."""

from mnemo.bench.facts.cases import CaseMessage, CaseScene, EndLine, EntityLine, FactLine, parse, read_scenes
from mnemo.bench.facts.held import HeldEntity, HeldFact
from mnemo.bench.facts.scores import KINDS, Failure, SceneScore, score_scene, totals

__all__ = [
    "KINDS",
    "CaseMessage",
    "CaseScene",
    "EndLine",
    "EntityLine",
    "FactLine",
    "Failure",
    "HeldEntity",
    "HeldFact",
    "SceneScore",
    "parse",
    "read_scenes",
    "score_scene",
    "totals",
]
