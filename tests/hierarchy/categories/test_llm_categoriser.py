"""The LLM categoriser, over HTTP."""

import json
import re
from collections.abc import AsyncIterator, Sequence

import pytest

from mnemo.errors import MalformedReplyError
from mnemo.hierarchy.categories.categoriser import Item
from mnemo.hierarchy.categories.layers import NoReplyCache
from mnemo.hierarchy.categories.llm_categoriser import LlmCategoriser
from mnemo.providers.base import Llm
from mnemo.providers.factory import build_llm
from support.embedders import HashEmbedder, vector
from support.llm_server import LlmServer, Reply, Request


@pytest.fixture
async def client(llm: LlmServer) -> AsyncIterator[Llm]:
    made = build_llm(llm.settings())
    assert made is not None
    yield made
    await made.close()


class MemoryReplyCache(NoReplyCache):
    """A reply cache in memory."""

    def __init__(self) -> None:
        self.replies: dict[str, str] = {}

    def get(self, key: str) -> str | None:
        return self.replies.get(key)

    async def put(self, key: str, reply: str) -> None:
        self.replies[key] = reply


def items(*names: str) -> list[Item]:
    return [Item(uuid=name, name=name, tags=("thing",), vector=vector(name)) for name in names]


def category(name: str, *members: int, tags: Sequence[str] = ()) -> dict[str, object]:
    return {"name": name, "tags": list(tags), "members": list(members)}


def reply(*categories: dict[str, object]) -> Reply:
    return Reply.json({"categories": list(categories)})


def numbers(request: Request) -> dict[str, int]:
    """Return the number of each name in a prompt."""
    return {name: int(number) for number, name in re.findall(r"\[(\d+)\] (\S+) \(thing\)", request.user)}


async def test_names_and_tags_are_shown_and_members_come_back_by_number(llm: LlmServer, client: Llm) -> None:
    def answer(request: Request) -> Reply:
        by_name = numbers(request)
        return reply(category("Pets", by_name["Rex"], by_name["Tom"], tags=["Animals", "a tag of many words"]))

    llm.handle(answer)
    made = await LlmCategoriser(client, HashEmbedder()).categorise(items("Rex", "pots", "Tom"), 1, NoReplyCache())
    assert [(each.name, each.tags, each.members) for each in made.categories] == [("Pets", ("animals",), (0, 2))]
    assert (llm.chats, made.usage.calls) == (1, 1)


async def test_name_that_joins_two_ideas_is_asked_again_once(llm: LlmServer, client: Llm) -> None:
    llm.script(
        reply(category("Food and Drinks", 1, 2), category("Pets", 3, 4)),
        reply(category("Food", 1, 2), category("Pets", 3, 4)),
    )
    made = await LlmCategoriser(client, HashEmbedder()).categorise(items("tea", "ham", "cat", "dog"), 1, NoReplyCache())
    assert [each.name for each in made.categories] == ["Food", "Pets"]
    assert (llm.chats, made.refused, made.usage.calls) == (2, 0, 2)
    assert "Food and Drinks" in llm.requests[1].user


async def test_name_that_still_joins_two_ideas_is_dropped_and_counted(llm: LlmServer, client: Llm) -> None:
    llm.script(
        reply(category("Food & Drinks", 1, 2), category("Pets", 3, 4)),
        reply(category("Food, Drinks", 1, 2), category("Pets", 3, 4)),
    )
    made = await LlmCategoriser(client, HashEmbedder()).categorise(items("tea", "ham", "cat", "dog"), 1, NoReplyCache())
    assert [each.name for each in made.categories] == ["Pets"]
    assert (llm.chats, made.refused) == (2, 1)


async def test_index_out_of_range_is_ignored_and_counted(llm: LlmServer, client: Llm) -> None:
    llm.script(reply(category("Pets", 0, 1, 2, 3, 99)))
    made = await LlmCategoriser(client, HashEmbedder()).categorise(items("cat", "dog"), 1, NoReplyCache())
    assert [each.members for each in made.categories] == [(0, 1)]
    assert made.ignored == 3


async def test_category_named_user_is_dropped(llm: LlmServer, client: Llm) -> None:
    llm.script(reply(category("User", 1, 2), category("Pets", 1, 2)))
    made = await LlmCategoriser(client, HashEmbedder()).categorise(items("cat", "dog"), 1, NoReplyCache())
    assert [each.name for each in made.categories] == ["Pets"]


async def test_batches_are_merged_by_name_and_later_ones_know_earlier_categories(llm: LlmServer, client: Llm) -> None:
    llm.handle(lambda request: reply(category("Things", *numbers(request).values())))
    names = [f"n{place}" for place in range(20)]
    made = await LlmCategoriser(client, HashEmbedder(), batch=4).categorise(items(*names), 1, NoReplyCache())
    assert [(each.name, each.members) for each in made.categories] == [("Things", tuple(range(20)))]
    assert llm.chats == 5
    assert ["Known categories: Things" in request.user for request in llm.requests] == [False] * 4 + [True]


async def test_names_of_one_meaning_are_merged(llm: LlmServer, client: Llm) -> None:
    class Alike(HashEmbedder):
        async def passages(self, texts: Sequence[str]) -> object:  # type: ignore[override]  # an array
            return await super().passages(["pets" if "et" in text else text for text in texts])

    llm.script(reply(category("Pets", 1, 2), category("Petted animals", 3, 4), category("Jobs", 5, 6)))
    made = await LlmCategoriser(client, Alike()).categorise(items(*"abcdef"), 1, NoReplyCache())
    assert [(each.name, len(each.members)) for each in made.categories] == [("Pets", 4), ("Jobs", 2)]


async def test_resumed_build_repeats_no_llm_calls(llm: LlmServer, client: Llm) -> None:
    cache, names = MemoryReplyCache(), items(*(f"n{place}" for place in range(8)))
    llm.script(reply(category("One", 1, 2)), Reply.text("no JSON"), Reply.text("nor here"))
    with pytest.raises(MalformedReplyError):
        await LlmCategoriser(client, HashEmbedder(), batch=4).categorise(names, 1, cache)
    assert len(cache.replies) == 1
    llm.reset()
    llm.handle(lambda _: reply(category("Two", 3, 4)))
    made = await LlmCategoriser(client, HashEmbedder(), batch=4).categorise(names, 1, cache)
    assert (llm.chats, made.usage.calls) == (1, 1)
    assert sorted(each.name for each in made.categories) == ["One", "Two"]
    assert json.loads(next(iter(cache.replies.values())))["categories"][0]["name"] == "One"
