"""Answers without an LLM, measured with the questions of `tests/cases/asks` on a real server."""

from pathlib import Path

import pytest

from mnemo import samples
from mnemo.bench.asks import parse, rates
from mnemo.bench.asks_run import local_only, run
from mnemo.providers.local import LocalEmbedder
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.memories import settings_of

CASES = Path(__file__).parents[2] / "cases" / "asks"
FILES = {name: CASES / f"{name}.jsonl" for name in ("supper", "cousins")} | {"sample": samples.conversation()}


@pytest.mark.slow
async def test_answers_without_an_llm_are_no_worse_than_measured(
    server_endpoint: Endpoint, database: Database, embedder: LocalEmbedder
) -> None:
    assert database.version
    questions = parse((CASES / "questions.txt").read_text(encoding="utf-8"))
    steps: list[tuple[int, int]] = []
    outcomes = await run(
        questions,
        FILES,
        local_only(settings_of(server_endpoint)),
        embedder=embedder,
        on_progress=lambda done, total: steps.append((done, total)),
    )
    measured = {each.part: each for each in rates(outcomes)}["all"]
    assert (measured.answerable, measured.unanswerable) == (78, 24)
    assert measured.in_first_line >= 70
    assert measured.shown >= 91
    assert measured.refused_wrongly <= 7
    assert measured.refused_rightly >= 87
    assert [each.question for each in outcomes] == list(questions)
    assert steps == [(number, 102) for number in range(1, 103)]
    groups = [row["name"] for row in await database.run("graph/groups")]
    assert not [name for name in groups if name.startswith("asks/")]
