"""Markdown and notes."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from support.reader_cases import messages, write


def test_markdown_sections_know_the_headings_above_them(tmp_path: Path) -> None:
    text = (
        "---\ntitle: Trip\ndate: 2025-07-04\n---\nIntro.\n\n# Plan\n\nGo.\n\n## Day 1\nFly.\n\n```\n# no heading\n```\n"
    )
    text += "\nLater\n-----\nRest.\n"
    told = messages(write(tmp_path, "trip.md", text))
    assert [(m.metadata.get("heading"), m.metadata["line"], m.content) for m in told] == [
        (None, "1", "Intro."),
        ("Plan", "7", "# Plan\n\nGo."),
        ("Plan > Day 1", "11", "## Day 1\nFly.\n\n```\n# no heading\n```"),
        ("Plan > Later", "18", "Later\n-----\nRest."),
    ]
    assert {(m.role, m.speaker, m.session, m.metadata["title"]) for m in told} == {("document", None, "trip", "Trip")}
    assert told[0].occurred_at == datetime(2025, 7, 4, tzinfo=UTC)


def test_markdown_rule_at_the_top_is_no_front_matter(tmp_path: Path) -> None:
    [message] = messages(write(tmp_path, "a.md", "---\n\nJust text.\n"))
    assert message.content == "---\n\nJust text."
