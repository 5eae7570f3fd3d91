"""Full-text search on the real server: any language, any text, one group."""

import uuid

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mnemo.clock import DISTANT_PAST
from mnemo.models.embedding_text import session_key
from mnemo.models.group import text_key
from mnemo.store.driver import Database
from mnemo.store.lucene import search_terms, text_query
from support.cypher import cypher

FIND = (
    "CALL db.index.fulltext.queryNodes('episode_text', $text, {limit: 50}) YIELD node "
    "RETURN node.content AS content, node.group AS group"
)
AWKWARD = [
    '"',
    "AND",
    "a OR",
    "NOT",
    "dog~",
    "d*g",
    "a/b",
    "-dog",
    "+dog",
    "group:x",
    "(dog",
    "dog)",
    "[a TO b]",
    "^2",
    "\\",
]


async def remember(database: Database, group: str, *contents: str, session: str = "s") -> None:
    """Store episodes with only a text."""
    rows = []
    for content in contents:
        name = uuid.uuid4().hex
        properties = {
            "uuid": name,
            "group": group,
            "source_id": name,
            "session": session,
            "content": content,
            "search_terms": search_terms(content),
            "group_key": text_key(group),
            "session_key": session_key(session),
            "visible_from": DISTANT_PAST,
        }
        rows.append({"source_id": name, "session": session, "properties": properties})
    await database.run("ingestion/acknowledge", group=group, rows=rows)


async def find(database: Database, group: str, question: str, **filters: str) -> list[str]:
    """Return the contents a question finds, best first; fails if one is from another group."""
    rows = await cypher(database, FIND, text=text_query(group, question, ["content"], filters=filters))
    assert {row["group"] for row in rows} <= {group}
    return [row["content"] for row in rows]


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ("昨日は東京でラーメンを食べました", "東京で何を食べた"),
        ("インスタントコーヒーが好き", "コーヒー"),
        ("ﾊﾞｲｸで北海道へ", "バイク"),
        ("我昨天在上海吃了小笼包", "上海小笼包"),
        ("어제 서울에서 냉면을 먹었어요", "서울 냉면"),
        ("We met at the café", "cafe"),
        ("The cafe was closed", "CAFÉ"),
        ("Łukasz came by", "lukasz"),
        ("what a party 🎉", "🎉"),
        ("we hiked up there", "hiking"),
        ("ticket 4711 is open", "ticket 4711?"),
        ("The Who played", "who"),
        ("version 3.14 is out", "3.14"),
        ("snake_case_name broke", "snake_case_name"),
        ("e-mail ana@example.org now", "ana@example.org"),
    ],
)
async def test_text_is_found_by_its_words_in_any_script(
    database: Database, group: str, content: str, question: str
) -> None:
    await remember(database, group, content, "something else entirely")
    assert (await find(database, group, question))[:1] == [content]


@pytest.mark.parametrize("awkward", AWKWARD)
async def test_query_syntax_is_treated_as_text(database: Database, group: str, awkward: str) -> None:
    await remember(database, group, "my dog barks", "my cat sleeps")
    assert await find(database, group, f"{awkward} barks {awkward}") == ["my dog barks"]


async def test_a_question_of_300_words_is_answered(database: Database, group: str) -> None:
    await remember(database, group, "my dog barks", "my cat sleeps")
    long = "barks " + " ".join(f"word{number}é" for number in range(300))
    assert await find(database, group, long) == ["my dog barks"]


@pytest.mark.parametrize("question", ["", "   ", "?!", "→", "\x00", "the of and"])
async def test_question_without_words_finds_nothing(database: Database, group: str, question: str) -> None:
    await remember(database, group, "my dog barks")
    assert await find(database, group, question) == []


@pytest.mark.parametrize("other", ["{group}x", "x{group}", "*", "' OR 1=1", "{group}*", "{group} OR *"])
async def test_group_name_never_matches_another_group(database: Database, group: str, other: str) -> None:
    await remember(database, group, "my dog barks")
    assert await find(database, other.format(group=group), "dog barks") == []


async def test_a_session_is_searched_alone(database: Database, group: str) -> None:
    await remember(database, group, "dog one", session="a")
    await remember(database, group, "dog two", session="ab")
    assert await find(database, group, "dog", session_key=session_key("a")) == ["dog one"]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=80))
@example(" ".join(AWKWARD))
@example('&& || ! { } ^ " ~ * ? : \\ / [ ]')
async def test_any_text_gives_a_valid_query_within_its_group(database: Database, text: str) -> None:
    await find(database, "nobody", text)
    await cypher(database, FIND, text=text_query(text or "g", text, ["content", "search_terms"]))
