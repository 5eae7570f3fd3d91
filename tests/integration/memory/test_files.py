"""Files added through the SDK."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemo import ArgumentError, AsyncMemory, Memory, Progress, ReaderError
from mnemo.providers.local import LocalEmbedder
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.memories import settings_of


@pytest.fixture
async def memory(
    server_endpoint: Endpoint, database: Database, embedder: LocalEmbedder, group: str
) -> AsyncIterator[AsyncMemory]:
    assert database.version
    settings = settings_of(server_endpoint, memtree={"enabled": False})
    async with AsyncMemory(settings, group=group, embedder=embedder) as opened:
        yield opened


def chat(path: Path, *lines: tuple[str, str]) -> Path:
    records = [
        {"speaker": speaker, "content": content, "id": f"{path.stem}/{place}"}
        for place, (speaker, content) in enumerate(lines)
    ]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


async def test_chat_is_stored_processed_and_recognised_when_added_again(
    memory: AsyncMemory, tmp_path: Path, group: str
) -> None:
    file = chat(tmp_path / "chat.jsonl", ("Ana", "I moved to Lisbon."), ("Ben", "I work at Acme."))
    seen: list[Progress] = []
    added = await memory.add_file(file, on_progress=seen.append)
    assert (added.groups, added.conversations, added.messages) == ((group,), 1, 2)
    assert (added.new, added.known, added.replaced) == (2, 0, 0)
    assert added.processed is not None
    assert added.processed.done == 2
    assert added.rate > 0
    assert {each.stage for each in seen} == {"store", "process"}
    assert [entry.messages for entry in added.report.files] == [2]
    again = await memory.add_file(file)
    assert (again.new, again.known) == (0, 2)
    assert [item.occurred_at for item in (await memory.list()).items] == [None, None]


async def test_edited_document_replaces_its_old_passages(memory: AsyncMemory, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Leeks grow in Bonn.", encoding="utf-8")
    await memory.add_file(file, when="later")
    file.write_text("Oats grow in Faro.", encoding="utf-8")
    added = await memory.add_file(file, when="later")
    assert (added.new, added.replaced, added.processed) == (1, 1, None)
    assert [item.content for item in (await memory.list("episodes")).items] == ["Oats grow in Faro."]


async def test_folder_reports_skipped_files(memory: AsyncMemory, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Leeks grow in Bonn.", encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    added = await memory.add_file(tmp_path, when="later")
    assert added.new == 1
    assert [entry.file for entry in added.report.left_out] == ["broken.json"]


async def test_messages_are_stored_in_the_given_session(memory: AsyncMemory, tmp_path: Path) -> None:
    file = chat(tmp_path / "chat.jsonl", ("Ana", "I moved to Lisbon."))
    await memory.add_file(file, session="trip", when="later")
    (tmp_path / "more").mkdir()
    chat(tmp_path / "more" / "other.jsonl", ("Ben", "I work at Acme."))
    await memory.add_file(tmp_path / "more", session="work", when="later")
    assert [item.session for item in (await memory.list("episodes")).items] == ["trip", "work/other"]


async def test_unreadable_file_is_rejected(memory: AsyncMemory, tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match=r"nowhere\.txt"):
        await memory.add_file(tmp_path / "nowhere.txt")
    file = chat(tmp_path / "chat.jsonl", ("Ana", "I moved to Lisbon."))
    with pytest.raises(ArgumentError, match="format must be"):
        await memory.add_file(file, format="papyrus")
    with pytest.raises(ArgumentError, match="zone"):
        await memory.add_file(file, zone="Mars/Olympus")
    assert (await memory.status()).pending == 0


async def test_separate_conversations_become_subgroups(memory: AsyncMemory, tmp_path: Path, group: str) -> None:
    session = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": [{"speaker": "Ana", "dia_id": "D1:1"}]}
    session["session_1"][0]["text"] = "I planted leeks."  # type: ignore[index]  # a list of dicts
    sample = {"sample_id": "one", "qa": [], "conversation": {"speaker_a": "Ana", "speaker_b": "Ben", **session}}
    file = tmp_path / "two.json"
    file.write_text(json.dumps([sample]), encoding="utf-8")
    added = await memory.add_file(file, group=group, when="later")
    assert added.groups == (f"{group}/one",)


async def test_the_synchronous_memory_adds_files_too(
    memory: AsyncMemory, server_endpoint: Endpoint, group: str, tmp_path: Path
) -> None:
    assert (await memory.status()).done == 0
    file = chat(tmp_path / "chat.jsonl", ("Ana", "I moved to Lisbon."))
    with Memory(settings_of(server_endpoint), group=group) as waiting:
        assert waiting.add_file(file, when="later").new == 1
