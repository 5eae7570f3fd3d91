"""Reviewing the names of categories that have grown, on the real server."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from mnemo.hierarchy.categories.layers import LayerRules
from mnemo.hierarchy.categories.local_categoriser import LocalCategoriser
from mnemo.hierarchy.categories.maintenance import CategoryMaintenance, NameReviewOptions
from mnemo.hierarchy.categories.naming import LlmNamer, LocalNamer, Namer
from mnemo.models.results import Usage
from mnemo.providers.base import Embedder, Llm
from mnemo.providers.factory import build_llm
from mnemo.store.driver import Database
from support.cypher import cypher
from support.llm_server import LlmServer, Reply, Request
from support.small_memory import builder, messages, pipeline, remember

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


async def grow(
    database: Database, group: str, maintenance: CategoryMaintenance, chat: Sequence[tuple[str, str]], session: str
) -> None:
    growing = pipeline(database, place=maintenance.place)
    await growing.acknowledge(group, messages(chat, session=session))
    await growing.process(group)


def maintained(database: Database, namer: Namer, **fields: Any) -> CategoryMaintenance:
    return CategoryMaintenance(builder(database), name_review=NameReviewOptions(namer=namer, **fields))


async def named(database: Database, group: str) -> dict[str, list[str]]:
    rows = await cypher(
        database, "MATCH (c:Category {group: $group}) RETURN c.name AS name, c.tags AS tags ORDER BY name", group=group
    )
    return {row["name"]: list(row["tags"]) for row in rows}


def renaming(**names: str) -> Any:
    """Build a reply with new names by old name; other categories keep their names."""

    def answer(request: Request) -> Reply:
        shown = [line.partition("] ") for line in request.user.splitlines()]
        old = [(int(number.strip("[")), rest.partition(" | ")[0]) for number, _, rest in shown]
        return Reply.json(
            {"categories": [{"number": n, "name": names.get(name, name), "tags": ["renamed"]} for n, name in old]}
        )

    return answer


async def test_outgrown_categories_are_renamed_in_one_call(
    database: Database, memory: str, llm: LlmServer, client: Llm
) -> None:
    llm.handle(renaming(Instruments="Violin things", Music="Making music"))
    maintenance = maintained(database, LlmNamer(client))
    await grow(database, memory, maintenance, STRINGS, "later")
    assert llm.chats == 0
    usage = await maintenance.update([memory])
    assert (llm.chats, usage.calls) == (1, 1)
    found = await named(database, memory)
    assert found["Violin things"] == found["Making music"] == ["renamed"]
    assert {"Instruments", "Music"}.isdisjoint(found)
    contents = await cypher(
        database,
        "MATCH (c:Category {group: $group}) WHERE c.name IN ['Violin things', 'Making music'] RETURN c.content AS text",
        group=memory,
    )
    assert sorted(row["text"].partition(":")[0] for row in contents) == [
        "Making music (renamed)",
        "Violin things (renamed)",
    ]
    assert any("Violin things" in row["text"] for row in contents if row["text"].startswith("Making"))
    assert await maintenance.update([memory]) == Usage()
    assert llm.chats == 1


async def test_category_that_has_grown_little_is_not_reviewed(
    database: Database, memory: str, llm: LlmServer, client: Llm
) -> None:
    llm.handle(renaming())
    maintenance = maintained(database, LlmNamer(client))
    await grow(database, memory, maintenance, STRINGS, "later")
    await maintenance.update([memory])
    await grow(database, memory, maintenance, (("Ana", "Ana bought Violin-oil"),), "much later")
    assert await maintenance.update([memory]) == Usage()
    assert llm.chats == 1


async def test_names_stay_if_the_call_fails_and_are_reviewed_next_time(
    database: Database, memory: str, llm: LlmServer, client: Llm
) -> None:
    before = await named(database, memory)
    llm.handle(lambda _: Reply.error(500))
    maintenance = maintained(database, LlmNamer(client))
    await grow(database, memory, maintenance, STRINGS, "later")
    await maintenance.update([memory])
    assert await named(database, memory) == before
    llm.handle(renaming(Instruments="Violin things"))
    await maintenance.update([memory])
    assert "Violin things" in await named(database, memory)


async def test_review_times_out(database: Database, memory: str, llm: LlmServer, client: Llm) -> None:
    before = await named(database, memory)
    llm.handle(lambda _: Reply.hang())
    maintenance = maintained(database, LlmNamer(client), seconds=0.3)
    await grow(database, memory, maintenance, STRINGS, "later")
    await maintenance.update([memory])
    assert await named(database, memory) == before


async def test_names_wait_if_no_call_is_left(database: Database, memory: str, llm: LlmServer, client: Llm) -> None:
    llm.handle(renaming(Instruments="Violin things"))
    maintenance = maintained(database, LlmNamer(client))
    await grow(database, memory, maintenance, STRINGS, "later")
    assert await maintenance.update([memory], 0) == Usage()
    assert llm.chats == 0
    assert (await maintenance.update([memory], 1)).calls == 1
    assert "Violin things" in await named(database, memory)


async def test_siblings_name_is_refused_and_speakers_are_never_reviewed(
    database: Database, memory: str, llm: LlmServer, client: Llm
) -> None:
    llm.handle(renaming(Instruments="pet", Speaker="People"))
    maintenance = maintained(database, LlmNamer(client))
    await grow(
        database, memory, maintenance, [("Cleo", "Cleo bought Violin-bow"), ("Dan", "Dan bought Violin-wax")], "new"
    )
    await maintenance.update([memory])
    assert {"Instruments", "Pets", "Speaker"} <= (await named(database, memory)).keys()
    assert "] Speaker" not in llm.requests[0].user


async def test_limit_of_no_categories_makes_no_call(
    database: Database, memory: str, llm: LlmServer, client: Llm
) -> None:
    maintenance = maintained(database, LlmNamer(client), most=0)
    await grow(database, memory, maintenance, STRINGS, "later")
    assert await maintenance.update([memory]) == Usage()
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


async def test_local_review_renames_a_category_after_its_members_theme(
    database: Database, group: str, embedder: Embedder
) -> None:
    made = replace(builder(database, LocalCategoriser(embedder)), embedder=embedder, rules=LayerRules(max_layers=1))
    await put(database, group, embedder, "beagle", "violin lessons", "jazz concert", "guitar chords")
    await made.build(group)
    assert "beagle" in await named(database, group)
    local = CategoryMaintenance(made, name_review=NameReviewOptions(namer=LocalNamer(database, made.categoriser)))
    await cypher(database, "MATCH (root:Hierarchy {group: $group}) SET root.least = 0.6", group=group)
    await local.place(group, await put(database, group, embedder, "poodle", "golden retriever puppy"))
    assert await local.update([group]) == Usage()
    found = await named(database, group)
    assert "beagle" not in found
    assert found["Pets"] == ["Animals"]


async def test_local_review_keeps_a_fitting_name(database: Database, group: str, embedder: Embedder) -> None:
    made = replace(builder(database, LocalCategoriser(embedder)), embedder=embedder, rules=LayerRules(max_layers=1))
    await put(database, group, embedder, "beagle", "kitten", "violin lessons", "jazz concert", "guitar chords")
    await made.build(group)
    before = await named(database, group)
    local = CategoryMaintenance(made, name_review=NameReviewOptions(namer=LocalNamer(database, made.categoriser)))
    await local.place(group, await put(database, group, embedder, "poodle", "golden retriever puppy", "two hamsters"))
    await local.update([group])
    assert {"Pets"} <= before.keys() <= (await named(database, group)).keys()
