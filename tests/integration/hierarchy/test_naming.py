"""Names of categories that have grown online, on the real server: when they are looked at, and what it costs."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from mnemo.hierarchy.categories.layers import Rules
from mnemo.hierarchy.categories.local_categoriser import LocalCategoriser
from mnemo.hierarchy.categories.maintenance import Renaming, Upkeep
from mnemo.hierarchy.categories.naming import LlmNamer, LocalNamer, Namer
from mnemo.models.results import Usage
from mnemo.providers.base import Embedder, Llm
from mnemo.providers.factory import build_llm
from mnemo.store.driver import Database
from support.cypher import cypher
from support.llm_server import LlmServer, Reply, Request
from support.shelves import builder, messages, pipeline, remember

STRINGS = [("Ana", f"Ana bought Violin-{what}") for what in ("strings", "bow", "case", "stand")]


@pytest.fixture
async def client(llm: LlmServer) -> AsyncIterator[Llm]:
    built = build_llm(llm.settings({"max_retries": 0}))
    assert built is not None
    yield built
    await built.close()


@pytest.fixture
async def memory(database: Database, group: str) -> str:
    await remember(database, group)
    await builder(database).build(group)
    return group


async def grow(database: Database, group: str, upkeep: Upkeep, chat: Sequence[tuple[str, str]], session: str) -> None:
    growing = pipeline(database, place=upkeep.place)
    await growing.acknowledge(group, messages(chat, session=session))
    await growing.process(group)


def upkeep(database: Database, namer: Namer, **fields: Any) -> Upkeep:
    return Upkeep(builder(database), renaming=Renaming(namer=namer, **fields))


async def named(database: Database, group: str) -> dict[str, list[str]]:
    rows = await cypher(
        database, "MATCH (c:Category {group: $group}) RETURN c.name AS name, c.tags AS tags ORDER BY name", group=group
    )
    return {row["name"]: list(row["tags"]) for row in rows}


def calling(**names: str) -> Any:
    """Answer with new names by the old ones; what is not among them keeps its name."""

    def answer(request: Request) -> Reply:
        shown = [line.partition("] ") for line in request.user.splitlines()]
        old = [(int(number.strip("[")), rest.partition(" | ")[0]) for number, _, rest in shown]
        return Reply.json(
            {"categories": [{"number": n, "name": names.get(name, name), "tags": ["said anew"]} for n, name in old]}
        )

    return answer


async def test_categories_that_have_grown_are_named_anew_in_one_call(
    database: Database, memory: str, llm: LlmServer, client: Llm
) -> None:
    llm.handle(calling(Instruments="Violin things", Music="Making music"))
    keeping = upkeep(database, LlmNamer(client))
    await grow(database, memory, keeping, STRINGS, "later")
    assert llm.chats == 0
    usage = await keeping.settle([memory])
    assert (llm.chats, usage.calls) == (1, 1)
    found = await named(database, memory)
    assert found["Violin things"] == found["Making music"] == ["said anew"]
    assert {"Instruments", "Music"}.isdisjoint(found)
    contents = await cypher(
        database,
        "MATCH (c:Category {group: $group}) WHERE c.name IN ['Violin things', 'Making music'] RETURN c.content AS text",
        group=memory,
    )
    assert sorted(row["text"].partition(":")[0] for row in contents) == [
        "Making music (said anew)",
        "Violin things (said anew)",
    ]
    assert any("Violin things" in row["text"] for row in contents if row["text"].startswith("Making"))
    assert await keeping.settle([memory]) == Usage()
    assert llm.chats == 1


async def test_a_category_that_has_grown_little_is_not_asked_about(
    database: Database, memory: str, llm: LlmServer, client: Llm
) -> None:
    llm.handle(calling())
    keeping = upkeep(database, LlmNamer(client))
    await grow(database, memory, keeping, STRINGS, "later")
    await keeping.settle([memory])
    await grow(database, memory, keeping, (("Ana", "Ana bought Violin-oil"),), "much later")
    assert await keeping.settle([memory]) == Usage()
    assert llm.chats == 1


async def test_old_names_stay_when_the_call_fails_and_are_looked_at_the_next_time(
    database: Database, memory: str, llm: LlmServer, client: Llm
) -> None:
    before = await named(database, memory)
    llm.handle(lambda _: Reply.error(500))
    keeping = upkeep(database, LlmNamer(client))
    await grow(database, memory, keeping, STRINGS, "later")
    await keeping.settle([memory])
    assert await named(database, memory) == before
    llm.handle(calling(Instruments="Violin things"))
    await keeping.settle([memory])
    assert "Violin things" in await named(database, memory)


async def test_an_llm_that_does_not_answer_holds_nothing_up_for_long(
    database: Database, memory: str, llm: LlmServer, client: Llm
) -> None:
    before = await named(database, memory)
    llm.handle(lambda _: Reply.hang())
    keeping = upkeep(database, LlmNamer(client), seconds=0.3)
    await grow(database, memory, keeping, STRINGS, "later")
    await keeping.settle([memory])
    assert await named(database, memory) == before


async def test_without_a_call_left_the_names_wait(database: Database, memory: str, llm: LlmServer, client: Llm) -> None:
    llm.handle(calling(Instruments="Violin things"))
    keeping = upkeep(database, LlmNamer(client))
    await grow(database, memory, keeping, STRINGS, "later")
    assert await keeping.settle([memory], 0) == Usage()
    assert llm.chats == 0
    assert (await keeping.settle([memory], 1)).calls == 1
    assert "Violin things" in await named(database, memory)


async def test_a_siblings_name_is_refused_and_speakers_are_never_asked_about(
    database: Database, memory: str, llm: LlmServer, client: Llm
) -> None:
    llm.handle(calling(Instruments="pet", Speaker="People"))
    keeping = upkeep(database, LlmNamer(client))
    await grow(database, memory, keeping, [("Cleo", "Cleo bought Violin-bow"), ("Dan", "Dan bought Violin-wax")], "new")
    await keeping.settle([memory])
    assert {"Instruments", "Pets", "Speaker"} <= (await named(database, memory)).keys()
    assert "] Speaker" not in llm.requests[0].user


async def test_with_no_categories_allowed_nobody_is_asked(
    database: Database, memory: str, llm: LlmServer, client: Llm
) -> None:
    keeping = upkeep(database, LlmNamer(client), most=0)
    await grow(database, memory, keeping, STRINGS, "later")
    assert await keeping.settle([memory]) == Usage()
    assert llm.chats == 0


async def put(database: Database, group: str, embedder: Embedder, *names: str) -> list[str]:
    """Write entities with real vectors; return their uuids."""
    vectors = await embedder.passages(list(names))
    rows = [
        {"uuid": f"{group}/{name}", "episode": f"{group}/e/{name}", "name": name, "vector": each}
        for name, each in zip(names, vectors, strict=True)
    ]
    await database.run("bench/entities", group=group, model=embedder.model, rows=rows)
    return [row["uuid"] for row in rows]


async def test_without_an_llm_a_name_that_no_longer_fits_is_that_of_what_the_members_are(
    database: Database, group: str, embedder: Embedder
) -> None:
    made = replace(builder(database, LocalCategoriser(embedder)), embedder=embedder, rules=Rules(max_layers=1))
    await put(database, group, embedder, "beagle", "violin lessons", "jazz concert", "guitar chords")
    await made.build(group)
    assert "beagle" in await named(database, group)
    local = Upkeep(made, renaming=Renaming(namer=LocalNamer(database, made.categoriser)))
    await cypher(database, "MATCH (root:Hierarchy {group: $group}) SET root.least = 0.6", group=group)
    await local.place(group, await put(database, group, embedder, "poodle", "golden retriever puppy"))
    assert await local.settle([group]) == Usage()
    found = await named(database, group)
    assert "beagle" not in found
    assert found["Pets"] == ["Animals"]


async def test_without_an_llm_a_name_that_fits_stays(database: Database, group: str, embedder: Embedder) -> None:
    made = replace(builder(database, LocalCategoriser(embedder)), embedder=embedder, rules=Rules(max_layers=1))
    await put(database, group, embedder, "beagle", "kitten", "violin lessons", "jazz concert", "guitar chords")
    await made.build(group)
    before = await named(database, group)
    local = Upkeep(made, renaming=Renaming(namer=LocalNamer(database, made.categoriser)))
    await local.place(group, await put(database, group, embedder, "poodle", "golden retriever puppy", "two hamsters"))
    await local.settle([group])
    assert {"Pets"} <= before.keys() <= (await named(database, group)).keys()
