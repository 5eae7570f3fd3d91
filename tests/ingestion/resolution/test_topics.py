"""Which facts a message ends in words, and which plans it carries out."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mnemo.ingestion.resolution.topics import facts_ended_by, fulfils_plan, search_words
from mnemo.ingestion.resolution.types import ResolvedFact

MAY, SEP = datetime(2025, 5, 1, tzinfo=UTC), datetime(2025, 9, 1, tzinfo=UTC)
RUNS = ResolvedFact(
    uuid="runs",
    subject="ana",
    relation="start_run",
    object=None,
    fact="Ana started running",
    said_at=MAY,
    state="begins",
)
GAVE_UP = replace(RUNS, uuid="gave up", fact="Ana gave up running", said_at=SEP, state="happened", topics=("run",))


def test_a_topic_ends_a_state_of_the_same_one_that_says_it() -> None:
    assert facts_ended_by([RUNS], GAVE_UP)


@pytest.mark.parametrize(
    "other",
    [
        replace(RUNS, subject="bo"),
        replace(RUNS, state="happened"),
        replace(RUNS, fact="Ana started painting", relation="start_paint"),
        replace(RUNS, said_at=datetime(2025, 12, 1, tzinfo=UTC)),
    ],
    ids=["another one", "an event", "another topic", "said later"],
)
def test_nothing_else_ends(other: ResolvedFact) -> None:
    assert facts_ended_by([other], GAVE_UP) == []


def test_a_topic_with_its_owner_needs_no_common_subject() -> None:
    flight = replace(RUNS, relation="flight_is", fact="Ana's flight is on Friday", valid_from=SEP, state="happened")
    cancelled = replace(GAVE_UP, subject="airline", fact="The airline cancelled Ana's flight", topics=("Ana's flight",))
    assert facts_ended_by([flight], replace(cancelled, said_at=MAY))


def test_a_plan_mark_ends_plans_only() -> None:
    stays = replace(GAVE_UP, topics=("~move",))
    moves = replace(RUNS, relation="move_to", fact="Ana moves to Oslo")
    assert facts_ended_by([moves], stays) == []
    assert facts_ended_by([replace(moves, valid_from=SEP)], stays)


def test_a_sister_stays_a_sister_but_a_dog_that_died_is_nobodys() -> None:
    died = replace(GAVE_UP, subject="x", fact="X died", topics=("Rex",))
    dog = replace(RUNS, relation="has_dog", object="x", fact="Rex is Ana's dog")
    assert facts_ended_by([dog], died)
    assert facts_ended_by([replace(dog, relation="has_sister", fact="Rex is Ana's sister")], died) == []


def test_what_happened_as_planned_carries_out_the_plan() -> None:
    plan = replace(RUNS, relation="plans_to_buy", object="piano", fact="Ana is going to buy a piano", state="happened")
    bought = replace(GAVE_UP, relation="owns", object="piano", fact="Ana bought a piano", state="begins", topics=())
    assert fulfils_plan(plan, bought)
    assert not fulfils_plan(plan, replace(bought, object="harp", fact="Ana bought a harp"))


def test_search_words_are_beginnings_that_other_forms_share() -> None:
    assert search_words("running shoes") == ("run", "sho")
