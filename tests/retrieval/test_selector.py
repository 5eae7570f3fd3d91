"""Selectors: an LLM over HTTP, or embeddings."""

from collections.abc import AsyncIterator

import pytest

from mnemo.providers.base import Llm
from mnemo.providers.factory import build_llm
from mnemo.retrieval.selector import EmbeddingSelector, LlmSelector, Selection
from mnemo.store.system2 import Option
from support.llm_server import LlmServer, Reply, Request

PETS = Option(uuid="u-pets", name="Pets", tags=("animals",), layer=1, leaves=3, cosine=0.9)
JOBS = Option(uuid="u-jobs", name="Jobs", layer=1, leaves=2, cosine=0.5)
SPEAKERS = Option(uuid="u-speaker", name="Speaker", layer=1, leaves=2, cosine=0.4)
REX = Option(uuid="u-rex", name="Rex", cosine=0.8)


@pytest.fixture
async def client(llm: LlmServer) -> AsyncIterator[Llm]:
    made = build_llm(llm.settings())
    assert made is not None
    yield made
    await made.close()


def chosen(*picks: tuple[int, str, bool]) -> Reply:
    return Reply.json(
        {"selected": [{"number": number, "name": name, "get_all_children": whole} for number, name, whole in picks]}
    )


def shown(selection: Selection) -> list[tuple[str, bool]]:
    return [(choice.option.name, choice.whole) for choice in selection.choices]


async def test_names_and_tags_of_one_layer_are_offered_and_chosen(llm: LlmServer, client: Llm) -> None:
    llm.script(chosen((1, "Pets", True), (2, "Jobs", False)))
    selection = await LlmSelector(client).select("Which pets are there?", [PETS, JOBS], 9)
    assert shown(selection) == [("Pets", True), ("Jobs", False)]
    assert (selection.by, selection.usage.calls, selection.skipped) == ("llm", 1, 0)
    assert "1. Pets (category of 3; animals)\n2. Jobs (category of 2)" in llm.requests[0].user
    assert "u-pets" not in llm.requests[0].user
    assert "Which pets are there?" in llm.requests[0].user


@pytest.mark.parametrize("number", [0, 2, 9])
async def test_a_name_wins_over_a_wrong_number(llm: LlmServer, client: Llm, number: int) -> None:
    llm.script(chosen((number, " pets ", False)))
    assert shown(await LlmSelector(client).select("?", [PETS, JOBS], 9)) == [("Pets", False)]


async def test_number_distinguishes_options_with_the_same_name(llm: LlmServer, client: Llm) -> None:
    other = Option(uuid="u-rex-2", name="Rex", tags=("person",))
    llm.script(chosen((2, "Rex", False)))
    selection = await LlmSelector(client).select("?", [REX, other], 9)
    assert [choice.option.uuid for choice in selection.choices] == ["u-rex-2"]


async def test_unknown_name_is_skipped_and_counted(llm: LlmServer, client: Llm) -> None:
    llm.script(chosen((9, "Ships", False), (2, "Jobs", False)))
    selection = await LlmSelector(client).select("?", [PETS, JOBS], 9)
    assert (shown(selection), selection.skipped) == ([("Jobs", False)], 1)


@pytest.mark.parametrize("name", ["user", "I", "me"])
async def test_user_i_and_me_refer_to_the_speakers(llm: LlmServer, client: Llm, name: str) -> None:
    llm.script(chosen((0, name, False)))
    assert shown(await LlmSelector(client).select("?", [PETS, SPEAKERS], 9)) == [("Speaker", False)]


async def test_entity_is_never_selected_whole_and_nothing_twice(llm: LlmServer, client: Llm) -> None:
    llm.script(chosen((1, "Rex", True), (1, "Rex", False)))
    assert shown(await LlmSelector(client).select("?", [REX], 9)) == [("Rex", False)]


async def test_invalid_json_is_requested_once_more_then_the_part_falls_back(llm: LlmServer, client: Llm) -> None:
    llm.script(Reply.text("I would choose Pets."), Reply.text("Pets, as I said."))
    selection = await LlmSelector(client).select("?", [PETS, JOBS], 9)
    assert shown(selection) == [("Pets", False), ("Jobs", False)]
    assert (llm.chats, selection.fallbacks, selection.usage.calls) == (2, 1, 2)


async def test_valid_second_reply_needs_no_fallback(llm: LlmServer, client: Llm) -> None:
    llm.script(Reply.text("Pets."), chosen((1, "Pets", False)))
    selection = await LlmSelector(client).select("?", [PETS], 9)
    assert (shown(selection), selection.fallbacks) == ([("Pets", False)], 0)


async def test_bad_reply_affects_only_its_part_of_a_large_layer(llm: LlmServer, client: Llm) -> None:
    options = [Option(uuid=f"u-{n:03d}", name=f"Category {n}", layer=1, cosine=1 - n / 100) for n in range(40)]

    def answer(request: Request) -> Reply:
        text = " ".join(content for _, content in request.messages)
        if "Category 0 " in text:
            return Reply.text("no")
        return chosen((0, "Category 39", False)) if "Category 39 " in text else chosen()

    llm.handle(answer)
    selection = await LlmSelector(client, layer_tokens=150, fallback=EmbeddingSelector(categories=2)).select(
        "?", options, 50
    )
    assert llm.chats > 3
    assert [name for name, _ in shown(selection)] == ["Category 0", "Category 1", "Category 39"]
    assert (selection.fallbacks, selection.truncated) == (1, False)


async def test_call_limit_is_kept_and_reported(llm: LlmServer, client: Llm) -> None:
    options = [Option(uuid=f"u-{n:03d}", name=f"Category {n}", layer=1) for n in range(40)]
    llm.handle(lambda _: chosen((1, "", False)))
    selection = await LlmSelector(client, layer_tokens=150).select("?", options, 1)
    assert (llm.chats, selection.truncated, shown(selection)) == (1, True, [("Category 0", False)])


async def test_embeddings_select_the_nearest_and_never_whole() -> None:
    selection = await EmbeddingSelector(categories=2, entities=1).select("?", [JOBS, SPEAKERS, PETS], 0)
    assert shown(selection) == [("Pets", False), ("Jobs", False)]
    assert shown(await EmbeddingSelector(entities=1).select("?", [REX], 0)) == [("Rex", False)]
