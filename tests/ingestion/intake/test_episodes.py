from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.errors import ArgumentError
from mnemo.ingestion.intake.episodes import Limits, episode_uuid, prepare
from mnemo.models.graph import Episode, Message

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
NAIVE = datetime(2023, 5, 8, 13, 56, tzinfo=UTC).replace(tzinfo=None)
LIMITS = Limits(max_chars=1000, zone="Europe/Paris", split=lambda content: [content])


def episodes(*messages: Message, limits: Limits = LIMITS) -> list[Episode]:
    return prepare("g", messages, limits, NOW)


def test_uuid_depends_on_message_and_group() -> None:
    message = Message(content="hello", speaker="Ana", session="s")
    first, again = episodes(message)[0], episodes(message)[0]
    assert first.uuid == again.uuid == episode_uuid("g", first.source_id)
    assert prepare("h", [message], LIMITS, NOW)[0].uuid != first.uuid


def test_identical_messages_are_distinguished_by_number() -> None:
    message = Message(content="ok", speaker="Ana", session="s")
    other = replace(message, speaker="Bo")
    ids = [episode.source_id for episode in episodes(message, other, message, message)]
    assert len(set(ids)) == 4
    assert [source_id.rsplit(":", 1)[1] for source_id in ids] == ["0", "0", "1", "2"]


def test_appended_lines_do_not_change_earlier_ids() -> None:
    lines = [Message(content=text, session="s") for text in ("a", "b", "a")]
    before = episodes(*lines)
    after = episodes(*lines, Message(content="a", session="s"))
    assert [e.uuid for e in after[:3]] == [e.uuid for e in before]
    assert after[3].uuid not in {e.uuid for e in before}


def test_source_id_is_the_key_and_metadata_is_kept() -> None:
    (episode,) = episodes(Message(content="x", source_id=" D1:3 ", metadata={"image": "a dog"}))
    assert episode.source_id == "D1:3"
    assert episode.metadata == {"image": "a dog"}


def test_source_id_with_two_contents_is_rejected() -> None:
    with pytest.raises(ArgumentError, match="message 1: source_id must be unique"):
        episodes(Message(content="x", source_id="1"), Message(content="y", source_id="1"))


def test_unknown_time_stays_unknown() -> None:
    (episode,) = episodes(Message(content="x"))
    assert episode.occurred_at is None
    assert episode.zone is None
    assert episode.recorded_at == NOW


@pytest.mark.parametrize(
    ("when", "zone", "instant", "kept"),
    [
        (
            NAIVE.replace(hour=0, minute=30),
            "Pacific/Auckland",
            datetime(2023, 5, 7, 12, 30, tzinfo=UTC),
            "Pacific/Auckland",
        ),
        (NAIVE, None, datetime(2023, 5, 8, 11, 56, tzinfo=UTC), "Europe/Paris"),
        (
            datetime(2023, 5, 8, 1, tzinfo=ZoneInfo("Asia/Tokyo")),
            None,
            datetime(2023, 5, 7, 16, tzinfo=UTC),
            "Asia/Tokyo",
        ),
        (datetime(2023, 5, 8, 1, tzinfo=UTC), None, datetime(2023, 5, 8, 1, tzinfo=UTC), "UTC"),
        (datetime(2023, 5, 8, 1, tzinfo=UTC), "Asia/Tokyo", datetime(2023, 5, 8, 1, tzinfo=UTC), "Asia/Tokyo"),
        (
            datetime(2023, 5, 8, 1, tzinfo=timezone(timedelta(hours=-3))),
            None,
            datetime(2023, 5, 8, 4, tzinfo=UTC),
            "Etc/GMT+3",
        ),
    ],
)
def test_time_is_stored_as_instant_and_zone(when: datetime, zone: str | None, instant: datetime, kept: str) -> None:
    (episode,) = episodes(Message(content="x", occurred_at=when, zone=zone))
    assert (episode.occurred_at, episode.zone) == (instant, kept)


def test_half_hour_offset_finds_a_zone_that_has_it() -> None:
    when = datetime(2023, 5, 8, 1, tzinfo=timezone(timedelta(hours=5, minutes=45)))
    (episode,) = episodes(Message(content="x", occurred_at=when))
    assert episode.zone is not None
    assert when.astimezone(ZoneInfo(episode.zone)).utcoffset() == timedelta(hours=5, minutes=45)


GOOD = Message(content="fine")
BAD = [
    (Message(content=""), "content must be more than blanks"),
    (Message(content=" \n\t"), "content must be more than blanks"),
    (Message(content="\u200b\u00a0\u2060"), "content must be more than blanks"),
    (Message(content="y" * 1001), "content must be at most 1000 characters, got 1001"),
    (Message(content=7), "content must be a string, got int"),  # type: ignore[arg-type]  # what a caller may do
    (Message(content="x", role="boss"), "role must be one of"),  # type: ignore[arg-type]  # the same
    (Message(content="x", zone="Mars/Olympus"), "zone must be an IANA zone"),
    (Message(content="x", zone="../../etc/passwd"), "zone must be an IANA zone"),
    (Message(content="x", occurred_at="today"), "occurred_at must be a datetime"),  # type: ignore[arg-type]  # the same
    (Message(content="x", occurred_at=datetime(1, 1, 1, tzinfo=UTC)), "occurred_at must be within"),
    (Message(content="x", occurred_at=NAIVE.replace(year=9999, month=12, day=31)), "occurred_at must be within"),
    (
        Message(content="x", occurred_at=datetime(2023, 1, 1, tzinfo=timezone(timedelta(minutes=17)))),
        "zone must be given for this offset",
    ),
    (Message(content="x", session="s" * 513), "session must be at most 512"),
    (Message(content="x", metadata={"a": 1}), "metadata must be a mapping of strings to strings"),  # type: ignore[dict-item]  # the same
    ("just text", "the item must be a Message, got str"),
]


@pytest.mark.parametrize(("message", "problem"), BAD)
def test_invalid_message_is_rejected_with_its_index(message: Message, problem: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        episodes(GOOD, GOOD, message)
    assert f"message 2: {problem}" in str(caught.value)
    assert "nothing was stored" in str(caught.value)


@pytest.mark.parametrize("content", ["👍", "こんにちは", "é", ".", "a\x00b"])
def test_any_visible_character_is_content(content: str) -> None:
    assert episodes(Message(content=content))[0].content == content


def test_chunks_of_a_long_message_have_distinct_ids() -> None:
    limits = replace(LIMITS, split=lambda content: [content[:4], content[3:]])
    first, second = episodes(Message(content="abcdefg", source_id="doc", source="a.txt"), limits=limits)
    assert [(e.content, e.source_id) for e in (first, second)] == [("abcd", "doc#0"), ("defg", "doc#1")]
    assert first.uuid != second.uuid
    assert first.source == second.source == "a.txt"


def test_errors_never_quote_the_content() -> None:
    with pytest.raises(ArgumentError) as caught:
        episodes(Message(content="my secret", metadata={"a": 1}))
    assert "secret" not in str(caught.value)


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=30), st.integers(0, 30))
def test_ids_are_distinct_and_stable_under_growth(texts: list[str], cut: int) -> None:
    messages = [Message(content=text, session="s") for text in texts]
    whole = [e.uuid for e in episodes(*messages)]
    assert len(set(whole)) == len(texts)
    assert [e.uuid for e in episodes(*messages[:cut])] == whole[:cut]


def test_halves_of_characters_are_replaced() -> None:
    given = Message(content="hi \ud83d there \ud83d\ude00", speaker="An\udfffa", metadata={"k\ud800": "v\ud800"})
    (episode,) = episodes(given)
    assert (episode.content, episode.speaker) == ("hi \ufffd there \U0001f600", "An\ufffda")
    assert episode.metadata == {"k\ufffd": "v\ufffd"}
