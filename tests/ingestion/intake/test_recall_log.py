"""Text recalled from the memory adds nothing when it comes back in a message."""

from dataclasses import replace
from datetime import timedelta

import pytest

from mnemo.ingestion.extraction import Window
from mnemo.ingestion.intake.echo import mask_echoes
from mnemo.ingestion.intake.echo_filter import EchoFilter
from mnemo.ingestion.intake.recall_log import KEPT_GROUPS, KEPT_SENTENCES, RecallLog
from mnemo.models.graph import Episode, Role
from mnemo.models.hierarchy import Category
from mnemo.models.results import Found
from mnemo.retrieval.context import build
from support.builders import EPOCH, ScriptedExtractor, episode
from support.ranked_items import START, items

LATER = EPOCH + timedelta(hours=1)
CONTEXT = """\
Facts:
- Ada Byron works at Quillfeather. (since 2024-02-01) [1]
- Ada Byron lives in Porto [1][2]

People and things:
- Quillfeather: a publisher

Messages:
[1] Thu 2024-02-01 09:30 Europe/Lisbon, Ada Byron: I joined Quillfeather today.
[2] undated, Ada Byron: Porto suits me."""


def message(content: str, role: Role = "assistant") -> Episode:
    return replace(episode(content), role=role, speaker=None, recorded_at=LATER)


async def read(item: Episode, *recalled: str, source: str | None = None) -> list[str]:
    """Return the contents that the extractor reads, with whitespace collapsed."""
    log = RecallLog()
    log.note(item.group, recalled, EPOCH, source)
    inner = ScriptedExtractor()
    await EchoFilter(inner, log).extract(Window(group=item.group, episodes=(item,)))
    return [" ".join(seen.content.split()) for window in inner.windows for seen in window.episodes]


@pytest.mark.parametrize("role", ["assistant", "tool", "user", "document"])
@pytest.mark.parametrize("around", ["{}", "Here is what I know:\n\n{}\n", "```\n{}\n```"])
async def test_context_is_recognised_by_its_layout_in_any_process(role: Role, around: str) -> None:
    left = await read(message(around.format(CONTEXT), role))
    assert all("Ada" not in content and "Quillfeather" not in content for content in left)


def test_every_line_of_a_built_context_is_recognised() -> None:
    summary = Category(
        uuid="c",
        group="g",
        name="boats",
        content="Ana and Ben like boats.",
    )
    made = replace(items(), categories=(Found(item=summary, score=1.0, sources=("m1",)),))
    text = build("Who adopted Rex?", made, budget=500, now=START).text
    assert all(f"{head}:" in text for head in ("Facts", "People and things", "Summaries", "Messages"))
    assert mask_echoes(text, ()).strip() == ""


async def test_only_the_question_below_a_context_is_read() -> None:
    assert await read(message(f"{CONTEXT}\n\nQuestion: may I bring Zoe?", "user")) == ["Question: may I bring Zoe?"]


@pytest.mark.parametrize(
    "text",
    [
        "Facts:\n- eggs\n- milk",
        "Messages:\nnone today",
        "[1] a footnote of mine\n[2] and another",
        "[3] Zoe, 2024: on trees",
    ],
)
async def test_lists_written_by_the_user_are_read(text: str) -> None:
    assert await read(message(text, "user")) == [" ".join(text.split())]


@pytest.mark.parametrize(
    "text",
    [
        "Ada Byron works at Quillfeather in Porto.",
        "ada byron works at quillfeather, in Porto [1].",
        "I work at Quillfeather in Porto, as you know? Ada Byron works at Quillfeather in Porto!",
    ],
)
async def test_assistant_message_that_only_repeats_is_skipped(text: str) -> None:
    known = ("Ada Byron works at Quillfeather in Porto", "I work at Quillfeather in Porto as you know")
    assert await read(message(text), *known) == []


@pytest.mark.parametrize(
    "text",
    [
        "Ada Byron no longer works at Quillfeather in Porto with Zoe.",
        "Ada Byron does not work at Quillfeather in Porto with Zoe.",
        "Ada Byron doesn't work at Quillfeather in Porto with Zoe.",
        "Ada Byron works at Quillfeather in Porto with Zoe since 2021.",
    ],
)
async def test_negation_or_number_makes_a_sentence_new(text: str) -> None:
    known = "Ada Byron works at Quillfeather in Porto with Zoe and her cat since long ago, does she"
    assert await read(message(text), known) == [text]


async def test_new_sentences_of_an_assistant_are_read() -> None:
    text = "Ada Byron works at Quillfeather in Porto. Booked Cantinho for Friday."
    assert await read(message(text), "Ada Byron works at Quillfeather in Porto") == ["Booked Cantinho for Friday."]


async def test_one_repeated_sentence_of_a_person_is_read() -> None:
    text = "I work at Quillfeather in Porto."
    assert await read(message(text, "user"), text) == [text]


async def test_several_pasted_recalled_sentences_are_skipped() -> None:
    facts = ("Ada Byron works at Quillfeather.", "Ada Byron lives near the Douro.")
    assert await read(message(" ".join(facts), "user"), *facts) == []


async def test_episode_is_not_an_echo_of_itself_or_of_later_text() -> None:
    item = message("Ada Byron works at Quillfeather.")
    assert await read(item, item.content, source=item.uuid) == [item.content]
    assert await read(replace(item, recorded_at=EPOCH - timedelta(seconds=1)), item.content) == [item.content]


async def test_quotes_are_located_in_the_unchanged_message() -> None:
    log = RecallLog()
    log.note("g", ["Ada Byron works at Quillfeather."], EPOCH)
    item = message("Zoe knows Ben\nAda Byron works at Quillfeather.\nZoe knows Kim")
    found = await EchoFilter(ScriptedExtractor(), log).extract(Window(group="g", episodes=(item,)))
    assert [fact.quote for fact in found.facts] == [item.content]


async def test_echo_does_not_affect_other_messages() -> None:
    log = RecallLog()
    log.note("g", ["Ada Byron works at Quillfeather."], EPOCH)
    echo = message("Ada Byron works at Quillfeather.")
    own = replace(message("Zoe knows Ben", "user"), uuid="other", position=1)
    found = await EchoFilter(ScriptedExtractor(), log).extract(Window(group="g", episodes=(echo, own)))
    assert [(fact.episode, fact.fact) for fact in found.facts] == [("other", "Zoe knows Ben")]


def test_log_is_bounded_and_separate_for_each_group() -> None:
    log = RecallLog()
    log.note("g", (f"Ada Byron wrote poem number {number}." for number in range(2 * KEPT_SENTENCES)), EPOCH)
    item = message("x")
    assert len(log.before(item)) == KEPT_SENTENCES
    assert log.before(replace(item, group="h")) == []
    for number in range(KEPT_GROUPS):
        log.note(f"other {number}", ["Ada Byron wrote a poem."], EPOCH)
    assert log.before(item) == []
