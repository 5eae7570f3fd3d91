"""The categories on the real server: building, swapping, placing, rebuilding."""

import asyncio
import subprocess
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from mnemo.errors import ConflictError, ProviderUnavailableError
from mnemo.hierarchy.categories.categoriser import Categorisation, Item, ReplyCache
from mnemo.hierarchy.categories.drift import check_drift
from mnemo.hierarchy.categories.layers import LayerRules
from mnemo.hierarchy.categories.maintenance import CategoryMaintenance
from mnemo.models.hierarchy import Category
from mnemo.store import forget, graph
from mnemo.store.driver import Database
from mnemo.store.hierarchy import categories
from mnemo.store.hierarchy import members as store
from support.builders import EPOCH, CountingDatabase
from support.small_memory import ByName, WordEmbedder, builder, messages, pipeline, remember


async def outline(database: Database, group: str) -> dict[str, set[str]]:
    """Return the member names of each category of the current generation; the root's key is ''."""
    root = await store.find_root(database, group, "categories")
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


async def test_build_writes_the_proposed_layers_and_the_speakers(database: Database, memory: str) -> None:
    built = await builder(database).build(memory)
    assert (built.generation, built.entities, built.categories) == (1, 7, (3, 2))
    assert await outline(database, memory) == {
        "": {"2 Music", "2 Speaker"},
        "Speaker": {"1 Speaker", "Ana", "Ben"},
        "Pets": {"Rex", "Tom", "Lute"},
        "Instruments": {"Violin", "Piano", "Lute"},
        "Music": {"1 Instruments", "1 Pets"},
    }


async def test_build_is_visible_only_when_complete(database: Database, memory: str) -> None:
    first = builder(database)
    await first.build(memory)
    before = await outline(database, memory)

    class Watching(ByName):
        def __init__(self, plan: Mapping[str, Sequence[str]]) -> None:
            super().__init__(plan)
            self.seen: list[dict[str, set[str]]] = []

        async def categorise(self, items: Sequence[Item], layer: int, replies: ReplyCache) -> Categorisation:
            self.seen.append(await outline(database, memory))
            return await super().categorise(items, layer, replies)

    watching = Watching({"Everything": ("Rex", "Tom", "Lute", "Violin", "Piano")})
    built = await builder(database, watching).build(memory)
    assert built.generation == 2
    assert watching.seen == [before] * len(watching.seen)
    assert (await outline(database, memory))["Everything"] == {"Rex", "Tom", "Lute", "Violin", "Piano"}


async def test_previous_generation_is_kept_and_older_ones_deleted(database: Database, memory: str) -> None:
    roots = []
    for _ in range(3):
        await builder(database).build(memory)
        root = await store.find_root(database, memory, "categories")
        assert root is not None
        roots.append(root)
    left = [len(await store.members(database, root, 100)) for root in roots]
    assert left[0] == 0
    assert left[1] == left[2] > 0


class Reading(ByName):
    """Records the stored reply that it reads."""

    kept: str | None = None

    async def categorise(self, items: Sequence[Item], layer: int, replies: ReplyCache) -> Categorisation:
        self.kept = self.kept or replies.get("key")
        return await super().categorise(items, layer, replies)


class Paying(ByName):
    """Stores a reply, then waits forever or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__()
        self.error = error
        self.paid = asyncio.Event()

    async def categorise(self, items: Sequence[Item], layer: int, replies: ReplyCache) -> Categorisation:
        await replies.put("key", "reply")
        self.paid.set()
        if self.error is None:
            await asyncio.sleep(600)
            return await super().categorise(items, layer, replies)
        raise self.error


async def test_failed_build_keeps_the_old_generation_and_the_next_build_resumes(
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


async def test_cancelled_build_releases_its_claim(database: Database, memory: str) -> None:
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


async def test_build_of_a_dead_process_is_resumed_at_once(database: Database, memory: str) -> None:
    code = "from mnemo.store.owners import new_owner; print(new_owner())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: ASYNC221, S603  # short, the interpreter itself
    claim = await categories.begin(database, memory, str(uuid.uuid4()), done.stdout.strip(), EPOCH)
    await categories.keep_replies(database, claim, {"key": "reply"})
    reading = Reading()
    built = await builder(database, reading).build(memory)
    assert (built.generation, reading.kept) == (1, "reply")


async def test_build_of_another_machine_holds_its_claim_until_it_expires(database: Database, memory: str) -> None:
    claim = await categories.begin(database, memory, str(uuid.uuid4()), "killed", EPOCH)
    await categories.keep_replies(database, claim, {"key": "reply"})
    with pytest.raises(ConflictError, match=r"its claim lasts (?:2\d|30) s more") as caught:
        await builder(database).build(memory)
    assert caught.value.retryable
    await database.run("bench/expire_build", group=memory)
    reading = Reading()
    built = await builder(database, reading).build(memory)
    assert (built.generation, reading.kept) == (1, "reply")


async def test_overtaken_builder_does_not_release_the_new_claim(database: Database, memory: str) -> None:
    claim = await categories.begin(database, memory, str(uuid.uuid4()), "slow", EPOCH)
    await database.run("bench/expire_build", group=memory)
    await categories.begin(database, memory, str(uuid.uuid4()), "quick", EPOCH)
    await categories.release(database, claim)
    with pytest.raises(ConflictError):
        await builder(database).build(memory)


async def test_second_concurrent_build_is_a_conflict(database: Database, memory: str) -> None:
    results = await asyncio.gather(
        builder(database).build(memory), builder(database).build(memory), return_exceptions=True
    )
    assert sorted(type(each).__name__ for each in results) == ["BuildResult", "ConflictError"]
    assert isinstance(next(each for each in results if isinstance(each, Exception)), ConflictError)


async def test_new_entity_is_placed_beside_similar_ones_in_one_round_trip(database: Database, memory: str) -> None:
    await builder(database).build(memory)
    counting = CountingDatabase(database)
    maintenance = CategoryMaintenance(builder(counting))  # type: ignore[arg-type]  # counts and passes on
    growing = pipeline(database, place=maintenance.place)
    await growing.acknowledge(memory, messages((("Ana", "Ana bought Violin-strings"),), session="later"))
    await growing.process(memory)
    assert counting.calls == {"categories/place": 1}
    assert "Violin-strings" in (await outline(database, memory))["Instruments"]
    await maintenance.update([memory])
    (about,) = await categories.summaries(
        database, memory, [each for each, name in (await named(database, memory)).items() if name == "Instruments"], 9
    )
    assert "Violin-strings" in about.members


async def named(database: Database, group: str) -> dict[str, str]:
    root = await store.find_root(database, group, "categories")
    assert root is not None
    return {
        member.node.uuid: member.node.name
        for member in await store.members(database, root, 1_000)
        if isinstance(member.node, Category)
    }


async def test_new_speaker_joins_the_speakers_category(database: Database, memory: str) -> None:
    await builder(database).build(memory)
    maintenance = CategoryMaintenance(builder(database))
    growing = pipeline(database, place=maintenance.place)
    await growing.acknowledge(memory, messages((("Cleo", "Cleo adopted Rex"),), session="later"))
    await growing.process(memory)
    assert (await outline(database, memory))["Speaker"] >= {"Ana", "Ben", "Cleo"}


async def test_entities_an_interrupted_run_missed_are_placed_by_the_next(database: Database, memory: str) -> None:
    await builder(database).build(memory)
    await remember(database, memory, (("Ana", "Ana bought Piano-stool"),), session="later")
    assert len(await categories.unplaced(database, memory)) == 1
    await CategoryMaintenance(builder(database)).update([memory])
    assert await categories.unplaced(database, memory) == []


async def test_nothing_is_placed_without_categories(database: Database, memory: str) -> None:
    maintenance = CategoryMaintenance(builder(database))
    entities = await categories.entities(database, memory)
    assert await maintenance.place(memory, [row.uuid for row in entities]) == 0
    await maintenance.update([memory])
    assert await outline(database, memory) == {}


async def test_check_compares_with_a_fresh_build(database: Database, memory: str) -> None:
    await builder(database).build(memory)
    assert (await check_drift(builder(database), memory)).agreement.f1 == 1.0
    other = ByName({"Pets": ("Rex", "Tom"), "Instruments": ("Violin", "Piano")})
    found = (await check_drift(builder(database, other), memory)).agreement
    # Current: three pairs in each of two categories, plus the speakers; fresh: one pair in each, plus the speakers.
    assert (found.pairs, found.others, found.shared) == (7, 3, 3)


async def test_only_a_drifted_subtree_is_rebuilt(database: Database, memory: str) -> None:
    plan = {"Pets": ("Rex", "Tom"), "Instruments": ("Violin", "Piano", "Lute"), "Animals": ("Pets",)}
    made = builder(database, ByName({**plan, "Animals": ("Pets", "none"), "Music": ("Instruments",)}))
    made = replace(made, rules=LayerRules(min_children=1))
    await made.build(memory)
    before = await named(database, memory)
    new = [("Ana", f"Ana bought Violin-{n}") for n in range(9)]
    maintenance = CategoryMaintenance(made)
    growing = pipeline(database, place=maintenance.place)
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


async def test_forgetting_deletes_empty_categories_and_refreshes_the_others(database: Database, memory: str) -> None:
    await builder(database).build(memory)
    page = await graph.list_episodes(database, memory, status=None, session=None, cursor=None, limit=10)
    piano = next(item.uuid for item in page.items if item.content == "Ben plays Piano")
    done = await forget.forget_episodes(database, memory, [piano])
    await CategoryMaintenance(builder(database)).refresh(memory, done.categories)
    root = await store.find_root(database, memory, "categories")
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


async def test_entity_embeddings_survive_a_round_trip(database: Database, memory: str) -> None:
    rows = await categories.entities(database, memory)
    (expected,) = await WordEmbedder().passages(["Rex"])
    rex = next(row for row in rows if row.name == "Rex")
    assert float(rex.vector @ expected) == pytest.approx(1.0, abs=1e-6)
