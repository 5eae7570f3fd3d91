"""The recorded replies match the schemas and the windows of the sample."""

import json
from typing import Any

import pytest
from pydantic import BaseModel

from mnemo import samples
from mnemo.hierarchy.categories.categoriser import joins_ideas
from mnemo.hierarchy.categories.prompts import CategoriesReply, RenameReply
from mnemo.ingestion.llm.replies import ExtractReply, JudgeReply
from mnemo.retrieval.answer import AnswerReply
from mnemo.retrieval.selector import SelectReply
from support.llm_wire import Request
from support.replies import FOLDER, KINDS, Recorded, digest, kind_of
from support.replies_by_meaning import BY_MEANING

SCHEMAS: dict[str, type[BaseModel]] = {
    "judge": JudgeReply,
    "categories": CategoriesReply,
    "rename": RenameReply,
    "select": SelectReply,
    "answer": AnswerReply,
}
NODES = "Known categories: none\nNodes:\n[1] Momo (cat, pet)\n[2] Lisbon (city)\n[3] Biscuit (dog)\n[4] Porto"


def request(schema: str, system: str, user: str) -> Request:
    chats = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    form = {"type": "json_schema", "json_schema": {"name": schema, "schema": {}}}
    return Request(path="/v1/chat/completions", headers={}, body={"messages": chats, "response_format": form})


def records(kind: str) -> list[dict[str, Any]]:
    loaded: dict[str, Any] = json.loads((FOLDER / f"{kind}.json").read_text(encoding="utf-8"))
    return list(loaded["replies"])


@pytest.mark.parametrize("kind", ["extract", "reflect"])
def test_every_window_of_the_sample_has_a_reply_that_fits_the_schema(kind: str) -> None:
    lines = samples.conversation().read_text(encoding="utf-8").splitlines()
    sessions = {json.loads(line)["session"] for line in lines}
    assert len(records(kind)) == len(sessions)
    for each in records(kind):
        ExtractReply.model_validate(each["reply"], strict=True)


@pytest.mark.parametrize("kind", ["extract", "reflect"])
def test_every_quote_and_time_phrase_is_verbatim_in_one_message(kind: str) -> None:
    lines = samples.conversation().read_text(encoding="utf-8").splitlines()
    contents = [json.loads(line)["content"] for line in lines]
    for each in records(kind):
        for fact in each["reply"]["facts"]:
            assert any(fact["quote"] in content and (fact["when"] or "") in content for content in contents), fact


def test_category_names_hold_one_idea_each() -> None:
    names = [each["name"] for each in records("categories")]
    assert len(set(names)) == len(names)
    assert not [name for name in names if joins_ideas(name)]


def test_every_sample_question_has_an_answer_that_cites_messages() -> None:
    answers = {each["question"]: each["answer"] for each in records("answer")}
    for asked in samples.questions():
        assert any(f"{{{place}}}" in answers[asked.question] for place in asked.evidence), asked.question


def test_category_members_get_the_numbers_of_the_prompt() -> None:
    value, gaps = BY_MEANING["categories"].replied(NODES, records("categories"))
    SCHEMAS["categories"].model_validate(value)
    filled = {each["name"]: each["members"] for each in value["categories"]}
    assert (filled["Pets"], filled["Cities"], gaps) == ([3, 1], [2, 4], [])


def test_recorded_category_keeps_members_of_other_batches() -> None:
    old = [{"name": "Pets", "tags": [], "members": ["Momo"]}]
    value = {"categories": [{"name": "Pets", "tags": ["a"], "members": [1, 9]}]}
    learnt = BY_MEANING["categories"].learnt("Nodes:\n[1] Rex (dog)", old, value)
    assert learnt == [{"name": "Pets", "tags": ["a"], "members": ["Momo", "Rex"]}]


def test_selection_uses_the_numbers_of_the_prompt_in_each_layer() -> None:
    user = (
        "Question: Does Nora eat meat?\nNodes:\n1. Food (category of 4; eating, diet)\n"
        "2. Pets (category of 2)\n3. meat (entity; food)"
    )
    value, gaps = BY_MEANING["select"].replied(user, records("select"))
    SCHEMAS["select"].model_validate(value)
    assert gaps == []
    assert value["selected"] == [
        {"number": 1, "name": "Food", "get_all_children": True},
        {"number": 3, "name": "meat", "get_all_children": False},
    ]
    learnt = BY_MEANING["select"].learnt(user, [], value)
    assert learnt == [{"question": "Does Nora eat meat?", "selected": ["Food", "meat"], "whole": ["Food"]}]


def test_selected_categories_and_members_exist_in_the_sample() -> None:
    names = {name for each in records("extract") + records("reflect") for name in _names(each["reply"])}
    categories = {each["name"] for each in records("categories")} | {"Speaker"}
    for each in records("categories"):
        assert set(each["members"]) <= names | categories, each["name"]
    for each in records("select"):
        assert set(each["selected"]) <= names | categories, each["question"]
        assert set(each["whole"]) <= set(each["selected"]) & categories, each["question"]


def _names(reply: dict[str, Any]) -> list[str]:
    return [entity["name"] for entity in reply["entities"]]


def test_answer_uses_the_citation_marks_of_the_context() -> None:
    user = (
        "Question: How high is the mountain on Pico?\n\nMemory:\nFacts:\n"
        "- The mountain on Pico is 2,351 metres high [3]\n\nMessages:\n[1] Sun 2025-01-12 19:41, Nora Lindqvist: hi"
    )
    value, gaps = BY_MEANING["answer"].replied(user, records("answer"))
    assert (value, gaps) == ({"known": True, "answer": "2,351 metres [3].", "citations": [3]}, [])
    learnt = BY_MEANING["answer"].learnt(user, [], {"known": True, "answer": "High [3].", "citations": [3]})
    assert learnt == [{"question": "How high is the mountain on Pico?", "answer": "High {m050}."}]


def test_answer_is_unknown_if_its_messages_are_not_in_the_context() -> None:
    user = "Question: How high is the mountain on Pico?\n\nMemory:\nMessages:\n[1] Sun 2025, Nora: hi"
    assert BY_MEANING["answer"].replied(user, records("answer"))[0]["known"] is False


def test_unrecorded_pair_is_different_and_reported_as_a_gap() -> None:
    user = "[1] entity: new 'Ann; known \"x\"'; known 'Anna'\n[2] fact (may contradict): new 'a'; known 'b'"
    old = [{"kind": "fact", "new": "a", "known": "b", "verdict": "contradicts"}]
    value, gaps = BY_MEANING["judge"].replied(user, old)
    assert value == {"verdicts": [{"number": 1, "verdict": "different"}, {"number": 2, "verdict": "contradicts"}]}
    assert gaps == ['entity / Ann; known "x" / Anna']
    learnt = BY_MEANING["judge"].learnt(user, old, {"verdicts": [{"number": 2, "verdict": "same"}]})
    assert learnt == [{"kind": "fact", "new": "a", "known": "b", "verdict": "same"}]


def test_reply_for_other_instructions_is_stale_and_not_used() -> None:
    recorded = Recorded()
    asked = request("AnswerReply", "reworded", "Question: Where does Kei work?\n\nMemory:\n")
    assert recorded(asked).status == 400
    assert [(each.kind, each.stale) for each in recorded.missing] == [("answer", True)]
    assert recorded.accept(asked)
    assert recorded(asked).status == 200


def test_recorded_reply_is_found_by_its_prompt() -> None:
    recorded = Recorded()
    asked = request("ExtractReply", "note", "Speakers: Zoe\n[1] Zoe (2025-01-01): hello")
    assert recorded(asked).status == 400
    recorded.learn(asked, {"entities": [], "facts": []})
    assert json.loads(recorded(asked).content or "") == {"entities": [], "facts": []}
    again = request("ExtractReply", "note", "Speakers: Zoe\n[1] Zoe (2025-01-01): hello, edited")
    assert recorded(again).status == 400
    assert recorded.accept(again)
    assert recorded(again).status == 200


def test_reflection_is_recognised_by_its_notes() -> None:
    assert kind_of(request("ExtractReply", "", "x")) == "extract"
    assert kind_of(request("ExtractReply", "", "x\n\nNotes:\n- y")) == "reflect"
    assert kind_of(request("Other", "", "x")) is None


def test_recorded_files_round_trip() -> None:
    recorded = Recorded()
    for kind in KINDS:
        text = json.dumps(recorded.files[kind], ensure_ascii=False, indent=1) + "\n"
        assert (FOLDER / f"{kind}.json").read_text(encoding="utf-8") == text
        assert len(digest(text)) == 16


def test_category_gets_its_recorded_name_by_number() -> None:
    user = "[1] Lost luggage | tags: claim | holds: suitcase; camera bag\n[2] Ships | holds: Rua"
    value, gaps = BY_MEANING["rename"].replied(user, records("rename"))
    RenameReply.model_validate(value)
    assert value == {"categories": [{"number": 1, "name": "Lost luggage", "tags": ["claim", "airline", "camera bag"]}]}
    assert gaps == ["Ships"]
    learnt = BY_MEANING["rename"].learnt(user, [], {"categories": [{"number": 2, "name": "Boats", "tags": []}]})
    assert learnt == [{"category": "Ships", "name": "Boats", "tags": []}]


def test_every_recorded_name_belongs_to_a_built_category() -> None:
    made = [each["name"] for each in records("categories")]
    assert [each["category"] for each in records("rename")] == made
    names = [each["name"] for each in records("rename")]
    assert len(set(names)) == len(names)
    assert not [name for name in names if joins_ideas(name)]
