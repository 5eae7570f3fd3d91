"""Speakers and addressees."""

from dataclasses import replace

from mnemo.ingestion.extraction import Window
from mnemo.ingestion.speakers import addressee_of, extractable, speaker_of, speakers_of
from mnemo.models.graph import Episode, Role
from support.builders import episode


def by(speaker: str | None, place: int = 0, role: Role = "user") -> Episode:
    return replace(episode("hello", place), speaker=speaker, role=role)


def test_two_speakers_address_each_other() -> None:
    window = Window(group="g", episodes=(by("Ana"), by("Ben", 1)))
    assert [addressee_of(window, place) for place in (0, 1)] == ["Ben", "Ana"]


def test_last_other_speaker_of_three_is_addressed() -> None:
    window = Window(group="g", episodes=(by("Ana"), by("Ben", 1), by("Ben", 2), by("Cy", 3)))
    assert [addressee_of(window, place) for place in range(4)] == [None, "Ana", "Ana", "Ben"]


def test_another_session_is_not_addressed() -> None:
    other = replace(by("Ben"), session="t")
    third = replace(by("Cy"), session="t")
    window = Window(group="g", episodes=(by("Ana", 2),), context=(third, other))
    assert addressee_of(window, 0) is None


def test_roles_without_a_name_get_one() -> None:
    assert speaker_of(by(None)) == "User"
    assert speaker_of(by("  ", role="assistant")) == "Assistant"
    assert speaker_of(by(None, role="document")) is None


def test_speakers_are_listed_once_ignoring_case() -> None:
    window = Window(group="g", episodes=(by("Ana", 1), by("ANA", 2)), context=(by("Ben"),))
    assert speakers_of(window) == ("Ben", "Ana")


def test_system_messages_are_left_out_unless_asked_for() -> None:
    window = Window(group="g", episodes=(by(None, role="system"), by("Ana", 1)))
    assert extractable(window, extract_system=False) == window.episodes[1:]
    assert extractable(window, extract_system=True) == window.episodes
