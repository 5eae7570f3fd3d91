"""Replies with faults, through the real client: names, quotes, lone surrogates, invalid items, runaway replies."""

import hashlib
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from mnemo.config import IngestionSettings
from mnemo.errors import MalformedReplyError, RunawayReplyError
from mnemo.ingestion.extraction import Extraction, Window
from mnemo.ingestion.llm.extractor import LlmExtractor
from mnemo.providers.base import Llm
from mnemo.providers.factory import build_llm
from mnemo.providers.tokens import count_tokens
from support.builders import episode
from support.llm_server import LlmServer, Reply


def seen(*contents: str, speaker: str = "Petra") -> Window:
    episodes = (replace(episode(content, place), speaker=speaker) for place, content in enumerate(contents))
    return Window(group="g", episodes=tuple(episodes))


def entity(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "kind": "person", "tags": [], "summary": "", "aliases": [], "messages": [1]} | fields


def fact(subject: str, target: str | None, quote: str, **fields: Any) -> dict[str, Any]:
    return {
        "message": 1,
        "subject": subject,
        "relation": "works_at",
        "object": target,
        "state": "holds",
        "fact": f"{subject} works at {target}",
        "quote": quote,
        "when": None,
    } | fields


@pytest.fixture
async def model(llm: LlmServer) -> AsyncIterator[Llm]:
    built = build_llm(llm.settings())
    assert built is not None
    yield built
    await built.close()


async def read(model: Llm, window: Window) -> Extraction:
    return await LlmExtractor(model, IngestionSettings()).extract(window)


def triples(extraction: Extraction) -> list[tuple[str, str, str | None]]:
    return [(found.subject, found.relation, found.object) for found in extraction.facts]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Nora O'Brien", "Nora O’Brien"),  # the typographic apostrophe is the case
        ("Nora O’Brien", "Nora O'Brien"),  # as above
        ("Gino D'Angelo", "Gino D’Angelo"),  # as above
        ("Côte d'Ivoire", "Cote d’Ivoire"),  # as above
        ("L'Oréal", "L’Oreal"),  # as above
        ("Xi'an", "Xi'an"),
        ("U.S.A.", "USA"),
        ("USA", "U.S.A."),
        ("A$AP Rocky", "A$AP Rocky"),
        ("A$AP Rocky", "ASAP Rocky"),
        ("Zoë Łukasz", "Zoe Lukasz"),
        ("Jean-Luc Müller", "Jean‑Luc Muller"),  # noqa: RUF001  # the non-breaking hyphen is the case
        ("J. K. Ferris", "J.K. Ferris"),
    ],
)
async def test_name_matches_despite_marks_and_accents(model: Llm, llm: LlmServer, said: str, name: str) -> None:
    quote = f"I heard that {name} works at Korst"
    llm.script(Reply.json({"entities": [entity(name)], "facts": [fact(name, "Korst", quote)]}))
    extraction = await read(model, seen(f"I heard that {said} works at Korst."))
    assert triples(extraction) == [(name, "works_at", "Korst")]
    assert extraction.dropped == {}
    assert extraction.facts[0].quote == f"I heard that {said} works at Korst"


@pytest.mark.parametrize(
    ("said", "name"),
    [("I saw John.", "Johnson"), ("I saw Ana.", "Anabel Korst"), ("I was in Rome.", "Romeo"), ("Flat 7.", "Flat 70")],
)
async def test_longer_name_than_was_said_is_dropped(model: Llm, llm: LlmServer, said: str, name: str) -> None:
    llm.script(Reply.json({"entities": [entity(name)], "facts": [fact("Petra", name, said)]}))
    extraction = await read(model, seen(said))
    assert extraction.facts == ()
    assert extraction.dropped == {"unknown_name": 2}


@pytest.mark.parametrize(
    ("said", "quote", "found"),
    [
        ("I sold it -- the blue one -- to Ann.", "it — the blue one — to Ann", "it -- the blue one -- to Ann"),
        ("I sold it, after a long search, to Ann.", "I sold it … to Ann", "I sold it, after a long search, to Ann"),
        ("I sold it, after long talks, to Ann.", "I sold it [...] to Ann.", "I sold it, after long talks, to Ann"),
        ("He said “no way” to Ann", 'He said "no way" to Ann', "He said “no way” to Ann"),
        ("We ate crème brûlée at Ann's", "ate creme brulee at Ann’s", "ate crème brûlée at Ann's"),  # the case
        ("I sold **the bike** to Ann", "I sold the bike to Ann", "I sold **the bike** to Ann"),
        ("I   sold it\nto Ann", "I sold it to Ann", "I   sold it\nto Ann"),
    ],
)  # fmt: skip
async def test_quote_is_found_by_its_words(model: Llm, llm: LlmServer, said: str, quote: str, found: str) -> None:
    llm.script(Reply.json({"entities": [], "facts": [fact("Petra", None, quote, fact="Petra sold it")]}))
    extraction = await read(model, seen(said))
    (kept,) = extraction.facts
    assert kept.quote == found == said[kept.start : kept.end]


@pytest.mark.parametrize("quote", ["I sold it … to Ben", "to Ann … I sold it", "sol", "I bought it", "…"])
async def test_quote_with_missing_words_is_dropped(model: Llm, llm: LlmServer, quote: str) -> None:
    llm.script(Reply.json({"entities": [], "facts": [fact("Petra", None, quote, fact="Petra sold it")]}))
    extraction = await read(model, seen("I sold it, after a long search, to Ann."))
    assert extraction.facts == ()
    assert extraction.dropped == {"quote_not_found": 1}


def half_characters(form: str) -> Reply:
    """Build a reply with a lone surrogate in every text, escaped in the model's JSON or in the server's."""
    half = "\ud83d"
    value = {
        "entities": [entity(f"Kittiwake{half}", tags=[f"boat{half}"], summary=f"A boat {half}", aliases=[half])],
        "facts": [
            fact("Odile", "Kittiwake", "Odile owns Kittiwake", relation=f"owns{half}", fact=f"Odile owns {half}")
        ],
    }
    content = json.dumps(value) if form == "model" else json.dumps(value, ensure_ascii=False)
    return Reply.text(content)


@pytest.mark.parametrize("form", ["model", "server"])
async def test_lone_surrogate_becomes_a_replacement_character(model: Llm, llm: LlmServer, form: str) -> None:
    llm.script(half_characters(form))
    extraction = await read(model, seen("Odile owns Kittiwake"))
    assert [found.fact for found in extraction.facts] == ["Odile owns \ufffd"]
    boat = next(mention for mention in extraction.mentions if mention.name.startswith("Kittiwake"))
    assert (boat.summary, boat.tags) == ("A boat \ufffd", ("boat\ufffd",))
    repr(extraction).encode()


GOOD = fact("Petra", "Korst", "I work at Korst")


@pytest.mark.parametrize(
    "named",
    [
        {"name": "Korst", "kind": "organisation", "messages": [1]},
        {"name": "Korst", "aliases": None, "summary": None, "tags": None, "kind": None, "messages": None},
        {"name": "Korst", "messages": "1", "tags": "company", "aliases": "Korst", "summary": 7},
        {"name": "Korst", "messages": ["[1]"], "tags": {"a": 1}, "aliases": [None, 3], "summary": ["x"]},
        {"name": "Korst", "messages": 1.0, "extra": True},
        "Korst",
    ],
)
async def test_entity_with_missing_or_invalid_fields_is_kept(model: Llm, llm: LlmServer, named: object) -> None:
    llm.script(Reply.json({"entities": [named], "facts": [GOOD]}))
    extraction = await read(model, seen("I work at Korst"))
    assert triples(extraction) == [("Petra", "works_at", "Korst")]
    assert [mention.name for mention in extraction.mentions] == ["Petra", "Korst"]
    assert (extraction.dropped, llm.chats) == ({}, 1)


@pytest.mark.parametrize(
    "odd",
    [
        {"message": "1"},
        {"message": "[1]"},
        {"message": 1.0},
        {"object": ["Korst"]},
        {"object": {"name": "Korst"}},
        {"state": None},
        {"state": "Holds"},
        {"when": 7},
        {"confidence": 0.9},
    ],
)
async def test_fact_with_invalid_fields_is_kept(model: Llm, llm: LlmServer, odd: dict[str, object]) -> None:
    llm.script(Reply.json({"entities": [], "facts": [GOOD | odd]}))
    extraction = await read(model, seen("I work at Korst"))
    assert triples(extraction) == [("Petra", "works_at", "Korst")]
    assert (extraction.dropped, llm.chats) == ({}, 1)


@pytest.mark.parametrize("junk", [7, None, [], "Petra works", {}, {"subject": "Petra"}, {"fact": None}])
async def test_invalid_item_is_dropped_and_counted(model: Llm, llm: LlmServer, junk: object) -> None:
    llm.script(Reply.json({"entities": [7], "facts": [junk, GOOD]}))
    extraction = await read(model, seen("I work at Korst"))
    assert triples(extraction) == [("Petra", "works_at", "Korst")]
    assert (extraction.dropped, llm.chats) == ({"unreadable": 2}, 1)


async def test_reply_with_only_invalid_items_is_requested_again(model: Llm, llm: LlmServer) -> None:
    llm.script(Reply.json({"entities": [], "facts": ["none"]}), Reply.json({"entities": [], "facts": [GOOD]}))
    extraction = await read(model, seen("I work at Korst"))
    assert (triples(extraction), llm.chats) == ([("Petra", "works_at", "Korst")], 2)


async def test_facts_numbered_out_of_range_are_dropped_and_counted(model: Llm, llm: LlmServer) -> None:
    facts = [GOOD | {"message": number} for number in (0, 1, 7, -1, None, True)]
    llm.script(Reply.json({"entities": [], "facts": facts}))
    extraction = await read(model, seen("I work at Korst", *["Hi"] * 4))
    assert triples(extraction) == [("Petra", "works_at", "Korst")]
    assert extraction.dropped == {"no_such_message": 5}


async def test_repeated_fact_is_kept_once(model: Llm, llm: LlmServer) -> None:
    llm.script(Reply.json({"entities": [], "facts": [GOOD] * 30}))
    extraction = await read(model, seen("I work at Korst"))
    assert triples(extraction) == [("Petra", "works_at", "Korst")]
    assert extraction.dropped == {"repeated": 29}


async def test_aliases_that_are_not_names_are_dropped(model: Llm, llm: LlmServer) -> None:
    aliases = ["buddy", "my friend", "a close friend of mine", "Kat", "kat", "Best Friend", "her", "Mum"]
    llm.script(Reply.json({"entities": [entity("Katherine", aliases=aliases)], "facts": []}))
    said = "Katherine, Kat for short, is my buddy, a close friend of mine, my best friend. Mum likes her."
    extraction = await read(model, seen(said))
    assert extraction.mentions[1].name == "Katherine"
    assert extraction.mentions[1].aliases == ("Kat", "kat")
    assert extraction.dropped == {"not_a_name": 6}


@pytest.mark.parametrize(("speaker", "name"), [("Ana", "Ana's friends"), ("Ben", "Ben's friends")])
async def test_my_friends_become_the_friends_of_the_speaker(
    model: Llm, llm: LlmServer, speaker: str, name: str
) -> None:
    given = fact(speaker, "my friends", "hiked with my friends", relation="hiked_with", fact="hiked with friends")
    llm.script(Reply.json({"entities": [entity("my friends", aliases=["the gang"])], "facts": [given]}))
    extraction = await read(model, seen("I hiked with my friends", speaker=speaker))
    assert triples(extraction) == [(speaker, "hiked_with", name)]
    assert [(mention.name, mention.aliases) for mention in extraction.mentions] == [(speaker, ()), (name, ())]


async def test_description_as_object_leaves_a_fact_about_the_subject(model: Llm, llm: LlmServer) -> None:
    given = fact(
        "Petra", "a friend of mine", "lunch with a friend of mine", relation="had_lunch", fact="Petra had lunch"
    )
    llm.script(Reply.json({"entities": [entity("a friend of mine")], "facts": [given]}))
    extraction = await read(model, seen("Had lunch with a friend of mine"))
    assert triples(extraction) == [("Petra", "had_lunch", None)]
    assert extraction.dropped == {"not_a_name": 2}


@pytest.mark.parametrize(
    "content",
    [
        '{"entities": [' + json.dumps(entity("Korst")) * 3 + (json.dumps(entity("Korst")) + ", ") * 40,
        '{"entities": [], "facts": [{"message": 1, "subject": "Petra likes' + " and likes" * 200,
        '{"entities": []' + "\n" * 900,
        "Let me think. I should think. " * 60,
    ],
)
@pytest.mark.parametrize("finish_reason", ["length", "stop"])
async def test_repeating_reply_is_not_requested_again(
    model: Llm, llm: LlmServer, content: str, finish_reason: str
) -> None:
    llm.script(Reply.text(content, finish_reason=finish_reason))
    with pytest.raises(RunawayReplyError, match="repeats itself"):
        await read(model, seen("I work at Korst"))
    assert llm.chats == 1


async def test_reply_of_twice_the_limit_is_a_runaway(model: Llm, llm: LlmServer) -> None:
    rambling = " ".join(hashlib.sha256(bytes([number])).hexdigest() for number in range(60))
    llm.handle(lambda _: Reply.cut(rambling))
    with pytest.raises(RunawayReplyError):
        await read(model, seen("I work at Korst"))
    limits = [request.body["max_tokens"] for request in llm.requests]
    assert limits[1] == 2 * limits[0]


async def test_complete_unreadable_reply_is_not_a_runaway(model: Llm, llm: LlmServer) -> None:
    llm.script(Reply.text("sorry, no"), Reply.text("sorry, no"))
    with pytest.raises(MalformedReplyError) as caught:
        await read(model, seen("I work at Korst"))
    assert type(caught.value) is MalformedReplyError


async def test_reply_limit_depends_on_the_window(model: Llm, llm: LlmServer) -> None:
    llm.handle(lambda _: Reply.json({"entities": [], "facts": []}))
    await read(model, seen("hello"))
    await read(model, seen("word " * 500, "word " * 100))
    await read(model, seen(*["word " * 500] * 20))
    words = count_tokens("word " * 500) + count_tokens("word " * 100)
    limits = [request.body["max_tokens"] for request in llm.requests]
    assert limits == [1_024 + 3 * count_tokens("hello"), 1_024 + 3 * words, 16_384]
