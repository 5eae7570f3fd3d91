"""Recorded replies that are put into the form of the prompt at hand, and taken out of it again: pure.

    judge       verdicts by pair of texts
    categories  names of members by name of category, for every layer
    rename      name and tags by name that a category had
    select      names of chosen nodes by question, for every layer
    answer      the text by question, with `{m020}` for the mark of that message of the sample

`replied` gives a reply (None for none) and what of the prompt is not covered; `learnt` gives the
records with those of a new reply in them.
"""

import ast
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from mnemo import samples
from support.paths import CASES

__all__ = ["BY_MEANING", "Shape"]

Records: TypeAlias = list[dict[str, Any]]
_PAIR = re.compile(r"\[(\d+)\] (entity|fact)(?: \(may contradict\))?: new (.*); known (.*)")
_NODE = re.compile(r"^\[(\d+)\] (.*?)(?: \([^()]*\))?$", re.MULTILINE)
_NAMED = re.compile(r"^\[(\d+)\] (.*?) \| ", re.MULTILINE)
_OPTION = re.compile(r"^(\d+)\. (.*) \((entity|category)\b.*\)$", re.MULTILINE)
_PLACE = re.compile(r"\s*\{(m\d{3})\}")
_MARK = re.compile(r"\[(\d+)\]")
_QUOTED = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
_FACT = re.compile(r"^- (.*?)((?:\[\d+\])+)$", re.MULTILINE)
_HEAD = 60
_EXTRACTED = CASES / "replies" / "extract.json"


@dataclass(frozen=True, slots=True)
class Shape:
    """How replies of one kind are kept."""

    schema: str
    """Name of the reply's model."""
    replied: Callable[[str, Records], tuple[Any, list[str]]]
    learnt: Callable[[str, Records, Any], Records]


def _judge(user: str, records: Records) -> tuple[Any, list[str]]:
    """Give each pair its verdict; one that is not recorded is `different`, and a gap."""
    known = {(each["kind"], each["new"], each["known"]): each["verdict"] for each in records}
    pairs = _pairs(user)
    verdicts = [{"number": number, "verdict": known.get(pair, "different")} for number, pair in pairs.items()]
    return {"verdicts": verdicts}, [" / ".join(pair) for pair in pairs.values() if pair not in known]


def _judge_learnt(user: str, records: Records, value: Any) -> Records:
    pairs = _pairs(user)
    new = [
        {"kind": kind, "new": one, "known": other, "verdict": each["verdict"]}
        for each in value["verdicts"]
        if each["number"] in pairs
        for kind, one, other in [pairs[each["number"]]]
    ]
    return _merged(records, new, ("kind", "new", "known"))


def _pairs(user: str) -> dict[int, tuple[str, str, str]]:
    found = (_PAIR.fullmatch(line) for line in user.splitlines())
    return {int(m[1]): (m[2], ast.literal_eval(m[3]), ast.literal_eval(m[4])) for m in found if m}


def _categories(user: str, records: Records) -> tuple[Any, list[str]]:
    """Give each category the numbers of those of its members that are shown; one that has none is left out."""
    numbers = {name: int(number) for number, name in _NODE.findall(user)}
    filled = [
        {"name": each["name"], "tags": each["tags"], "members": members}
        for each in records
        if (members := [numbers[name] for name in each["members"] if name in numbers])
    ]
    return {"categories": filled}, []


def _categories_learnt(user: str, records: Records, value: Any) -> Records:
    names = {int(number): name for number, name in _NODE.findall(user)}
    old = {each["name"]: each["members"] for each in records}
    new = []
    for each in value["categories"]:
        members = [names[number] for number in each["members"] if number in names]
        new.append({**each, "members": list(dict.fromkeys([*old.get(each["name"], []), *members]))})
    return _merged(records, new, ("name",))


def _rename(user: str, records: Records) -> tuple[Any, list[str]]:
    """Give each category its new name; one that is not recorded keeps its own, and is a gap."""
    new = {each["category"]: each for each in records}
    shown = {int(number): name for number, name in _NAMED.findall(user)}
    said = [
        {"number": number, "name": new[name]["name"], "tags": new[name]["tags"]}
        for number, name in shown.items()
        if name in new
    ]
    return {"categories": said}, [name for name in shown.values() if name not in new]


def _rename_learnt(user: str, records: Records, value: Any) -> Records:
    shown = {int(number): name for number, name in _NAMED.findall(user)}
    new = [
        {"category": shown[each["number"]], "name": each["name"], "tags": each["tags"]}
        for each in value["categories"]
        if each["number"] in shown
    ]
    return _merged(records, new, ("category",))


def _select(user: str, records: Records) -> tuple[Any, list[str]]:
    """Choose those of the nodes at hand that are recorded for the question."""
    question = _question(user)
    recorded = next((each for each in records if each["question"] == question), None)
    if recorded is None:
        return None, [question]
    selected = [
        {"number": int(number), "name": name, "get_all_children": kind == "category" and name in recorded["whole"]}
        for number, name, kind in _OPTION.findall(user)
        if name in recorded["selected"]
    ]
    return {"selected": selected}, []


def _select_learnt(user: str, records: Records, value: Any) -> Records:
    question = _question(user)
    old = next((each for each in records if each["question"] == question), {"selected": [], "whole": []})
    names = [each["name"] for each in value["selected"]]
    whole = [each["name"] for each in value["selected"] if each["get_all_children"]]
    new = {
        "question": question,
        "selected": list(dict.fromkeys([*old["selected"], *names])),
        "whole": list(dict.fromkeys([*old["whole"], *whole])),
    }
    return _merged(records, [new], ("question",))


def _question(user: str) -> str:
    return user.removeprefix("Question: ").partition("\n")[0]


def _answer(user: str, records: Records) -> tuple[Any, list[str]]:
    """Answer with the marks of the messages that are there; with none of them, say that it is not known."""
    question, marks = _asked(user)
    recorded = next((each["answer"] for each in records if each["question"] == question), None)
    if recorded is None:
        return None, [question]
    wanted = dict.fromkeys(_PLACE.findall(recorded))
    cited = [marks[place] for place in wanted if place in marks]
    if not cited:
        return {"known": False, "answer": "", "citations": []}, []
    text = _PLACE.sub(lambda match: f" [{marks[match[1]]}]" if match[1] in marks else "", recorded)
    return {"known": True, "answer": text, "citations": cited}, []


def _answer_learnt(user: str, records: Records, value: Any) -> Records:
    question, marks = _asked(user)
    places = {number: place for place, number in marks.items()}
    text = _MARK.sub(lambda match: f"{{{places[int(match[1])]}}}" if int(match[1]) in places else "", value["answer"])
    return _merged(records, [{"question": question, "answer": text}], ("question",))


def _asked(user: str) -> tuple[str, dict[str, int]]:
    """Return the question, and the mark of each message of the sample that its context quotes or rests on."""
    question, _, memory = user.removeprefix("Question: ").partition("\n\nMemory:\n")
    quoted = {int(number): text.partition(": ")[2].strip(" …") for number, text in _QUOTED.findall(memory)}
    rested = {
        place: int(_MARK.findall(marks)[0])
        for text, marks in _FACT.findall(memory)
        for fact, place in _facts()
        if text.startswith(fact)
    }
    marks = rested | {
        place: number
        for number, text in quoted.items()
        for place, content in _messages().items()
        if text and (content.startswith(text[:_HEAD]) or text[:_HEAD] in content)
    }
    return question, marks


@cache
def _messages() -> dict[str, str]:
    lines = samples.conversation().read_text(encoding="utf-8").splitlines()
    return {item["id"]: " ".join(item["content"].split()) for item in map(json.loads, lines)}


@cache
def _facts() -> tuple[tuple[str, str], ...]:
    """Return each recorded fact with the message that states it."""
    windows = json.loads(_EXTRACTED.read_text(encoding="utf-8"))["replies"]
    facts = [fact for window in windows for fact in window["reply"]["facts"]]
    return tuple(
        (fact["fact"], place)
        for fact in facts
        for place, content in _messages().items()
        if " ".join(fact["quote"].split()) in content
    )


def _merged(records: Records, new: Records, key: tuple[str, ...]) -> Records:
    """Return the old records and the new ones, of which each takes the place of the old one of its key."""
    by_key = {tuple(each[part] for part in key): each for each in (*records, *new)}
    return list(by_key.values())


BY_MEANING = {
    "judge": Shape("JudgeReply", _judge, _judge_learnt),
    "categories": Shape("CategoriesReply", _categories, _categories_learnt),
    "rename": Shape("RenameReply", _rename, _rename_learnt),
    "select": Shape("SelectReply", _select, _select_learnt),
    "answer": Shape("AnswerReply", _answer, _answer_learnt),
}
