"""Importing files of any format on the command line: stored messages, skipped files and the report."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Cli
from support.reader_cases import CASES, write


def episodes(cli: Cli) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = cli.json("list", "--limit", "200")["items"]
    return items


def facts(cli: Cli) -> list[str]:
    return [item["fact"] for item in cli.json("list", "edges", "--limit", "200")["items"]]


def test_other_conversations_are_stored_when_one_is_bad(cli: Cli) -> None:
    shown = cli.run("ingest", str(CASES / "assistants/chatgpt.json"), code=1).stdout
    assert "read 1 file, left out 1:" in shown
    assert "is no ChatGPT conversation ('Broken')" in shown
    assert sorted(item["source_id"] for item in episodes(cli)) == ["m1", "m2", "m3"]
    assert cli.json("list", "--status", "pending")["total"] == 0


def test_readable_files_of_a_folder_are_stored_and_others_named(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, "a.json", [{"sku": 1, "price": 2}])
    write(tmp_path, "b.txt", "José owns a kiln in Córdoba.".encode("latin-1"))
    write(tmp_path, "c.md", "---\ndate:\n---\nRosa lives in Faro.")
    write(tmp_path, "d.json", '{"messages": [')
    write(tmp_path, "photo.jpg", b"\xff\xd8")
    shown = cli.run("ingest", str(tmp_path), code=1).stdout
    assert "read 2 files, left out 2:" in shown
    assert "a.json: looks like a list of records with the keys sku, price" in shown
    assert "b.txt: not UTF-8; read as Windows-1252" in shown
    assert {item["content"] for item in episodes(cli)} == {"José owns a kiln in Córdoba.", "Rosa lives in Faro."}
    assert cli.json("list", "--status", "pending")["total"] == 0


def test_the_report_is_part_of_the_json(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, "a.json", [{"sku": 1}])
    write(tmp_path, "b.txt", "Rosa lives in Faro.")
    done = json.loads(cli.run("ingest", str(tmp_path), "--json", code=1).stdout)
    assert [each["file"] for each in done["report"]["left_out"]] == ["a.json"]
    assert [(each["file"], each["format"], each["messages"]) for each in done["report"]["files"]] == [
        ("b.txt", "text", 1)
    ]


def test_dry_run_shows_formats_speakers_dates_and_skipped_files(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, "chat.csv", "message,sender,date\nI moved,Ana,2024-03-09\nWhere?,Ben,2024-04-10\n")
    write(tmp_path, "bad.json", [{"sku": 1}])
    shown = cli.run("ingest", str(tmp_path), "--dry-run", code=1).stdout
    for part in ("chat.csv", "csv", "Ana, Ben", "2024-03-09", "2024-04-10", "left out 1:", "nothing was stored"):
        assert part in shown
    assert "does not exist" in cli.run("list", code=1).stderr


def test_columns_can_be_named_on_the_command_line(cli: Cli, tmp_path: Path) -> None:
    path = str(write(tmp_path, "a.csv", "Who,What,Then\nAna,I moved to Ghent,2024-03-09T18:21:10Z\n"))
    assert "--columns" in cli.run("ingest", path, code=1).stderr
    cli.run("ingest", path, "--columns", "content=What,speaker=Who,time=Then")
    [item] = episodes(cli)
    assert (item["speaker"], item["content"], item["occurred_at"]) == (
        "Ana",
        "I moved to Ghent",
        "2024-03-09T18:21:10Z",
    )
    assert "columns must be pairs" in cli.run("ingest", path, "--columns", "What", code=1).stderr


def test_longer_export_adds_only_the_new_messages(cli: Cli, tmp_path: Path) -> None:
    export = json.loads(CASES.joinpath("telegram/single.json").read_text(encoding="utf-8"))
    path = write(tmp_path, "result.json", export)
    assert cli.json("ingest", str(path))["new"] == 6
    last = {"id": 8, "type": "message", "date": "2024-03-11T09:00:00", "from": "Tomas", "text": "I bought a boat"}
    write(tmp_path, "result.json", export | {"messages": [*export["messages"], last]})
    done = cli.json("ingest", str(path))
    assert (done["new"], done["known"]) == (1, 6)


@pytest.mark.parametrize(
    "text", ["\u200eBild weggelassen", "<Médias omis>", "Lease.pdf (fichier joint)", "Eliminaste este mensaje."]
)
def test_system_lines_of_the_app_give_no_facts(cli: Cli, tmp_path: Path, text: str) -> None:
    write(tmp_path, "chat.txt", f"[13.03.24, 18:21:00] Jule: {text}\n[13.03.24, 18:22:00] Jule: I moved to Ghent\n")
    cli.run("ingest", str(tmp_path / "chat.txt"))
    assert facts(cli) == ["Jule moved to Ghent"]


def test_a_vault_becomes_notes_that_link_to_each_other(cli: Cli) -> None:
    cli.run("ingest", str(CASES / "vault"))
    found = facts(cli)
    for fact in ("Odile links to Kittiwake", "Odile links to Ghent", "Odile links to Rosa"):
        assert fact in found
    entities = {item["name"]: item for item in cli.json("list", "entities", "--limit", "200")["items"]}
    assert {"Odile", "Kittiwake", "Ghent", "Rosa"} <= entities.keys()
    assert {"sailing", "friends"} <= set(entities["Odile"]["tags"])
    assert "Odi" in entities["Odile"]["aliases"]
