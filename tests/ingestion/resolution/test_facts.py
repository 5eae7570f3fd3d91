"""Which fact is new, known, or ends an older one."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.ingestion.extraction import State
from mnemo.ingestion.resolution.facts import FactResolution, resolve_facts
from mnemo.ingestion.resolution.types import Closing, ResolvedFact

JAN, MAR, MAY, SEP = (datetime(2023, month, 1, tzinfo=UTC) for month in (1, 3, 5, 9))


def fact(
    relation: str,
    value: str | None,
    said: datetime,
    state: State = "holds",
    since: datetime | None = None,
    subject: str = "Ana",
) -> ResolvedFact:
    return ResolvedFact(
        uuid=f"{subject} {relation} {value} {said:%Y%m%d} {state}",
        subject=subject,
        relation=relation,
        object=value,
        fact=f"{subject} {relation} {value}",
        state=state,
        valid_from=None if state == "ends" else since,
        valid_to=since if state == "ends" else None,
        said_at=said,
        when=None,
        precision="unknown",
    )


def after_each(*facts: ResolvedFact) -> list[ResolvedFact]:
    """Facts as they stand after one window each."""
    stored: list[ResolvedFact] = []
    for each in facts:
        stored = _after(stored, each, resolve_facts([each], stored))
    return stored


def _after(stored: list[ResolvedFact], stated: ResolvedFact, decided: FactResolution) -> list[ResolvedFact]:
    again = dict.fromkeys(decided.edge_uuids, stated.said_at)
    ends = {closing.edge: closing.valid_to for closing in decided.closings}
    starts = {opening.edge: opening.valid_from for opening in decided.openings}
    kept = [_changed(edge, starts, ends, again) for edge in stored]
    return kept + [replace(edge, stored=True) for edge in decided.edges]


def _changed(
    edge: ResolvedFact,
    starts: dict[str, datetime],
    ends: dict[str, datetime],
    again: dict[str, datetime],
) -> ResolvedFact:
    last = edge.last_said_at or edge.said_at
    return replace(
        edge,
        valid_from=starts.get(edge.uuid, edge.valid_from),
        valid_to=ends.get(edge.uuid, edge.valid_to),
        last_said_at=max(last, again.get(edge.uuid, last)),
        said_at=min(edge.said_at, again.get(edge.uuid, edge.said_at)),
    )


def intervals(stored: Sequence[ResolvedFact]) -> dict[str, tuple[datetime | None, datetime | None]]:
    return {f"{edge.relation} {edge.object}": (edge.valid_from, edge.valid_to) for edge in stored}


def test_new_job_closes_the_old_one_at_its_start() -> None:
    stored = after_each(
        fact("works_at", "Acme", MAY), fact("works_at", "Birch", SEP, "begins", SEP - timedelta(days=7))
    )
    assert intervals(stored) == {
        "works_at Acme": (None, SEP - timedelta(days=7)),
        "works_at Birch": (SEP - timedelta(days=7), None),
    }


def test_without_a_start_the_message_time_counts() -> None:
    stored = after_each(fact("lives_in", "Paris", JAN), fact("lives_in", "Lyon", MAY, "begins"))
    assert intervals(stored) == {"lives_in Paris": (None, MAY), "lives_in Lyon": (MAY, None)}


def test_order_of_arrival_does_not_matter() -> None:
    facts = (
        fact("works_at", "Acme", JAN),
        fact("works_at", "Birch", MAY, "begins", MAR),
        fact("works_at", "Cedar", SEP, "begins", SEP),
    )
    results = {tuple(sorted(intervals(after_each(*order)).items())) for order in permutations(facts)}
    assert results == {
        (("works_at Acme", (None, MAR)), ("works_at Birch", (MAR, SEP)), ("works_at Cedar", (SEP, None)))
    }


def test_older_opinion_told_later_is_the_closed_one() -> None:
    stored = after_each(fact("dislikes", "pizza", SEP), fact("likes", "pizza", JAN))
    assert intervals(stored) == {"dislikes pizza": (SEP, None), "likes pizza": (None, SEP)}


def test_reversed_opinion_is_current_and_the_old_one_closed() -> None:
    stored = after_each(fact("likes", "pizza", JAN), fact("dislikes", "pizza", MAY), fact("likes", "pizza", SEP))
    assert [(edge.relation, edge.valid_from, edge.valid_to) for edge in stored] == [
        ("likes", None, MAY),
        ("dislikes", MAY, SEP),
        ("likes", SEP, None),
    ]


def test_love_and_hate_in_one_message_leave_the_later_one() -> None:
    decided = resolve_facts([fact("likes", "pizza", JAN), fact("dislikes", "pizza", JAN)], [])
    assert [(edge.relation, edge.valid_to) for edge in decided.edges] == [("likes", JAN), ("dislikes", None)]


def test_opinion_about_another_thing_closes_nothing() -> None:
    assert not resolve_facts([fact("dislikes", "olives", MAY)], after_each(fact("likes", "pizza", JAN))).closings


@pytest.mark.parametrize(
    "other",
    [
        fact("owns", "dog", MAY),
        fact("lives_in", "Lyon", MAY),
        fact("works_at", "Birch", MAY, subject="Ben"),
        fact("went_to", "Birch", MAY, "happened"),
        fact("worked_at", "Birch", MAY, "happened"),
        fact("works_at", "Birch", MAY, "happened", JAN),
    ],
)
def test_only_same_subject_and_relation_compete(other: ResolvedFact) -> None:
    decided = resolve_facts([other], after_each(fact("works_at", "Acme", JAN)))
    assert len(decided.edges) == 1
    assert decided.closings == ()


def test_restated_fact_is_known() -> None:
    stored = after_each(fact("works_at", "Acme", JAN))
    decided = resolve_facts([fact("works_at", "Acme", MAY)], stored)
    assert decided == FactResolution((), (stored[0].uuid,), (), ())


def test_older_restatement_is_known_too() -> None:
    stored = after_each(fact("works_at", "Acme", MAY))
    assert resolve_facts([fact("works_at", "Acme", JAN)], stored).edge_uuids == (stored[0].uuid,)


def test_quitting_closes_the_job_and_is_an_event_itself() -> None:
    decided = resolve_facts([fact("works_at", "Acme", SEP, "ends", MAY)], after_each(fact("works_at", "Acme", JAN)))
    assert [(edge.relation, edge.valid_from) for edge in decided.edges] == [("left", MAY)]
    assert [closing.valid_to for closing in decided.closings] == [MAY]


def test_job_told_after_its_end_is_closed_at_once() -> None:
    stored = after_each(fact("works_at", "Acme", SEP, "ends", MAY), fact("works_at", "Acme", JAN))
    assert intervals(stored)["works_at Acme"] == (None, MAY)


def test_quitting_one_place_leaves_another_alone() -> None:
    assert (
        resolve_facts([fact("works_at", "Oak", SEP, "ends")], after_each(fact("works_at", "Acme", JAN))).closings == ()
    )


def test_returning_makes_a_second_interval() -> None:
    moves = [fact("lives_in", "Lyon", MAY, "begins"), fact("lives_in", "Paris", SEP, "begins")]
    stored = after_each(fact("lives_in", "Paris", JAN), *moves)
    assert [(edge.object, edge.valid_from, edge.valid_to) for edge in stored] == [
        ("Paris", None, MAY),
        ("Lyon", MAY, SEP),
        ("Paris", SEP, None),
    ]


def test_married_closes_engaged_even_to_the_same_person() -> None:
    stored = after_each(fact("engaged_to", "Ben", JAN), fact("married_to", "Ben", SEP, "begins", MAY))
    assert intervals(stored) == {"engaged_to Ben": (None, MAY), "married_to Ben": (MAY, None)}


def test_same_event_twice_is_one_and_at_another_time_two() -> None:
    went = fact("go_to", "gym", JAN, "happened", JAN)
    again = fact("go_to", "gym", MAY, "happened", JAN)
    later = fact("go_to", "gym", SEP, "happened", SEP)
    stored = after_each(went)
    assert resolve_facts([again], stored).edge_uuids == (went.uuid,)
    other = ResolvedFact(
        uuid="x",
        subject="Ana",
        relation="go_to",
        object="gym",
        fact="Ana went to the gym again",
        state="happened",
        valid_from=SEP,
        valid_to=None,
        said_at=later.said_at,
        when=None,
        precision="day",
    )
    assert resolve_facts([other], stored).edge_uuids == ("x",)


def test_judge_may_join_or_close_what_the_rules_leave_open() -> None:
    stored = after_each(fact("is", "vegetarian", JAN, "happened"))
    new = fact("became", "vegan", MAY, "happened")
    key = (new.uuid, stored[0].uuid)
    assert resolve_facts([new], stored, {key: "same"}).edge_uuids == (stored[0].uuid,)
    state = fact("is", "vegan", MAY)
    closed = resolve_facts([state], stored, {(state.uuid, stored[0].uuid): "contradicts"})
    assert closed.closings == (Closing(edge=stored[0].uuid, valid_to=MAY),)


moments = st.integers(0, 400).map(lambda day: JAN + timedelta(days=day))


towns = st.sampled_from(["Paris", "Lyon", "Rome", "Oslo", "Bonn"])


@given(
    st.lists(st.tuples(towns, moments), min_size=1, max_size=5, unique_by=(lambda pair: pair[0], lambda pair: pair[1]))
)
def test_one_home_at_any_moment_in_any_order(homes: list[tuple[str, datetime]]) -> None:
    stored = after_each(*(fact("lives_in", town, said, "begins", said) for town, said in homes))
    for _, moment in homes:
        holding = {
            edge.object
            for edge in stored
            if (edge.valid_from or moment) <= moment and (edge.valid_to is None or moment < edge.valid_to)
        }
        assert holding == {town for town, said in homes if said == moment}


@given(st.lists(st.tuples(towns, moments), min_size=1, max_size=7, unique_by=lambda pair: pair[1]))
def test_home_told_of_last_is_current_in_any_order(homes: list[tuple[str, datetime]]) -> None:
    stored = after_each(*(fact("lives_in", town, said, "begins") for town, said in homes))
    assert {edge.object for edge in stored if edge.valid_to is None} == {max(homes, key=lambda pair: pair[1])[0]}


@given(st.permutations([("likes", JAN), ("dislikes", MAR), ("likes", MAY), ("dislikes", SEP)]))
def test_newest_opinion_is_current_in_any_order(opinions: list[tuple[str, datetime]]) -> None:
    stored = after_each(*(fact(relation, "pizza", said) for relation, said in opinions))
    assert [edge.relation for edge in stored if edge.valid_to is None] == ["dislikes"]


relations = st.sampled_from(["works_at", "likes", "owns", "eats"])


@given(st.lists(st.tuples(relations, st.sampled_from("ABC"), moments), max_size=8, unique_by=lambda tale: tale[2]))
def test_telling_it_all_twice_adds_nothing(tales: list[tuple[str, str, datetime]]) -> None:
    facts = [fact(relation, value, said) for relation, value, said in tales]
    once = after_each(*facts)
    current = {(e.relation, e.object) for e in once if e.valid_to is None}
    again = after_each(*facts, *facts)
    assert {(e.relation, e.object) for e in again if e.valid_to is None} == current


def test_what_is_given_up_is_had_no_more_however_it_was_had() -> None:
    decided = resolve_facts([fact("gave_up", "Toyota", MAY, "happened")], after_each(fact("drive", "Toyota", JAN)))
    assert [closing.valid_to for closing in decided.closings] == [MAY]
    other = resolve_facts([fact("gave_up", "Toyota", MAY, "happened")], after_each(fact("visit", "Toyota", JAN)))
    assert other.closings == ()


def test_what_is_switched_to_takes_the_relation_of_what_is_left() -> None:
    both = [fact("switched_from", "Siemens", MAY, "happened"), fact("switched_to", "Bosch", MAY, "begins")]
    decided = resolve_facts(both, after_each(fact("works_at", "Siemens", JAN)))
    assert [closing.valid_to for closing in decided.closings] == [MAY]
    assert [(edge.relation, edge.object, edge.valid_from) for edge in decided.edges] == [
        ("switched_from", "Siemens", MAY),
        ("works_at", "Bosch", MAY),
    ]
    alone = resolve_facts(both, after_each(fact("works_at", "Acme", JAN)))
    assert [(edge.relation, edge.valid_to) for edge in alone.edges] == [("switched_from", None), ("switched_to", None)]


def test_moves_told_late_follow_their_own_dates_whatever_was_said_last() -> None:
    moves = [fact("lives_in", "Paris", MAR, "begins", JAN), fact("lives_in", "Lyon", SEP, "begins", MAY)]
    for order in (moves, [replace(moves[1], said_at=MAR), replace(moves[0], said_at=SEP)]):
        stored = after_each(*order)
        assert {(edge.object, edge.valid_from, edge.valid_to) for edge in stored} == {
            ("Paris", JAN, MAY),
            ("Lyon", MAY, None),
        }


def test_a_denial_and_what_it_denies_take_turns() -> None:
    stored = after_each(fact("not_eat", "meat", JAN), fact("eat", "meat", MAR), fact("not_eat", "meat", MAY))
    assert [(edge.relation, edge.valid_to) for edge in stored] == [("not_eat", MAR), ("eat", MAY), ("not_eat", None)]


def test_a_value_without_an_object_is_compared_by_its_sentence() -> None:
    numbers = [
        replace(fact("phone_number_is", None, said), fact=f"number {n}", replaces=n > 1)
        for n, said in ((1, JAN), (2, MAR))
    ]
    assert [edge.valid_to for edge in after_each(*numbers)] == [MAR, None]
    assert len(after_each(numbers[0], replace(numbers[0], said_at=MAY))) == 1
