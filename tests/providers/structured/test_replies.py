import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from mnemo.providers.structured.replies import UnreadableError, read, without_thoughts


class Fact(BaseModel):
    text: str
    quote: str | None = None
    rank: int = 1


class Facts(BaseModel):
    """Facts of a conversation."""

    facts: list[Fact]
    note: str = ""


class Verdict(BaseModel):
    same: bool
    why: str = ""


ONE = Facts(facts=[Fact(text="Ada moved", quote="I moved")])
JSON = '{"facts": [{"text": "Ada moved", "quote": "I moved"}]}'
BARE = '{"text": "Ada moved", "quote": "I moved"}'


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(JSON, id="bare"),
        pytest.param(f"\ufeff\n{JSON}\n", id="byte order mark"),
        pytest.param(f"Here you are:\n```json\n{JSON}\n```\nHope it helps {{smile}}!", id="prose around a fence"),
        pytest.param(f"```\n{JSON}", id="fence never closed"),
        pytest.param(f'Draft:\n```json\n{{"facts": []}}\n```\nFinal:\n```json\n{JSON}\n```', id="last of two fences"),
        pytest.param(f"```json\n{JSON}\n```\n```python\nprint([1, 2])\n```", id="other fence after it"),
        pytest.param(f'<think>maybe {{"facts": []}}?</think>\n{JSON}', id="thought first"),
        pytest.param(f"<think>hm, it's {{hard}}\n\n{JSON}", id="thought never closed"),
        pytest.param(f"let me see</think>{JSON}", id="thought never opened"),
        pytest.param(f"[{BARE}]", id="list for an object with one list"),
        pytest.param(f"[{JSON}]", id="object in a list"),
        pytest.param(f'{{"facts": {BARE}}}', id="object for a list"),
        pytest.param(BARE, id="item for an object with one list"),
        pytest.param(f'{{"result": {JSON}}}', id="wrapped by a name"),
        pytest.param(f'{{"items": [{BARE}]}}', id="list by another name"),
        pytest.param(json.dumps(JSON), id="JSON in a string"),
        pytest.param('{"facts": [{"text": "Ada moved", "quote": "I moved",},],}', id="trailing commas"),
        pytest.param("{'facts': [{'text': 'Ada moved', 'quote': 'I moved'}]}", id="single quotes"),
        pytest.param('{facts: [{text: "Ada moved", quote: "I moved"}] /* all */}', id="bare names and a comment"),
        pytest.param('{"facts": [{"text": "Ada moved", "quote": "I moved", "rank": null}]}', id="null for a default"),
        pytest.param('{"facts": [{"text": "Ada moved", "quote": "I moved", "odd": NaN}]}', id="NaN"),
    ],
)
def test_reply_is_parsed(reply: str) -> None:
    assert read(reply, Facts) == ONE


def test_apostrophe_in_single_quotes_is_kept() -> None:
    assert read("{'same': True, 'why': 'it's Ada's'}", Verdict) == Verdict(same=True, why="it's Ada's")


def test_end_tag_of_a_thought_inside_a_string_is_kept() -> None:
    assert read('{"same": true, "why": "</think> was said"}', Verdict).why == "</think> was said"


@pytest.mark.parametrize(
    ("reply", "summary"),
    [
        ("", "the reply is empty"),
        ("I cannot help with that.", "the reply contains no JSON"),
        ('{"facts": [{"text": "Ada mo', "the reply ends in the middle of its JSON"),
        (f'{{"facts": [{BARE}, {{"text": "cut', "the reply ends in the middle of its JSON"),
        (f"```json\n[{BARE},", "the reply ends in the middle of its JSON"),
        (json.dumps(Facts.model_json_schema()), "the reply is the schema itself"),
        (f"```json\n{json.dumps(Facts.model_json_schema())}\n```", "the reply is the schema itself"),
        ("{}", "the reply's JSON has none of the requested fields"),
        ('{"facts": [{"quote": "secret"}]}', "the reply does not fit the schema in 1 places (missing)"),
        ("[" * 5000, "the reply contains no JSON"),
    ],
)
def test_rejected_reply_gives_a_reason_without_quoting_it(reply: str, summary: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        read(reply, Facts)
    assert str(caught.value) == summary


def test_schema_then_answer_gives_the_answer() -> None:
    assert read(f"{json.dumps(Facts.model_json_schema())}\n{JSON}", Facts) == ONE


def test_correction_names_the_field() -> None:
    with pytest.raises(UnreadableError) as caught:
        read('{"facts": [{"quote": "x"}]}', Facts)
    assert "facts.0.text: Field required" in caught.value.correction


def test_cut_off_thought_contains_no_answer() -> None:
    with pytest.raises(UnreadableError, match="contains no JSON"):
        read(f"<think>perhaps {JSON} or", Facts, complete=False)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>a</think> b", "b"),
        ("a</think>b", "b"),
        ("<think>never closed", "never closed"),
        ("say </b> [x] </think>", "say </b> [x] </think>"),
        ("plain", "plain"),
    ],
)
def test_reasoning_is_removed(text: str, left: str) -> None:
    assert without_thoughts(text) == left


facts = st.builds(Facts, facts=st.lists(st.builds(Fact, text=st.text(), quote=st.none() | st.text())), note=st.text())


@given(facts, st.sampled_from(["{}", "Sure!\n{}\nBye", "```json\n{}\n```", "<think>x</think>{}"]))
def test_valid_reply_in_prose_is_parsed(value: Facts, around: str) -> None:
    assert read(around.replace("{}", value.model_dump_json()), Facts) == value


@given(facts, st.data())
def test_cut_off_reply_is_never_completed(value: Facts, data: st.DataObject) -> None:
    text = value.model_dump_json()
    end = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(UnreadableError):
        read(text[:end], Facts)


@given(st.text(alphabet="{}[]\"',:\\ab1 \n<>/think-`", max_size=60))
def test_garbage_is_parsed_or_raises_unreadable_error(text: str) -> None:
    try:
        read(text, Facts)
    except UnreadableError:
        return
