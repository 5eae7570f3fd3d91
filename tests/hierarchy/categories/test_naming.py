"""Names of categories that have grown: what is asked, what is believed, what stays."""

import re
from collections.abc import AsyncIterator, Sequence

import pytest

from mnemo.errors import ProviderUnavailableError
from mnemo.hierarchy.categories.naming import LlmNamer, Naming, fitting
from mnemo.providers.base import Llm
from mnemo.providers.factory import build_llm
from mnemo.store.categories import Due
from support.llm_server import LlmServer, Reply


@pytest.fixture
async def client(llm: LlmServer) -> AsyncIterator[Llm]:
    built = build_llm(llm.settings({"max_retries": 0}))
    assert built is not None
    yield built
    await built.close()


def due(name: str, *members: str, taken: Sequence[str] = (), tags: Sequence[str] = ("old",)) -> Due:
    return Due(
        uuid=name, name=name, tags=tuple(tags), layer=1, leaves=len(members), members=members, taken=tuple(taken)
    )


def reply(*names: tuple[int, str, Sequence[str]]) -> Reply:
    return Reply.json({"categories": [{"number": n, "name": name, "tags": list(tags)} for n, name, tags in names]})


async def test_all_categories_are_asked_about_in_one_call(llm: LlmServer, client: Llm) -> None:
    llm.script(reply((1, "Pets", ["animals"]), (2, "Jobs", ["work"])))
    looked = await LlmNamer(client).look("g", [due("Rex", "Rex", "Tom", taken=["Trips"]), due("Jobs", "Acme", "Birch")])
    assert looked.namings == {
        "Rex": Naming(name="Pets", tags=("animals",)),
        "Jobs": Naming(name="Jobs", tags=("work",)),
    }
    assert (llm.chats, looked.usage.calls) == (1, 1)
    assert re.findall(r"^\[\d\].*$", llm.requests[0].user, re.MULTILINE) == [
        "[1] Rex | tags: old | holds: Rex; Tom | neighbours: Trips",
        "[2] Jobs | tags: old | holds: Acme; Birch",
    ]


async def test_an_unknown_number_is_ignored_and_the_first_of_two_answers_counts(llm: LlmServer, client: Llm) -> None:
    llm.script(reply((7, "Ships", []), (0, "Boats", []), (1, "Pets", []), (1, "Cats", [])))
    looked = await LlmNamer(client).look("g", [due("Rex", "Rex", "Tom"), due("Jobs", "Acme")])
    assert {uuid: naming.name for uuid, naming in looked.namings.items()} == {"Rex": "Pets", "Jobs": "Jobs"}
    assert looked.namings["Rex"].tags == ("old",)


@pytest.mark.parametrize(
    "name",
    [
        "", "  ", "Food and Drinks", "Pets & Plants", "I", "user", "Other", "Other things", "Things", "Misc",
        "Category 3", "category", "42", "Group #2", "Untitled", "trips", "Trip", "x" * 61, "n/a", "—",
    ],
)  # fmt: skip
def test_a_name_that_a_category_may_not_have_is_refused(name: str) -> None:
    assert fitting(name, due("Rex", "Rex", "Tom", taken=["Trips"]), set()) is None


@pytest.mark.parametrize(
    "name", ["Pets", "  Pets ", "Haustiere", "Группы крови", "ペット", "Topic maps", "Rock groups"]
)
def test_another_name_is_taken_without_blanks_around_it(name: str) -> None:
    assert fitting(name, due("Rex", "Rex", taken=["Trips"]), set()) == name.strip()


async def test_two_categories_are_not_given_one_name(llm: LlmServer, client: Llm) -> None:
    llm.script(reply((1, "Pets", []), (2, "pet", [])))
    looked = await LlmNamer(client).look("g", [due("Rex", "Rex", "Tom"), due("Kit", "Kit", "Kat")])
    assert [naming.name for naming in looked.namings.values()] == ["Pets", "Kit"]


async def test_no_more_than_the_tokens_allow_is_asked_and_at_least_one(llm: LlmServer, client: Llm) -> None:
    llm.handle(lambda _: reply())
    several = [due(f"Name{n}", *(f"member {m} of {n}" for m in range(20))) for n in range(10)]
    looked = await LlmNamer(client, tokens=800).look("g", several)
    assert 1 < len(looked.namings) < 10
    assert len(re.findall(r"^\[\d+\]", llm.requests[0].user, re.MULTILINE)) == len(looked.namings)
    assert len((await LlmNamer(client, tokens=1).look("g", several)).namings) == 1


async def test_a_reply_that_cannot_be_read_changes_nothing_and_is_counted(llm: LlmServer, client: Llm) -> None:
    llm.handle(lambda _: Reply.text("no JSON at all"))
    looked = await LlmNamer(client).look("g", [due("Rex", "Rex", "Tom")])
    assert (looked.namings, looked.usage.calls) == ({}, llm.chats)


async def test_a_server_that_is_down_is_an_error(llm: LlmServer, client: Llm) -> None:
    llm.handle(lambda _: Reply.error(500))
    with pytest.raises(ProviderUnavailableError):
        await LlmNamer(client).look("g", [due("Rex", "Rex", "Tom")])
