"""Selection of the facts and messages that answer a question, and refusal of unanswerable questions."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from mnemo.models.graph import Edge, Episode
from mnemo.models.results import Found
from mnemo.retrieval.answering.selection import select_passages
from mnemo.retrieval.ranking.ranked_items import RankedItems
from support.ranked_items import START, edge, entity, episode

NOW = START + timedelta(days=90)
COSINE = {"cosine": 0.5}


def ranked(messages: Sequence[Episode] = (), facts: Sequence[Edge] = ()) -> RankedItems:
    return RankedItems(
        episodes=tuple(Found(item=each, score=0.5, sources=(each.uuid,), signals=COSINE) for each in messages),
        edges=tuple(Found(item=each, score=0.5, sources=("m1",), signals=COSINE) for each in facts),
        entities=(Found(item=entity("n1", "Yolanda", tags=("person",)), score=0.5),),
        names={"e": "Ana"},
    )


def lead(question: str, items: RankedItems) -> str:
    """Return the uuid of the first passage; empty if the question is refused."""
    passages = select_passages(question, items, NOW)
    return (passages[0].edge or passages[0].sources[-1]) if passages else ""


def test_fact_of_the_expected_kind_is_first() -> None:
    facts = [edge("f1", "Ana lives with a cat"), edge("f2", "Ana lives in Porto")]
    assert lead("Where does Ana live?", ranked(facts=facts)) == "f2"


def test_message_with_the_name_comes_before_a_fact_without_it() -> None:
    said = episode("m9", "im dating someone, her name is yolanda")
    assert lead("Who is Ana dating?", ranked([said], [edge("f1", "Ana is dating someone")])) == "m9"


def test_current_fact_comes_before_an_ended_one() -> None:
    ended = edge("f1", "Ana works at Birch", end=START)
    assert lead("Where does Ana work?", ranked(facts=[ended, edge("f2", "Ana works at Acme")])) == "f2"


def test_newest_of_several_values_is_first() -> None:
    weights = [
        episode(f"m{day}", f"my weight is {kilos} kg", day=day) for day, kilos in enumerate((88, 86, 85, 83, 81))
    ]
    assert lead("What is my weight?", ranked(weights)) == "m4"
    facts = [edge(f"f{day}", f"Ana weighs {88 - day} kg", start=START + timedelta(days=day)) for day in range(5)]
    assert lead("How much does Ana weigh?", ranked(facts=facts)) == "f4"


def test_question_about_the_past_does_not_prefer_the_newest() -> None:
    moved = edge("f1", "Ana moved to Porto (2023-05-08)", start=START)
    later = edge("f2", "Ana moved a piano (2023-06-07)", start=START + timedelta(days=30))
    assert lead("When did Ana move to Porto?", ranked(facts=[moved, later])) == "f1"


def test_self_description_of_another_speaker_is_not_about_the_subject() -> None:
    messages = [episode("m1", "I live in Porto.", speaker="Ben"), episode("m2", "We moved to Leeds.", day=1)]
    assert lead("Where does Ana live?", ranked(messages)) == "m2"


def test_girlfriend_of_another_person_is_not_the_answer() -> None:
    messages = [
        episode("m1", "Femi's girlfriend Jo is moving in.", speaker="Ben"),
        episode("m2", "I met somebody, her name is Bea.", day=1),
    ]
    assert lead("Who is Ana's girlfriend?", ranked(messages)) == "m2"


def test_speaker_is_the_answer_to_who_did_it() -> None:
    messages = [episode("m1", "Ben saw the fence."), episode("m2", "I painted the fence.", speaker="Ben", day=1)]
    assert lead("Who painted the fence?", ranked(messages)) == "m2"


def test_certain_fact_comes_before_an_uncertain_one() -> None:
    unsure = replace(edge("f1", "Ana lives in Ghent"), certain=False)
    assert lead("Where does Ana live?", ranked(facts=[unsure, edge("f2", "Ana lives in Porto")])) == "f2"


@pytest.mark.parametrize(
    "question",
    ["What is the capital of France?", "Where does Zoe live?", "What is Ana's shoe size?", "Who is Ana's dentist?"],
)
def test_question_without_evidence_is_refused(question: str) -> None:
    messages = [episode("m1", "I live in Porto and paint boats."), episode("m2", "Rex barked.", speaker="Ben", day=1)]
    assert lead(question, ranked(messages, [edge("f1", "Ana paints boats")])) == ""


def test_no_items_give_no_answer() -> None:
    assert select_passages("Where does Ana live?", RankedItems(), NOW) == ()


def test_score_is_between_0_and_1_and_higher_for_stronger_evidence() -> None:
    sure, vague = edge("f1", "Ana lives in Porto"), edge("f2", "Ana moved to a flat in Porto")
    one, two = (select_passages("Where does Ana live?", ranked(facts=[each]), NOW)[0].score for each in (sure, vague))
    assert 0.5 <= two < one <= 1.0
