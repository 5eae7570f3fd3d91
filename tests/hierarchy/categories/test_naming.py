"""Reviewing the names of categories that have grown."""

import re
from collections.abc import AsyncIterator, Sequence

import pytest

from mnemo.errors import ProviderUnavailableError
from mnemo.hierarchy.categories.naming import CategoryLabel, LlmNamer, accepted_name
from mnemo.providers.base import Llm
from mnemo.providers.factory import build_llm
from mnemo.store.hierarchy.categories import OutgrownCategory
from support.llm_server import LlmServer, Reply


@pytest.fixture
async def client(llm: LlmServer) -> AsyncIterator[Llm]:
    built = build_llm(llm.settings({"max_retries": 0}))
    assert built is not None
    yield built
    await built.close()


def outgrown(
    name: str, *members: str, siblings: Sequence[str] = (), tags: Sequence[str] = ("old",)
) -> OutgrownCategory:
    return OutgrownCategory(
        uuid=name, name=name, tags=tuple(tags), layer=1, leaves=len(members), members=members, siblings=tuple(siblings)
    )


def reply(*names: tuple[int, str, Sequence[str]]) -> Reply:
    return Reply.json({"categories": [{"number": n, "name": name, "tags": list(tags)} for n, name, tags in names]})


async def test_all_categories_are_reviewed_in_one_call(llm: LlmServer, client: Llm) -> None:
    llm.script(reply((1, "Pets", ["animals"]), (2, "Jobs", ["work"])))
    review = await LlmNamer(client).review(
        "g", [outgrown("Rex", "Rex", "Tom", siblings=["Trips"]), outgrown("Jobs", "Acme", "Birch")]
    )
    assert review.labels == {
        "Rex": CategoryLabel(name="Pets", tags=("animals",)),
        "Jobs": CategoryLabel(name="Jobs", tags=("work",)),
    }
    assert (llm.chats, review.usage.calls) == (1, 1)
    assert re.findall(r"^\[\d\].*$", llm.requests[0].user, re.MULTILINE) == [
        "[1] Rex | tags: old | holds: Rex; Tom | neighbours: Trips",
        "[2] Jobs | tags: old | holds: Acme; Birch",
    ]


async def test_unknown_numbers_are_ignored_and_the_first_of_two_replies_counts(llm: LlmServer, client: Llm) -> None:
    llm.script(reply((7, "Ships", []), (0, "Boats", []), (1, "Pets", []), (1, "Cats", [])))
    review = await LlmNamer(client).review("g", [outgrown("Rex", "Rex", "Tom"), outgrown("Jobs", "Acme")])
    assert {uuid: label.name for uuid, label in review.labels.items()} == {"Rex": "Pets", "Jobs": "Jobs"}
    assert review.labels["Rex"].tags == ("old",)


@pytest.mark.parametrize(
    "name",
    [
        "", "  ", "Food and Drinks", "Pets & Plants", "I", "user", "Other", "Other things", "Things", "Misc",
        "Category 3", "category", "42", "Group #2", "Untitled", "trips", "Trip", "x" * 61, "n/a", "—",
    ],
)  # fmt: skip
def test_invalid_name_is_refused(name: str) -> None:
    assert accepted_name(name, outgrown("Rex", "Rex", "Tom", siblings=["Trips"]), set()) is None


@pytest.mark.parametrize(
    "name", ["Pets", "  Pets ", "Haustiere", "Группы крови", "ペット", "Topic maps", "Rock groups"]
)
def test_new_name_is_accepted_and_stripped(name: str) -> None:
    assert accepted_name(name, outgrown("Rex", "Rex", siblings=["Trips"]), set()) == name.strip()


async def test_two_categories_never_get_the_same_name(llm: LlmServer, client: Llm) -> None:
    llm.script(reply((1, "Pets", []), (2, "pet", [])))
    review = await LlmNamer(client).review("g", [outgrown("Rex", "Rex", "Tom"), outgrown("Kit", "Kit", "Kat")])
    assert [label.name for label in review.labels.values()] == ["Pets", "Kit"]


async def test_token_budget_limits_the_categories_but_one_is_always_shown(llm: LlmServer, client: Llm) -> None:
    llm.handle(lambda _: reply())
    several = [outgrown(f"Name{n}", *(f"member {m} of {n}" for m in range(20))) for n in range(10)]
    review = await LlmNamer(client, tokens=800).review("g", several)
    assert 1 < len(review.labels) < 10
    assert len(re.findall(r"^\[\d+\]", llm.requests[0].user, re.MULTILINE)) == len(review.labels)
    assert len((await LlmNamer(client, tokens=1).review("g", several)).labels) == 1


async def test_malformed_reply_changes_nothing_and_its_usage_is_counted(llm: LlmServer, client: Llm) -> None:
    llm.handle(lambda _: Reply.text("no JSON at all"))
    review = await LlmNamer(client).review("g", [outgrown("Rex", "Rex", "Tom")])
    assert (review.labels, review.usage.calls) == ({}, llm.chats)


async def test_unavailable_server_is_an_error(llm: LlmServer, client: Llm) -> None:
    llm.handle(lambda _: Reply.error(500))
    with pytest.raises(ProviderUnavailableError):
        await LlmNamer(client).review("g", [outgrown("Rex", "Rex", "Tom")])
