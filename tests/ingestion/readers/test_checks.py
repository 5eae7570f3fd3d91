"""Messages that a memory would reject are made storable."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from mnemo.ingestion.intake.episodes import Limits, prepare
from mnemo.ingestion.readers.checks import MAX_PART_CHARS, sound
from mnemo.ingestion.readers.report import Findings
from mnemo.models.graph import Message

LIMITS = Limits(max_chars=2_000_000, zone="UTC", split=lambda text: [text])
TEXT = st.text(max_size=30) | st.sampled_from(["a\ud83d", "\x00", "\u200b", " ", "x" * 600, "a\nb"])


def checked(*messages: Message) -> list[Message]:
    return list(sound(messages, Findings("a")))


def test_id_with_two_contents_gives_two_messages() -> None:
    findings = Findings("a")
    found = list(sound([Message(content=text, source_id="1") for text in ("a", "b", "a")], findings))
    assert [(m.content, m.source_id) for m in found] == [("a", "1"), ("b", "1~2"), ("a", "1")]
    assert list(findings.notes) == ["an id is used for several different messages; each is kept"]


def test_very_long_message_is_split() -> None:
    found = checked(Message(content="x" * (MAX_PART_CHARS + 5), source_id="1"))
    assert [(len(m.content), m.source_id) for m in found] == [(MAX_PART_CHARS, "1"), (5, "1#part1")]


def test_messages_without_visible_text_are_dropped() -> None:
    assert checked(Message(content="\u200b\ufeff"), Message(content=" "), Message(content="\x00")) == []


def test_names_are_reduced_to_one_line() -> None:
    [message] = checked(Message(content="a", speaker="Ana\nLopes \x00", session="b\tc"))
    assert (message.speaker, message.session) == ("Ana Lopes", "b c")


@given(st.lists(st.builds(Message, content=TEXT, speaker=st.none() | TEXT, session=TEXT, source_id=st.none() | TEXT)))
def test_memory_accepts_every_checked_message(messages: list[Message]) -> None:
    found = checked(*messages)
    assert len(prepare("g", found, LIMITS, datetime.now(UTC))) == len(found)
