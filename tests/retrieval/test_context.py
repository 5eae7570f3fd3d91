from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.models.graph import Precision
from mnemo.models.results import Found, Passage
from mnemo.providers.tokens import count_tokens
from mnemo.retrieval.context import build, shown_edge, shown_time
from mnemo.retrieval.ranking.ranked_items import RankedItems
from support.ranked_items import START, edge, entity, episode, items

TEXTS = st.text(max_size=400) | st.lists(
    st.sampled_from(["boats.", "Ana", "paints?", "\n", "犬", "🎨"]), max_size=300
).map(" ".join)


def test_facts_entities_and_messages_have_source_marks() -> None:
    context = build("Who adopted Rex?", items(), budget=500, now=START)
    assert context.text == (
        "Facts:\n"
        "- Ana adopted Rex (since 2023-05-08) [1]\n"
        "- Ana lives in Lisbon (ended 2023-05-08) [3]\n"
        "\n"
        "People and things:\n"
        "- Rex (also Rexy): dog\n"
        "\n"
        "Messages:\n"
        "[1] Mon 2023-05-08 12:30, Ana: I adopted Rex.\n"
        "[2] Tue 2023-05-09 12:30, Ben: Ben paints boats."
    )
    assert context.sources == ("m1", "m2", "m3")
    assert context.tokens == count_tokens(context.text)
    assert not context.truncated


def test_empty_search_gives_an_empty_context() -> None:
    context = build("?", RankedItems(), budget=100, now=START)
    assert (context.text, context.tokens, context.sources, context.truncated) == ("", 0, (), False)


def test_budget_too_small_for_any_line_gives_an_empty_context() -> None:
    context = build("?", items(), budget=5, now=START)
    assert (context.text, context.truncated) == ("", True)


def test_best_quote_comes_first_in_a_small_budget() -> None:
    assert build("?", items(), budget=40, now=START).sources[0] == "m1"


def test_long_message_is_cut_around_the_best_sentence() -> None:
    filler = "Nothing of note happened on that day. " * 60
    found = Found(item=episode("m", f"{filler}The zeppelin landed near Bonn. {filler}"), score=1.0, sources=("m",))
    context = build("Where did the zeppelin land?", RankedItems(episodes=(found,)), budget=200, now=START)
    assert "… " in context.text
    assert "The zeppelin landed near Bonn." in context.text
    assert context.text.endswith(" …")
    assert context.tokens <= 200


def test_same_fact_twice_is_shown_once() -> None:
    twice = tuple(Found(item=edge(uuid, "Ana sings"), score=1.0, sources=()) for uuid in ("a", "b"))
    assert build("?", RankedItems(edges=twice), budget=100, now=START).text == "Facts:\n- Ana sings"


def test_time_is_shown_in_the_zone_of_the_message() -> None:
    assert shown_time(episode("m", "", zone="Pacific/Auckland")) == "Tue 2023-05-09 00:30 Pacific/Auckland"
    assert shown_time(replace(episode("m", ""), occurred_at=None)) == "undated"
    assert shown_time(episode("m", "", zone="Not/AZone")) == "Mon 2023-05-08 12:30 Not/AZone"


LATER = START + timedelta(days=30)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "Ana sings"),
        ({"valid_from": START}, "Ana sings (since 2023-05-08)"),
        ({"valid_from": START, "precision": "minute"}, "Ana sings (since 2023-05-08 12:30)"),
        ({"valid_from": START, "precision": "month"}, "Ana sings (since 2023-05)"),
        ({"valid_from": START, "valid_to": LATER, "precision": "year"}, "Ana sings (from 2023 until 2023-06-07)"),
        ({"valid_to": LATER}, "Ana sings (until 2023-06-07)"),
        ({"valid_to": START}, "Ana sings (ended 2023-05-08)"),
        ({"valid_from": START - timedelta(days=7), "valid_to": START}, "Ana sings (from 2023-05-01, ended 2023-05-08)"),
        ({"valid_from": LATER}, "Ana sings (to come: 2023-06-07)"),
        ({"valid_from": LATER, "precision": "minute"}, "Ana sings (to come: 2023-06-07 12:30)"),
        ({"valid_from": LATER, "event": True}, "Ana sings (to come: 2023-06-07)"),
        ({"valid_from": START, "event": True}, "Ana sings (2023-05-08)"),
        ({"valid_from": START, "event": True, "event_end": LATER}, "Ana sings (2023-05-08 to 2023-06-07)"),
        ({"certain": False}, "Ana sings (unsure)"),
        ({"valid_from": LATER, "certain": False}, "Ana sings (to come: 2023-06-07, unsure)"),
        (
            {"valid_from": START - timedelta(days=4), "recurs": "yearly"},
            "Ana sings (every year on 4 May, next 2024-05-04)",
        ),
    ],
)
def test_fact_shows_when_it_holds(fields: dict[str, Any], expected: str) -> None:
    assert shown_edge(replace(edge("f", "Ana sings"), **fields), START + timedelta(hours=1)) == expected


def test_start_in_the_fact_text_is_not_repeated() -> None:
    assert shown_edge(edge("f", "Ana sang (2023-05-08)", start=START), START) == "Ana sang (2023-05-08)"
    coming = edge("f", "Ana sings (2023-06-07)", start=LATER)
    assert shown_edge(coming, START) == "Ana sings (2023-06-07) (to come)"


NOW = datetime(2026, 1, 1, tzinfo=UTC)
MIDNIGHT_IN_LONDON = datetime(2025, 4, 7, 23, tzinfo=UTC)
HALF_PAST_MIDNIGHT_IN_AUCKLAND = datetime(2023, 5, 8, 12, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("start", "zone", "precision", "fact", "expected"),
    [
        (MIDNIGHT_IN_LONDON, "Europe/London", "day", "Theo fell (2025-04-08)", "Theo fell (2025-04-08)"),
        (MIDNIGHT_IN_LONDON, "Europe/London", "day", "Theo fell", "Theo fell (since 2025-04-08)"),
        (MIDNIGHT_IN_LONDON, "Europe/London", "week", "Theo ran (week of 2025-04-08)", "Theo ran (week of 2025-04-08)"),
        (MIDNIGHT_IN_LONDON, None, "day", "Theo fell", "Theo fell (since 2025-04-07)"),
        (HALF_PAST_MIDNIGHT_IN_AUCKLAND, "Pacific/Auckland", "day", "Kei sang", "Kei sang (since 2023-05-09)"),
        (HALF_PAST_MIDNIGHT_IN_AUCKLAND, "No/Such", "day", "Kei sang", "Kei sang (since 2023-05-08)"),
        (
            datetime(2024, 4, 30, 12, tzinfo=UTC),
            "Pacific/Auckland",
            "month",
            "Kei ran (May 2024)",
            "Kei ran (May 2024)",
        ),
        (datetime(2023, 12, 31, 11, tzinfo=UTC), "Pacific/Auckland", "year", "Kei won (2024)", "Kei won (2024)"),
    ],
)
def test_fact_days_are_in_its_zone_and_shown_once(
    start: datetime, zone: str | None, precision: Precision, fact: str, expected: str
) -> None:
    assert shown_edge(replace(edge("f", fact, start=start), zone=zone, precision=precision), NOW) == expected


def test_end_day_is_in_the_zone() -> None:
    held = replace(edge("f", "Ana sings"), valid_to=MIDNIGHT_IN_LONDON, zone="Europe/London")
    assert shown_edge(held, START) == "Ana sings (until 2025-04-08)"
    assert shown_edge(held, NOW) == "Ana sings (ended 2025-04-08)"
    assert shown_edge(replace(held, fact="Ana sings (until 2025-04-08)"), START) == "Ana sings (until 2025-04-08)"


@given(
    st.lists(TEXTS, max_size=6),
    st.lists(TEXTS.filter(bool), max_size=6),
    st.lists(TEXTS.filter(bool), max_size=4),
    st.integers(0, 300),
)
def test_budget_is_never_exceeded_and_marks_match_sources(
    messages: list[str], facts: list[str], things: list[str], budget: int
) -> None:
    made = RankedItems(
        episodes=tuple(
            Found(item=episode(f"m{n}", text), score=1.0, sources=(f"m{n}",)) for n, text in enumerate(messages)
        ),
        edges=tuple(Found(item=edge(f"f{n}", text), score=1.0, sources=(f"m{n}",)) for n, text in enumerate(facts)),
        entities=tuple(Found(item=entity(f"n{n}", text, tags=("tag",)), score=1.0) for n, text in enumerate(things)),
    )
    context = build("Ana boats", made, budget=budget, now=START)
    assert count_tokens(context.text) == context.tokens <= budget
    assert build("Ana boats", made, budget=budget, now=START) == context
    assert len(set(context.sources)) == len(context.sources)
    for mark in range(1, len(context.sources) + 1):
        assert f"[{mark}]" in context.text


def test_newest_message_of_passages_is_first_even_in_a_small_budget() -> None:
    old, new = episode("m1", "My weight is 88 kg."), episode("m2", "I weigh 81 kg now.", day=9)
    ranked = RankedItems(
        episodes=(Found(item=old, score=0.9, sources=("m1",)),),
        edges=(
            Found(item=edge("f1", "Ana weighs 88 kg"), score=0.9, sources=("m1",)),
            Found(item=edge("f2", "Ana weighs 81 kg"), score=0.8, sources=("m1", "m2")),
        ),
        sources={"m2": new},
    )
    first = (Passage(edge="f2", sources=("m1", "m2"), score=0.9),)
    shown = build("What is my weight?", ranked, budget=60, now=START, first=first)
    assert shown.text == (
        "Facts:\n- Ana weighs 81 kg [2][1]\n\nMessages:\n[1] Wed 2023-05-17 12:30, Ana: I weigh 81 kg now."
    )
    assert shown.truncated
