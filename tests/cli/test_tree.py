import json
from pathlib import Path
from xml.etree.ElementTree import canonicalize

import pytest

from cli.conftest import Cli

PLAN = """<Plan><Day n="1"><Stop name="Dock museum" kind="museum"/><Stop name="Noodle bar" kind="food"/></Day>
<Day n="2"><Stop name="City park" kind="park"/></Day></Plan>"""


@pytest.fixture
def plan(cli: Cli, tmp_path: Path) -> str:
    path = tmp_path / "plan.xml"
    path.write_text(PLAN, encoding="utf-8")
    cli.run("tree", "import", str(path))
    return "plan"


def names(found: dict[str, object]) -> list[str]:
    return [match["attributes"]["name"] for match in found["matches"]]  # type: ignore[index,attr-defined]  # JSON


def test_document_round_trips(cli: Cli, plan: str, tmp_path: Path) -> None:
    out = tmp_path / "again.xml"
    cli.run("tree", "export", plan, "--out", str(out))
    assert canonicalize(out.read_text(encoding="utf-8"), strip_text=True) == canonicalize(PLAN, strip_text=True)
    cli.run("tree", "import", str(out), "--name", "again")
    assert cli.json("tree", "export", "again")["text"] == out.read_text(encoding="utf-8")
    assert [tree["nodes"] for tree in cli.json("tree", "list")] == [6, 6]


def test_a_query_finds_nodes_with_paths_and_subtrees(cli: Cli, plan: str) -> None:
    found = cli.json("xpath", "/Day/Stop[1]", "--tree", plan)
    assert names(found) == ["Dock museum", "City park"]
    assert [match["path"] for match in found["matches"]] == ["/Version[1]/Day[1]/Stop[1]", "/Version[1]/Day[2]/Stop[1]"]
    day = cli.json("xpath", "/Day[2]", "--tree", plan, "--subtree")["matches"][0]
    assert day["subtree"]["children"][0]["attributes"]["name"] == "City park"
    assert "City park" in cli.run("xpath", "/Day[2]", "--tree", plan, "--subtree").stdout


def test_a_semantic_query_ranks(cli: Cli, plan: str) -> None:
    found = cli.json("xpath", '//Stop[node ~= "something to eat"]', "--tree", plan, "--top-k", "1")
    assert names(found) == ["Noodle bar"]
    explained = cli.json("xpath", '//Stop[node ~= "something to eat"]', "--tree", plan, "--explain")
    assert "CYPHER 25" in explained["statement"]
    assert "statement" in cli.run("xpath", '//Stop[node ~= "x"]', "--tree", plan, "--explain").stdout


def test_syntax_error_points_at_its_position(cli: Cli, plan: str) -> None:
    assert "\n/Day[0]\n     ^\n" in cli.run("xpath", "/Day[0]", "--tree", plan, code=1).stderr
    error = json.loads(cli.run("xpath", "/Dya", "--tree", plan, "--json", code=1).stderr)
    assert (error["error"], error["offset"]) == ("QuerySchemaError", 1)
    assert "Day" in error["message"]


def test_edit_in_plain_words_is_shown_before_it_is_made(cli: Cli, plan: str) -> None:
    words = "move the City park to day 1"
    rehearsal = cli.json("tree", "edit", plan, words, "--dry-run")
    assert rehearsal["version"] is None
    assert rehearsal["diff"]["changes"][0]["kind"] == "moved"
    assert len(cli.json("tree", "log", plan)) == 1
    assert "nothing was changed" in cli.run("tree", "edit", plan, words, "--dry-run").stdout
    assert cli.json("tree", "edit", plan, words)["version"]["number"] == 2
    assert names(cli.json("xpath", "/Day[1]/Stop", "--tree", plan)) == ["Dock museum", "Noodle bar", "City park"]
    assert cli.json("tree", "log", plan)[1]["request"] == words


def test_versions_can_be_compared_and_restored(cli: Cli, plan: str) -> None:
    cli.run("tree", "edit", plan, "move the City park to day 1")
    assert [change["kind"] for change in cli.json("tree", "diff", plan, "1", "2")["changes"]] == ["moved"]
    assert "moved Stop" in cli.run("tree", "diff", plan, "1", "2").stdout
    assert cli.json("tree", "revert", plan, "1")["number"] == 3
    assert "are equal" in cli.run("tree", "diff", plan, "1", "3").stdout
    assert cli.json("tree", "checkout", plan, "2") == {"active": 2, "before": 3}
    assert "2 *" in cli.run("tree", "log", plan).stdout
    assert "City park" in cli.run("tree", "show", plan, "--version", "1").stdout


def test_tree_question_shows_the_generated_query(cli: Cli, plan: str) -> None:
    shown = cli.run("ask", "--tree", plan, "stops on day 2").stdout
    assert "rules:" in shown
    assert "City park" in shown


def test_deleting_a_tree_requires_confirmation(cli: Cli, plan: str) -> None:
    assert "nothing was deleted" in cli.run("tree", "delete", plan, "--json", code=1).stderr
    assert cli.json("tree", "delete", plan, "--yes")["nodes"] >= 6
    assert cli.json("tree", "list") == []


def test_the_whole_memory_is_a_tree_too(cli: Cli) -> None:
    cli.run("ingest", "--sample")
    first = cli.json("xpath", "/Session[1]/Episode[1]")["matches"][0]
    assert first["attributes"]["content"].startswith("Right, who else is already breaking resolutions?")
    assert "ArgumentError" in cli.run("xpath", "/Session", "--version", "1", code=1).stderr


@pytest.mark.parametrize("sample", ["trip", "todo", "meals"])
def test_each_sample_is_imported_by_name(cli: Cli, sample: str) -> None:
    assert cli.json("tree", "import", "--sample", sample)["version"]["number"] == 1
    assert "ArgumentError" in cli.run("tree", "import", "--sample", "none", code=1).stderr


def test_missing_or_binary_file_is_a_clear_error(cli: Cli, tmp_path: Path) -> None:
    assert "nowhere.xml" in cli.run("tree", "import", str(tmp_path / "nowhere.xml"), code=1).stderr
    (tmp_path / "plan.xml").write_text(PLAN, encoding="utf-8")
    assert "ArgumentError" in cli.run("tree", "import", str(tmp_path / "plan.xml"), "--rename", "Day", code=1).stderr
