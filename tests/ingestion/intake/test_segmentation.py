import pytest

from mnemo.config import IngestionSettings
from mnemo.ingestion.intake.segmentation import segment
from mnemo.models.graph import Message
from mnemo.providers.tokens import count_tokens

PARTS = [
    Message(
        content=f"# Part {number}\n" + "A short sentence stands here. " * 30,
        role="document",
        session="a.md",
        metadata={"line": str(number)},
    )
    for number in range(8)
]
TALK = [
    Message(content="Hi!", speaker="Ana", session="s"),
    Message(content="How are you?", speaker="Ana", session="s"),
    Message(content="Fine.", speaker="Ben", session="s"),
    Message(content="Good.", speaker="Ana", session="s"),
    Message(content="Bye.", speaker="Ana", session="t"),
]


def settings(profile: str, **values: int) -> IngestionSettings:
    return IngestionSettings.model_validate({"profile": profile, **values})


@pytest.mark.parametrize("profile", ["fast", "paper"])
def test_other_profiles_do_not_change_messages(profile: str) -> None:
    assert list(segment(iter(PARTS + TALK), settings(profile))) == PARTS + TALK


@pytest.mark.parametrize("tokens", [512, 1024])
def test_windows_fill_up_across_parts_and_end_with_sentences(tokens: int) -> None:
    made = list(segment(iter(PARTS), settings("documents", chunk_tokens=tokens)))
    assert all(count_tokens(message.content) <= tokens for message in made)
    assert all(message.content.endswith(".") for message in made)
    assert len(made) < len(PARTS) if tokens == 1024 else len(made) <= len(PARTS)
    assert "".join("".join(message.content for message in made).split()) == "".join(
        "".join(part.content for part in PARTS).split()
    )


def test_window_has_the_metadata_of_its_first_part() -> None:
    made = list(segment(iter(PARTS), settings("documents", chunk_tokens=1024)))
    lines = [int(message.metadata["line"]) for message in made]
    assert lines == sorted(lines)
    assert lines[0] == 0


def test_profiles_change_only_documents_or_only_dialogues() -> None:
    assert list(segment(iter(TALK), settings("documents"))) == TALK
    assert list(segment(iter(PARTS), settings("rounds"))) == PARTS


def test_round_is_a_turn_and_its_reply() -> None:
    made = list(segment(iter(TALK), settings("rounds")))
    assert [(message.content, message.speaker, message.session) for message in made] == [
        ("Ana: Hi!\nAna: How are you?\nBen: Fine.", None, "s"),
        ("Good.", "Ana", "s"),
        ("Bye.", "Ana", "t"),
    ]
