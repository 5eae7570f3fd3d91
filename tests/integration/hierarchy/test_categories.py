"""The hierarchy over entities on the real server: built, swapped in, added to, mended."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from mnemo.errors import ConflictError, ProviderUnavailableError
from mnemo.hierarchy.categories.categoriser import Categorised, Drafts, Item
from mnemo.hierarchy.categories.drift import check
from mnemo.hierarchy.categories.layers import Rules
from mnemo.hierarchy.categories.maintenance import Upkeep
from mnemo.models.hierarchy import Category
from mnemo.store import categories, forget, graph
from mnemo.store import hierarchy as store
from mnemo.store.driver import Database
from support.builders import EPOCH, CountingDatabase
from support.shelves import ByName, WordEmbedder, builder, messages, pipeline, remember


async def outline(database: Database, group: str) -> dict[str, set[str]]:
    """Return what each category of the current generation holds, by name; the root is ''."""
    root = await store.find_root(database, group, "entities")
    if root is None:
        return {}
    members = await store.members(database, root, 10_000)
    names = {m.node.uuid: m.node.name for m in members if isinstance(m.node, Category)} | {root.uuid: ""}
    found: dict[str, set[str]] = {}
    for member in members:
        node = member.node
        name = f"{node.layer} {node.name}" if isinstance(node, Category) else node.text
        found.setdefault(names[member.parent], set()).add(name)
    return found


@pytest.fixture
async def memory(database: Database, group: str) -> str:
    await remember(database, group)
    return group


async def test_layers_stand_as_they_were_proposed_and_speakers_in_their_own(database: Database, memory: str) -> None:
    built = await builder(database).build(memory)
    assert (built.generation, built.entities, built.categories) == (1, 7, (3, 2))
    assert await outline(database, memory) == {
        "": {"2 Music", "2 Speaker"},
        "Speaker": {"1 Speaker", "Ana", "Ben"},
        "Pets": {"Rex", "Tom", "Lute"},
        "Instruments": {"Violin", "Piano", "Lute"},
        "Music": {"1 Instruments", "1 Pets"},
    }


async def test_a_build_is_not_seen_until_it_is_whole_and_then_at_once(database: Database, memory: str) -> None:
    first = builder(database)
    await first.build(memory)
    before = await outline(database, memory)

    class Watching(ByName):
        def __init__(self, plan: Mapping[str, Sequence[str]]) -> None:
            super().__init__(plan)
            self.seen: list[dict[str, set[str]]] = []

        async def categorise(self, items: Sequence[Item], layer: int, drafts: Drafts) -> Categorised:
            self.seen.append(await outline(database, memory))
            return await super().categorise(items, layer, drafts)

    watching = Watching({"Everything": ("Rex", "Tom", "Lute", "Violin", "Piano")})
    built = await builder(database, watching).build(memory)
    assert built.generation == 2
    assert watching.seen == [before] * len(watching.seen)
    assert (await outline(database, memory))["Everything"] == {"Rex", "Tom", "Lute", "Violin", "Piano"}


async def test_the_generation_before_stays_for_walks_under_way_and_older_ones_go(
    database: Database, memory: str
) -> None:
    roots = []
    for _ in range(3):
        await builder(database).build(memory)
        root = await store.find_root(database, memory, "entities")
        assert root is not None
        roots.append(root)
    left = [len(await store.members(database, root, 100)) for root in roots]
    assert left[0] == 0
    assert left[1] == left[2] > 0


class Reading(ByName):
    """Says which reply it found among those that were paid for."""

    kept: str | None = None

    async def categorise(self, items: Sequence[Item], layer: int, drafts: Drafts) -> Categorised:
        self.kept = self.kept or drafts.get("key")
        return await super().categorise(items, layer, drafts)


class Paying(ByName):
    """Pays for a reply, and then waits for ever, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__()
        self.error = error
        self.paid = asyncio.Event()

    async def categorise(self, items: Sequence[Item], layer: int, drafts: Drafts) -> Categorised:
        await drafts.put("key", "reply")
        self.paid.set()
        if self.error is None:
            await asyncio.sleep(600)
            return await super().categorise(items, layer, drafts)
        raise self.error


async def test_a_build_that_fails_leaves_the_old_one_and_the_next_goes_on_at_once_in_its_generation(
    database: Database, memory: str
) -> None:
    await builder(database).build(memory)
    before = await outline(database, memory)
    with pytest.raises(ProviderUnavailableError):
        await builder(database, Paying(ProviderUnavailableError("down"))).build(memory)
    assert await outline(database, memory) == before
    reading = Reading()
    built = await builder(database, reading).build(memory)
    assert (built.generation, reading.kept) == (2, "reply")


async def test_a_build_that_is_cancelled_gives_up_its_claim(database: Database, memory: str) -> None:
    paying = Paying()
    building = asyncio.create_task(builder(database, paying).build(memory))
    await paying.paid.wait()
    with pytest.raises(ConflictError):
        await builder(database).build(memory)
    building.cancel()
    with pytest.raises(asyncio.CancelledError):
        await building
    reading = Reading()
    built = await builder(database, reading).build(memory)
    assert (built.generation, reading.kept) == (1, "reply")


async def test_a_build_that_was_killed_holds_its_claim_until_that_runs_out(database: Database, memory: str) -> None:
    claim = await categories.begin(database, memory, str(uuid.uuid4()), "killed", EPOCH)
    await categories.keep_draft(database, claim, {"key": "reply"})
    with pytest.raises(ConflictError):
        await builder(database).build(memory)
    await database.run("bench/expire_build", group=memory)
    reading = Reading()
    built = await builder(database, reading).build(memory)
    assert (built.generation, reading.kept) == (1, "reply")


async def test_a_builder_that_was_overtaken_does_not_give_up_the_others_claim(database: Database, memory: str) -> None:
    claim = await categories.begin(database, memory, str(uuid.uuid4()), "slow", EPOCH)
    await database.run("bench/expire_build", group=memory)
    await categories.begin(database, memory, str(uuid.uuid4()), "quick", EPOCH)
    await categories.release(database, claim)
    with pytest.raises(ConflictError):
        await builder(database).build(memory)


async def test_two_builds_at_once_are_one_and_a_conflict(database: Database, memory: str) -> None:
    results = await asyncio.gather(
        builder(database).build(memory), builder(database).build(memory), return_exceptions=True
    )
    assert sorted(type(each).__name__ for each in results) == ["Built", "ConflictError"]
    assert isinstance(next(each for each in results if isinstance(each, Exception)), ConflictError)


async def test_a_new_entity_is_placed_in_one_round_trip_beside_what_is_like_it(database: Database, memory: str) -> None:
    await builder(database).build(memory)
    counting = CountingDatabase(database)
    upkeep = Upkeep(builder(counting))  # type: ignore[arg-type]  # counts and passes on
    growing = pipeline(database, place=upkeep.place)
    await growing.acknowledge(memory, messages((("Ana", "Ana bought Violin-strings"),), session="later"))
    await growing.process(memory)
    assert counting.calls == {"categories/place": 1}
    assert "Violin-strings" in (await outline(database, memory))["Instruments"]
    await upkeep.settle([memory])
    (about,) = await categories.abouts(
        database, memory, [each for each, name in (await named(database, memory)).items() if name == "Instruments"], 9
    )
    assert "Violin-strings" in about.members


async def named(database: Database, group: str) -> dict[str, str]:
    root = await store.find_root(database, group, "entities")
    assert root is not None
    return {
        member.node.uuid: member.node.name
        for member in await store.members(database, root, 1_000)
        if isinstance(member.node, Category)
    }


async def test_a_new_speaker_goes_to_the_speakers(database: Database, memory: str) -> None:
    await builder(database).build(memory)
    upkeep = Upkeep(builder(database))
    growing = pipeline(database, place=upkeep.place)
    await growing.acknowledge(memory, messages((("Cleo", "Cleo adopted Rex"),), session="later"))
    await growing.process(memory)
    assert (await outline(database, memory))["Speaker"] >= {"Ana", "Ben", "Cleo"}


async def test_what_a_stopped_run_left_out_is_placed_at_the_next(database: Database, memory: str) -> None:
    await builder(database).build(memory)
    await remember(database, memory, (("Ana", "Ana bought Piano-stool"),), session="later")
    assert len(await categories.unplaced(database, memory)) == 1
    await Upkeep(builder(database)).settle([memory])
    assert await categories.unplaced(database, memory) == []


async def test_nothing_is_placed_where_there_is_no_hierarchy(database: Database, memory: str) -> None:
    upkeep = Upkeep(builder(database))
    entities = await categories.entities(database, memory)
    assert await upkeep.place(memory, [row.uuid for row in entities]) == 0
    await upkeep.settle([memory])
    assert await outline(database, memory) == {}


async def test_check_compares_with_a_fresh_build(database: Database, memory: str) -> None:
    await builder(database).build(memory)
    assert (await check(builder(database), memory)).agreement.f1 == 1.0
    other = ByName({"Pets": ("Rex", "Tom"), "Instruments": ("Violin", "Piano")})
    found = (await check(builder(database, other), memory)).agreement
    # Standing: three pairs in each of two categories, and the speakers; fresh: one in each, and the speakers.
    assert (found.pairs, found.others, found.shared) == (7, 3, 3)


async def test_only_a_subtree_past_its_bound_is_built_anew(database: Database, memory: str) -> None:
    plan = {"Pets": ("Rex", "Tom"), "Instruments": ("Violin", "Piano", "Lute"), "Animals": ("Pets",)}
    made = builder(database, ByName({**plan, "Animals": ("Pets", "none"), "Music": ("Instruments",)}))
    made = replace(made, rules=Rules(min_children=1))
    await made.build(memory)
    before = await named(database, memory)
    new = [("Ana", f"Ana bought Violin-{n}") for n in range(9)]
    upkeep = Upkeep(made)
    growing = pipeline(database, place=upkeep.place)
    await growing.acknowledge(memory, messages(new, session="later"))
    await growing.process(memory)
    violins = {f"Violin-{n}" for n in range(9)}
    assert (await outline(database, memory))["Instruments"] >= violins
    better = replace(made, categoriser=ByName({"Strings": tuple(violins), "Keys": ("Piano", "Lute", "Violin")}))
    assert await better.refresh(memory, 0.5) == ("Music",)
    after = await outline(database, memory)
    assert (after["Strings"], after["Keys"]) == (violins, {"Piano", "Lute", "Violin"})
    assert after["Music"] == {"1 Strings", "1 Keys"}
    kept = {uuid for uuid, name in before.items() if name in {"Pets", "Animals", "Speaker", "Music"}}
    assert kept <= (await named(database, memory)).keys()
    assert "Instruments" not in after
    assert await better.refresh(memory, 0.5) == ()


async def test_forgetting_empties_categories_and_says_anew_what_the_others_are_about(
    database: Database, memory: str
) -> None:
    await builder(database).build(memory)
    page = await graph.list_episodes(database, memory, status=None, session=None, cursor=None, limit=10)
    piano = next(item.uuid for item in page.items if item.content == "Ben plays Piano")
    done = await forget.forget_episodes(database, memory, [piano])
    await Upkeep(builder(database)).forgotten(memory, done.categories)
    root = await store.find_root(database, memory, "entities")
    assert root is not None
    contents = [m.node.content for m in await store.members(database, root, 99) if isinstance(m.node, Category)]
    assert not any("Piano" in content for content in contents)
    await forget.forget_group(database, memory)
    assert await outline(database, memory) == {}


async def test_two_groups_have_two_hierarchies(database: Database, memory: str, group: str) -> None:
    other = f"{group}-other"
    await remember(database, other, (("Zoe", "Zoe adopted Rex"), ("Zoe", "Zoe adopted Tom")))
    await builder(database).build(memory)
    assert await outline(database, other) == {}
    await builder(database).build(other)
    assert (await outline(database, other))["Pets"] == {"Rex", "Tom"}
    assert "Zoe" not in {name for names in (await outline(database, memory)).values() for name in names}


async def test_embeddings_of_entities_are_read_as_they_were_written(database: Database, memory: str) -> None:
    rows = await categories.entities(database, memory)
    (expected,) = await WordEmbedder().passages(["Rex"])
    rex = next(row for row in rows if row.name == "Rex")
    assert float(rex.vector @ expected) == pytest.approx(1.0, abs=1e-6)
