from datetime import UTC, datetime
from typing import Any

import pytest

from mnemo.retrieval.episode_rows import EpisodeRow, EpisodeRows

MOMENT = datetime(2023, 5, 8, 12, 30, 0, 250, tzinfo=UTC)


def row(**changes: Any) -> dict[str, Any]:
    whole = {
        "uuid": "e",
        "content": "I moved.",
        "role": "user",
        "speaker": "Ana",
        "session": "s",
        "position": 3,
        "occurred_at": int(MOMENT.timestamp()) * 1_000_000 + 250,
        "zone": "Europe/Lisbon",
        "source": None,
        "source_id": "1",
        "content_hash": "h",
        "recorded_at": -62135596800000000,
        "status": "done",
        "reason": None,
        "attempts": 1,
        "metadata": '{"a": "b"}',
    }
    return whole | changes


def test_row_and_episode_agree() -> None:
    line = EpisodeRow(row())
    episode = line.episode("g")
    assert (line.uuid, line.content, line.speaker, line.session, line.position, line.occurred_at, line.zone) == (
        episode.uuid,
        episode.content,
        episode.speaker,
        episode.session,
        episode.position,
        episode.occurred_at,
        episode.zone,
    )
    assert (episode.group, episode.occurred_at, episode.metadata) == ("g", MOMENT, {"a": "b"})


def test_deleted_property_gets_its_default() -> None:
    line = EpisodeRow(row(content=None, session=None, position=None, occurred_at=None))
    assert (line.content, line.session, line.position, line.occurred_at) == ("", "", 0, None)


def test_time_in_the_distant_past_is_unknown() -> None:
    assert EpisodeRow(row(occurred_at=-62135596800000000)).occurred_at is None


def test_row_creates_its_episode_on_access() -> None:
    backing = EpisodeRows([EpisodeRow(row()), EpisodeRow(row(uuid="f"))], "g")
    assert (list(backing), len(backing), "f" in backing, "x" in backing) == (["e", "f"], 2, True, False)
    assert backing["f"].uuid == "f"
    with pytest.raises(KeyError):
        backing["x"]
