"""Facts, ends, names and times of short conversations, each of one kind: `tests/cases/facts`."""

import pytest

from mnemo.bench.facts import read_scenes
from mnemo.bench.facts.cases import CaseScene
from mnemo.bench.facts.offline import measure_offline
from mnemo.bench.facts.report import listing
from support.paths import CASES

ALL_SCENES = read_scenes(CASES / "facts")
ENDINGS = [scene for scene in ALL_SCENES if scene.file.startswith("endings_")]
"""Only what ends is marked in these."""
SCENES = [scene for scene in ALL_SCENES if scene not in ENDINGS]


@pytest.mark.parametrize("scene", SCENES, ids=[f"{scene.file}-{scene.name}" for scene in SCENES])
def test_a_conversation_gives_its_facts_and_no_others(scene: CaseScene) -> None:
    scores = measure_offline([scene])
    assert list(listing(scores, ("missed", "false", "ends", "times", "entities"))) == []


@pytest.mark.parametrize("scene", ENDINGS, ids=[f"{scene.file}-{scene.name}" for scene in ENDINGS])
def test_a_conversation_ends_what_it_says_is_over_and_nothing_else(scene: CaseScene) -> None:
    scores = measure_offline([scene])
    assert list(listing(scores, ("ends",))) == []
