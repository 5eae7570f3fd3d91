"""Edited documents replace their old passages."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mnemo.memory.files.document_versions import DocumentVersion
from mnemo.models.graph import Episode, Message
from mnemo.models.results import Forgotten, Page
from support.builders import episode


class InMemoryStore:
    """A store of episodes with two episodes per page."""

    def __init__(self, episodes: Sequence[Episode]) -> None:
        self.episodes = list(episodes)
        self.forgotten: list[str] = []

    async def list(
        self, kind: str, *, group: str | None, session: str | None, cursor: str | None, limit: int
    ) -> Page[Episode]:
        assert (kind, group, limit) == ("episodes", "g", 1_000)
        found = [each for each in self.episodes if each.session == session]
        start = int(cursor or 0)
        more = len(found) > start + 2
        return Page(items=tuple(found[start : start + 2]), total=len(found), cursor=str(start + 2) if more else None)

    async def forget(self, uuid: Sequence[str], *, group: str | None) -> Forgotten:
        assert group == "g"
        self.forgotten.extend(uuid)
        return Forgotten(episodes=len(uuid))


def passage(uuid: str, content: str, *, file: str | None = None) -> Episode:
    mark = next(DocumentVersion(file).marked(parts(content))).metadata if file else {}
    return replace(episode(content), uuid=uuid, session="notes", role="document", metadata=mark)


def parts(*contents: str) -> Iterator[Message]:
    return (Message(content=content, role="document", session="notes") for content in contents)


async def replaced(path: str, contents: Sequence[str], stored: Sequence[str], store: InMemoryStore) -> list[str]:
    version = DocumentVersion(path)
    version.note(list(version.marked(parts(*contents))), stored)
    assert await version.forget_replaced(store, "g") == len(store.forgotten)
    return store.forgotten


async def test_removed_passages_of_the_same_file_are_deleted() -> None:
    old = [passage(uuid, text, file="/a/notes.txt") for uuid, text in (("1", "Leeks."), ("2", "Oats."), ("3", "Figs."))]
    store = InMemoryStore([*old, passage("4", "Plums.", file="/a/notes.txt")])
    assert await replaced("/a/notes.txt", ["Leeks.", "Plums."], ["1", "4"], store) == ["2", "3"]


async def test_passages_of_another_file_with_the_name_are_kept() -> None:
    store = InMemoryStore([passage("1", "Leeks grow in Bonn.", file="/b/notes.txt")])
    assert await replaced("/a/notes.txt", ["Boats lie in Faro."], ["2"], store) == []


async def test_passage_contained_in_the_new_text_is_deleted_for_any_file() -> None:
    store = InMemoryStore([passage("1", "Boats  lie\nin Faro.")])
    assert await replaced("/a/notes.txt", ["Boats lie in Faro. Ships too."], ["2"], store) == ["1"]


async def test_messages_of_a_conversation_are_never_replaced() -> None:
    version = DocumentVersion("/a/chat.txt")
    spoken = [Message(content="Hello.", session="notes")]
    assert list(version.marked(iter(spoken))) == spoken
    version.note(spoken, ["1"])
    store = InMemoryStore([passage("2", "Hello.")])
    assert await version.forget_replaced(store, "g") == 0
