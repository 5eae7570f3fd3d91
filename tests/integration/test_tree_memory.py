"""Trees on the real server: import, versions that share structure, edits, log, diff, revert, checkout."""

import asyncio
import json

import pytest

from mnemo.errors import ArgumentError, ConflictError, NotFoundError, QuerySchemaError, ReaderError
from mnemo.models.tree import TreeNode
from mnemo.semxpath.compiler import Options
from mnemo.semxpath.trees import (
    DeleteNodes,
    InsertNode,
    MoveNodes,
    ReplaceNodes,
    TreeMemory,
    Trees,
    UpdateNodes,
)
from mnemo.store.driver import Database
from support.embedders import HashEmbedder

TRIP = """<Itinerary city="Lisbon">
  <Day date="2026-05-01"><POI name="Museum"/><Restaurant name="Ramen"/><Restaurant name="Sushi"/></Day>
  <Day date="2026-05-02"><POI name="Park"/></Day>
</Itinerary>"""


def poi(name: str) -> TreeNode:
    return TreeNode(type="POI", attributes={"name": name})


@pytest.fixture
async def trip(database: Database, group: str) -> TreeMemory:
    tree = Trees(database, HashEmbedder(), group).tree("trip")
    await tree.import_(TRIP, "xml")
    return tree


async def names(tree: TreeMemory, query: str = "//*[@name != '']", version: int | None = None) -> list[str]:
    return [found.attributes["name"] for found in (await tree.xpath(query, version=version)).matches]


async def written(tree: TreeMemory) -> int:
    rows = await tree._db.run_compiled(
        "MATCH (n {group: $group}) WHERE n:TreeNode OR n:Version RETURN count(*) AS n", {"group": tree._group}
    )
    return int(rows[0]["n"])


@pytest.mark.parametrize("format_name", ["xml", "json", "yaml"])
async def test_a_document_goes_out_as_it_came_in(database: Database, group: str, format_name: str) -> None:
    documents = {
        "xml": TRIP,
        "json": json.dumps({"Trip": {"a": 1, "Day": [{"n": None, "Stop": {"x": [1, "b"]}}, {"n": 2.5}], "z": ""}}),
        "yaml": "Trip:\n  Day:\n  - on: 2026-05-01\n    tags: [a, b]\n  - on: 2026-05-02\n  title: x\n",
    }
    tree = Trees(database, HashEmbedder(), group).tree("t")
    done = await tree.import_(documents[format_name], format_name)
    text, notes = await tree.export(format_name)
    assert (done.notes, notes) == ((), ())
    again = Trees(database, HashEmbedder(), group).tree("again")
    await again.import_(text, format_name)
    assert (await again.export(format_name))[0] == text
    if format_name == "json":
        assert json.loads(text) == json.loads(documents["json"])


async def test_import_refuses_the_reserved_type_and_takes_another_name(database: Database, group: str) -> None:
    tree = Trees(database, HashEmbedder(), group).tree("t")
    with pytest.raises(ReaderError, match="rename"):
        await tree.import_("<Software><Version/></Software>", "xml")
    await tree.import_("<Software><Version/></Software>", "xml", rename={"Version": "Release"})
    assert [found.type for found in (await tree.xpath("//*")).matches] == ["Release"]


async def test_import_under_a_name_that_is_taken_leaves_nothing(trip: TreeMemory) -> None:
    before = await written(trip)
    with pytest.raises(ConflictError, match="already"):
        await trip.import_(TRIP, "xml")
    assert await written(trip) == before


async def test_an_edit_writes_the_way_to_the_change_and_no_more(trip: TreeMemory) -> None:
    before = await written(trip)
    version = await trip.edit([UpdateNodes(query="/Day[2]/POI", attributes={"name": "Garden"})], request="a garden")
    assert await written(trip) - before == 4  # the POI, its day, the root, the version
    assert (version.number, version.parent, version.request) == (2, 1, "a garden")
    assert version.summary == "set name of /Day[2]/POI[1]"
    assert await names(trip) == ["Museum", "Ramen", "Sushi", "Garden"]
    assert await names(trip, version=1) == ["Museum", "Ramen", "Sushi", "Park"]


async def test_inserts_count_all_children_and_renumber(trip: TreeMemory) -> None:
    await trip.edit(
        [
            InsertNode(parent="/Day[1]", node=poi("First"), position=1),
            InsertNode(parent="/Day[1]", node=poi("Third"), position=3),
            InsertNode(parent="/Day[1]", node=poi("Last")),
            InsertNode(parent="/Day[1]", node=poi("Before last"), position=-2),
        ]
    )
    everyone = ["First", "Museum", "Ramen", "Third", "Before last", "Sushi", "Last"]
    assert await names(trip, "/Day[1]/*") == everyone
    found = (await trip.xpath("/Day[1]/*")).matches
    assert [match.path for match in found][:2] == ["/Version[2]/Day[1]/POI[1]", "/Version[2]/Day[1]/POI[2]"]
    for match in found:
        assert [one.uuid for one in (await trip.xpath(match.path)).matches] == [match.uuid]


async def test_two_deletes_of_one_parent_remove_exactly_those(trip: TreeMemory) -> None:
    await trip.edit([DeleteNodes(query="//Restaurant[1]"), DeleteNodes(query="//Restaurant[2]")])
    assert await names(trip) == ["Museum", "Park"]


async def test_a_move_shares_the_moved_subtree(trip: TreeMemory) -> None:
    museum = (await trip.xpath("//POI[@name = 'Museum']")).matches[0].uuid
    await trip.edit([MoveNodes(query="//POI[@name = 'Museum']", parent="/Day[2]", position=1)])
    found = (await trip.xpath("/Day[2]/POI")).matches
    assert [(match.uuid == museum, match.attributes["name"]) for match in found] == [(True, "Museum"), (False, "Park")]
    diff = await trip.diff(1, 2)
    assert [(change.kind, change.before, change.path) for change in diff.changes] == [
        ("moved", "/Day[1]/POI[1]", "/Day[2]/POI[1]")
    ]


async def test_a_move_within_its_parent(trip: TreeMemory) -> None:
    await trip.edit([MoveNodes(query="/Day[1]/Restaurant[2]", parent="/Day[1]", position=1)])
    assert await names(trip, "/Day[1]/*") == ["Sushi", "Museum", "Ramen"]
    assert [change.kind for change in (await trip.diff(1, 2)).changes] == ["moved"]


async def test_several_edits_are_one_version_against_the_same_base(trip: TreeMemory) -> None:
    version = await trip.edit(
        [
            DeleteNodes(query="/Day[1]/POI[1]"),
            ReplaceNodes(query="/Day[1]/Restaurant[1]", node=TreeNode(type="Bar", attributes={"name": "Tapas"})),
            MoveNodes(query="/Day[1]/Restaurant[2]", parent="/Day[2]"),
            UpdateNodes(query="/Day[1]", attributes={"date": None, "mood": "slow"}),
        ]
    )
    assert version.number == 2
    assert await names(trip) == ["Tapas", "Park", "Sushi"]
    assert (await trip.xpath("/Day[1]")).matches[0].attributes == {"mood": "slow"}
    changes = {(change.kind, change.path) for change in (await trip.diff(1, 2)).changes}
    assert changes == {
        ("changed", "/Day[1]"),
        ("added", "/Day[1]/Bar[1]"),
        ("moved", "/Day[2]/Restaurant[1]"),
        ("removed", "/Day[1]/POI[1]"),
        ("removed", "/Day[1]/Restaurant[1]"),
    }


async def test_what_lies_in_a_deleted_subtree_goes_with_it_but_what_moves_out_stays(trip: TreeMemory) -> None:
    await trip.edit(
        [
            DeleteNodes(query="/Day[1]"),
            UpdateNodes(query="/Day[1]/POI", attributes={"name": "lost"}),
            MoveNodes(query="/Day[1]/Restaurant[1]", parent="/Day[2]"),
        ]
    )
    assert await names(trip) == ["Park", "Ramen"]
    info = [tree for tree in await trip._trees.list() if tree.name == "trip"][0]
    assert info.nodes == 4


async def test_edits_that_do_not_fit_change_nothing(trip: TreeMemory) -> None:
    before = await written(trip)
    for edit, kind, words in [
        (DeleteNodes(query="/Itinerary"), ArgumentError, "root cannot be deleted"),
        (MoveNodes(query="/Day[1]", parent="/Day[1]"), ArgumentError, "under itself"),
        (InsertNode(parent="/Day[1]", node=poi("x"), position=9), ArgumentError, "position from 1 to 4"),
        (DeleteNodes(query="/Day[7]"), NotFoundError, "finds nothing"),
        (MoveNodes(query="/Day[1]/POI", parent="/Day"), ArgumentError, "one parent"),
        (DeleteNodes(query="/Version[1]"), ArgumentError, "is a version"),
        (DeleteNodes(query="//Hotel"), QuerySchemaError, "unknown type"),
        (ReplaceNodes(query="/Itinerary", node=poi("x")), ArgumentError, "root stays"),
    ]:
        with pytest.raises(kind, match=words):
            await trip.edit([edit])
    with pytest.raises(ArgumentError, match="twice"):
        await trip.edit([DeleteNodes(query="//POI[1]"), DeleteNodes(query="//POI[1]")])
    with pytest.raises(ArgumentError, match="at least one"):
        await trip.edit([])
    assert await written(trip) == before


async def test_of_two_writers_one_is_refused_with_both_numbers(trip: TreeMemory) -> None:
    edits = [[UpdateNodes(query="/Day[1]", attributes={"by": who})] for who in "ab"]
    outcomes = await asyncio.gather(*(trip.edit(edit, base=1) for edit in edits), return_exceptions=True)
    refused = [outcome for outcome in outcomes if isinstance(outcome, ConflictError)]
    assert len(refused) == 1
    assert "version 1" in str(refused[0])
    assert "version 2" in str(refused[0])
    assert [version.number for version in await trip.log()] == [1, 2]


async def test_revert_checkout_and_log(trip: TreeMemory) -> None:
    await trip.edit([DeleteNodes(query="/Day[2]")])
    before = await written(trip)
    version = await trip.revert(1, request="as it was")
    assert await written(trip) - before == 1
    assert (version.number, version.parent) == (3, 1)
    assert (await trip.diff(1, 3)).changes == ()
    assert await trip.checkout(2) == 3
    assert await names(trip, "//POI") == ["Museum"]
    branch = await trip.edit([UpdateNodes(query="/Itinerary", attributes={"city": "Porto"})])
    assert (branch.number, branch.parent) == (4, 2)
    log = await trip.log()
    assert [(one.number, one.parent, one.active) for one in log] == [
        (1, None, False),
        (2, 1, False),
        (3, 1, False),
        (4, 2, True),
    ]


async def test_numbers_are_never_used_twice_and_the_last_version_stays(trip: TreeMemory) -> None:
    await trip.edit([DeleteNodes(query="/Day[2]")])
    await trip.delete_version(2)
    assert [(one.number, one.active) for one in await trip.log()] == [(1, True)]
    with pytest.raises(ConflictError, match="only one"):
        await trip.delete_version(1)
    version = await trip.edit([DeleteNodes(query="/Day[1]")])
    assert (version.number, version.parent) == (3, 1)
    assert [match.path for match in (await trip.xpath("/Version/Day")).matches] == [
        "/Version[1]/Day[1]",
        "/Version[1]/Day[2]",
        "/Version[2]/Day[1]",
    ]


async def test_deleting_a_version_leaves_what_others_share(trip: TreeMemory) -> None:
    await trip.edit([UpdateNodes(query="/Day[2]/POI", attributes={"name": "Garden"})])
    before = await written(trip)
    await trip.delete_version(1)
    assert before - await written(trip) == 4
    assert await names(trip) == ["Museum", "Ramen", "Sushi", "Garden"]


async def test_deleting_the_tree_leaves_nothing(trip: TreeMemory) -> None:
    await trip.edit([DeleteNodes(query="/Day[2]")])
    await trip.delete()
    assert await written(trip) == 0
    with pytest.raises(NotFoundError, match="no tree named"):
        await trip.xpath("//POI")


async def test_semantic_edits_mean_the_best_node_only(trip: TreeMemory) -> None:
    await trip.edit([DeleteNodes(query="//Restaurant[node ~= 'Restaurant. name: Sushi']")])
    assert await names(trip) == ["Museum", "Ramen", "Park"]


async def test_each_type_is_a_label_and_none_of_mnemos_own(database: Database, group: str) -> None:
    tree = Trees(database, HashEmbedder(), group).tree("t")
    await tree.import_('<Show><Episode n="1"/><Tree/><Day/></Show>', "xml")
    rows = await database.run_compiled(
        "MATCH (n:TreeNode {group: $group}) RETURN n.type AS type, [l IN labels(n) WHERE l <> 'TreeNode'] AS labels",
        {"group": group},
    )
    assert {row["type"]: row["labels"] for row in rows} == {
        "Show": ["Show"],
        "Episode": ["Episode_"],
        "Tree": ["Tree_"],
        "Day": ["Day"],
    }
    assert len((await tree.xpath("/Episode[@n = 1]")).matches) == 1


async def test_a_query_takes_one_round_trip_and_one_more_for_subtrees(trip: TreeMemory) -> None:
    await trip.xpath("/Day")
    result = await trip.xpath("/Day[avg(/POI[node ~= 'art'])]", options=Options(top_k=1))
    assert (result.round_trips, result.version, result.semantic) == (1, 1, True)
    whole = await trip.subtrees(result)
    assert whole.round_trips == 2
    assert [node.type for node in whole.matches[0].subtree.walk()][0] == "Day"


async def test_attributes_match_by_their_own_text(trip: TreeMemory) -> None:
    result = await trip.xpath("//*[name ~= 'Sushi']")
    assert [match.attributes.get("name") for match in result.matches][0] == "Sushi"
    assert result.matches[0].score == pytest.approx(1.0, abs=1e-6)
    assert [match.score for match in result.matches if "name" not in match.attributes] == [0.0, 0.0]


async def test_other_groups_see_nothing(database: Database, group: str, trip: TreeMemory) -> None:
    other = Trees(database, HashEmbedder(), group + "x").tree("trip")
    with pytest.raises(NotFoundError):
        await other.xpath("//POI")
    assert await Trees(database, HashEmbedder(), group + "x").list() == []


async def test_hostile_names_are_data(database: Database, group: str) -> None:
    tree = Trees(database, HashEmbedder(), group).tree("t'}) DETACH DELETE n //")
    weird = "a` {x: 1}) DETACH DELETE n //"
    await tree.import_(json.dumps({"Root": {"B": [{weird: "x\"'", "uuid": "u", "@k": 1}]}}), "json")
    assert (
        len((await tree.xpath(f"//B[@`{weird.replace('`', '``')}` contains \"x\"][@uuid = 'u'][@`@k` = 1]")).matches)
        == 1
    )
    assert json.loads((await tree.export("json"))[0]) == {"Root": {"B": [{weird: "x\"'", "uuid": "u", "@k": 1}]}}


async def test_explain_shows_statement_choice_and_plan(trip: TreeMemory) -> None:
    explained = await trip.explain("//POI[node ~= 'art']")
    assert "$p0" in explained.statement
    assert "art" not in explained.statement
    assert "each is scored exactly" in explained.choice
    assert "Operator" in explained.plan
