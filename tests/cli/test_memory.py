import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest

from cli.conftest import Cli
from mnemo.cli.inputs import when
from mnemo.errors import ArgumentError

HEAVY = {
    *("graphiti_core", "httpx", "jgo", "matplotlib", "neo4j", "numpy", "onnxruntime", "openai", "requests", "rich"),
    *("scipy", "spacy", "tokenizers", "uvicorn"),
}
"""Packages that take over 50 ms to import."""
MOST_MODULES = 120
"""Modules of mnemo that a search may import: 110, and room for a few more."""

MOVE = {"content": "I live in Trieste.", "speaker": "Ines", "time": "2025-03-01T10:00:00Z", "id": "a"}
LATER = {"content": "I moved to Ghent last week!", "speaker": "Ines", "time": "2025-05-20T10:00:00Z", "id": "b"}


def test_adding_a_file_again_adds_only_new_messages(cli: Cli, chat: Callable[..., str]) -> None:
    first = cli.json("ingest", chat(MOVE))
    again = cli.json("ingest", chat(MOVE, LATER))
    assert (first["new"], first["known"], first["processed"]["done"]) == (1, 0, 1)
    assert (again["new"], again["known"], again["processed"]["done"]) == (1, 1, 1)
    assert cli.json("list")["total"] == 2


def test_search_finds_the_episode_and_the_current_fact(cli: Cli, chat: Callable[..., str]) -> None:
    cli.json("ingest", chat(MOVE, LATER))
    now = cli.json("search", "Where does Ines live?")
    then = cli.json("search", "Where does Ines live?", "--as-of", "2025-04-01")
    assert now["edges"][0]["item"]["fact"].startswith("Ines")
    assert "Ghent" in now["edges"][0]["item"]["fact"]
    assert then["edges"][0]["item"]["fact"] == "Ines lives in Trieste"
    assert {found["item"]["source_id"] for found in then["episodes"]} == {"a"}


def test_search_imports_only_what_it_needs(cli: Cli, chat: Callable[..., str]) -> None:
    cli.run("ingest", chat(MOVE))
    code = (
        "import json, sys; from mnemo.cli import main\n"
        "try: main()\nfinally: print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(  # noqa: S603  # the interpreter itself
        [sys.executable, "-c", code, "search", "Where does Ines live?"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **cli.env},
    )
    assert "Trieste" in done.stdout
    modules = json.loads(done.stderr)
    heavy = {name.partition(".")[0] for name in modules} & HEAVY
    assert heavy == {"neo4j", "numpy", "onnxruntime", "rich", "tokenizers"}
    own = [name for name in modules if name.startswith("mnemo.")]
    unneeded = ("mnemo.hierarchy", "mnemo.ingestion.local", "mnemo.ingestion.readers", "mnemo.ingestion.pipeline")
    assert [
        name for name in own if name.startswith((*unneeded, "mnemo.semxpath.trees", "mnemo.providers.openai"))
    ] == []
    assert len(own) < MOST_MODULES


def test_ask_without_an_llm_labels_facts_and_quotes(cli: Cli, chat: Callable[..., str]) -> None:
    cli.run("ingest", chat(MOVE))
    shown = cli.run("ask", "Where does Ines live?").stdout
    assert "no LLM is configured" in shown
    assert "I live in Trieste." in shown


def test_context_is_text_for_an_llm_within_the_budget(cli: Cli, chat: Callable[..., str]) -> None:
    cli.run("ingest", chat(MOVE))
    context = cli.json("search", "Where does Ines live?", "--context", "--budget", "60")
    assert context["budget"] == 60
    assert context["tokens"] <= 60
    assert "Trieste" in context["text"]


def test_pages_can_be_followed_to_the_end(cli: Cli, chat: Callable[..., str]) -> None:
    cli.run("ingest", chat(*({"content": f"Note number {n}.", "id": str(n)} for n in range(5))))
    seen, cursor = [], None
    while True:
        page = cli.json("list", "--limit", "2", *(["--cursor", cursor] if cursor else []))
        assert page["total"] == 5
        seen += [item["source_id"] for item in page["items"]]
        cursor = page["cursor"]
        if cursor is None:
            break
    assert sorted(seen) == ["0", "1", "2", "3", "4"]


def test_show_accepts_a_uuid_prefix(cli: Cli, chat: Callable[..., str]) -> None:
    cli.run("ingest", chat(MOVE))
    uuid = cli.json("list")["items"][0]["uuid"]
    assert cli.json("show", uuid[:8])["content"] == "I live in Trieste."
    assert "I live in Trieste." in cli.run("show", uuid).stdout
    assert uuid[:8] in cli.run("list", COLUMNS="80").stdout
    assert "NotFoundError" in cli.run("show", "no-such-uuid", code=1).stderr
    assert "at least 4 characters" in cli.run("show", uuid[:3], code=1).stderr


def test_a_fact_is_shown_with_names_and_messages_and_an_entity_with_its_facts(
    cli: Cli, chat: Callable[..., str]
) -> None:
    cli.run("ingest", chat(MOVE))
    fact = next(item for item in cli.json("list", "edges")["items"] if item["relation"] == "lives_in")
    shown = cli.json("show", fact["uuid"])
    assert (shown["subject_name"], shown["object_name"]) == ("Ines", "Trieste")
    assert [source["quote"] for source in shown["sources"]] == ["I live in Trieste"]
    printed = cli.run("show", fact["uuid"][:8]).stdout
    assert "Trieste" in printed
    assert "I live in Trieste" in printed
    entity = cli.json("show", fact["object"])
    assert entity["name"] == "Trieste"
    assert fact["uuid"] in {edge["uuid"] for edge in entity["facts"]}
    assert cli.json("list", "edges", "--entity", fact["object"][:8])["total"] == entity["total_facts"]


def test_add_stores_a_message_with_the_current_time(cli: Cli) -> None:
    before = datetime.now(UTC)
    done = cli.json("add", "I live in Trieste.", "--speaker", "Ines")
    assert (done["new"], done["processed"]["done"]) == (1, 1)
    item = cli.json("list")["items"][0]
    assert item["speaker"] == "Ines"
    assert before <= datetime.fromisoformat(item["occurred_at"]) <= datetime.now(UTC)
    assert "remembered" in cli.run("add", "-", stdin="I have a dog called Momo.").stdout


def test_groups_are_listed_and_unknown_group_is_an_error(cli: Cli, chat: Callable[..., str]) -> None:
    cli.run("ingest", chat(MOVE))
    assert {"name": cli.group, "episodes": 1}.items() <= next(
        each for each in cli.json("groups") if each["name"] == cli.group
    ).items()
    for command in (["search", "x"], ["ask", "x"], ["list"], ["list", "edges"]):
        error = cli.run(*command, "--group", f"{cli.group}-other", code=1).stderr
        assert f"'{cli.group}-other' does not exist" in " ".join(error.split())


def test_forget_deletes_an_episode_and_facts_only_it_supports(cli: Cli, chat: Callable[..., str]) -> None:
    cli.run("ingest", chat(MOVE, {"content": "Bruno sold his bicycle.", "speaker": "Bruno", "id": "c"}))
    uuid = next(item["uuid"] for item in cli.json("list")["items"] if item["source_id"] == "a")
    assert cli.json("forget", uuid)["episodes"] == 1
    assert "Trieste" not in cli.run("search", "Trieste").stdout
    assert cli.json("list")["total"] == 1


def test_forgetting_a_group_requires_confirmation(cli: Cli, chat: Callable[..., str]) -> None:
    cli.run("ingest", chat(MOVE))
    assert "ArgumentError" in cli.run("forget", code=1).stderr
    assert "nothing was deleted" in cli.run("forget", "--all", "--json", code=1).stderr
    assert cli.json("list")["total"] == 1
    assert cli.json("forget", "--all", "--yes")["episodes"] == 1
    assert "does not exist" in cli.run("list", code=1).stderr


def test_retry_with_nothing_to_do_succeeds(cli: Cli) -> None:
    assert cli.json("retry")["done"] == 0


@pytest.mark.parametrize("group", ["", " ", "a\nb"])
def test_invalid_group_is_rejected_with_the_reason(cli: Cli, group: str) -> None:
    assert "GroupError" in cli.run("list", "--group", group, code=1).stderr


def test_errors_are_json_with_the_json_option(cli: Cli) -> None:
    error = cli.run("search", "  ", "--json", code=1).stderr
    assert '"error": "ArgumentError"' in error


def test_time_keeps_its_zone_and_defaults_to_utc() -> None:
    assert when(None, "--as-of") is None
    assert when("2025-03-01", "--as-of") == datetime(2025, 3, 1, tzinfo=UTC)
    assert when("2025-03-01T18:00+01:00", "--as-of") == datetime(2025, 3, 1, 18, tzinfo=timezone(timedelta(hours=1)))
    with pytest.raises(ArgumentError, match="yesterday"):
        when("yesterday", "--as-of")
