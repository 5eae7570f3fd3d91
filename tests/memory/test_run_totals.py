"""The LLM calls that a run has left under its profile."""

import pytest

from mnemo.config import IngestionSettings
from mnemo.memory.run_totals import calls_left, with_renaming
from mnemo.models.results import Processed, Usage


@pytest.mark.parametrize(
    ("done", "failed", "calls", "left"),
    [(0, 0, 0, 0), (1, 0, 1, 1), (1, 0, 2, 0), (20, 0, 1, 1), (21, 0, 2, 2), (19, 2, 4, 0), (40, 0, 9, 0)],
)
def test_the_fast_profile_allows_two_calls_a_window(done: int, failed: int, calls: int, left: int) -> None:
    run = Processed(done=done, failed=failed, usage=Usage(calls=calls))
    assert calls_left(run, IngestionSettings(profile="fast", window=20)) == left


def test_the_paper_profile_has_no_limit() -> None:
    assert calls_left(Processed(done=1, usage=Usage(calls=9)), IngestionSettings(profile="paper")) is None


def test_the_cost_of_renaming_is_added() -> None:
    run = with_renaming(Processed(done=3, usage=Usage(calls=1, input_tokens=5)), Usage(calls=1, input_tokens=2))
    assert (run.done, run.usage) == (3, Usage(calls=2, input_tokens=7))
