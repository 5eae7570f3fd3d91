from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from mnemo.models.graph import Phase
from support.ranked_items import START, edge

FACT = edge("f", "Ana sings")
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("fields", "phase"),
    [
        ({}, "current"),
        ({"valid_from": START - DAY}, "current"),
        ({"valid_from": START + DAY}, "upcoming"),
        ({"valid_from": START + DAY, "event": True}, "upcoming"),
        ({"valid_from": START - DAY, "event": True}, "event"),
        ({"event": True}, "event"),
        ({"valid_to": START}, "ended"),
        ({"valid_to": START + DAY}, "current"),
        ({"valid_from": START + DAY, "recurs": "yearly"}, "current"),
    ],
)
def test_phase_follows_from_the_times(fields: dict[str, object], phase: Phase) -> None:
    assert replace(FACT, **fields).phase(START) == phase  # type: ignore[arg-type]  # fields of a test


@pytest.mark.parametrize(
    ("known", "now", "expected"),
    [
        (date(1990, 5, 4), datetime(2026, 3, 1, tzinfo=UTC), date(2026, 5, 4)),
        (date(2030, 5, 4), datetime(2026, 3, 1, tzinfo=UTC), date(2026, 5, 4)),
        (date(1990, 5, 4), datetime(2026, 5, 4, 9, tzinfo=UTC), date(2026, 5, 4)),
        (date(1990, 5, 4), datetime(2026, 5, 5, tzinfo=UTC), date(2027, 5, 4)),
        (date(2024, 2, 29), datetime(2026, 1, 1, tzinfo=UTC), date(2026, 2, 28)),
        (date(2024, 2, 29), datetime(2027, 12, 1, tzinfo=UTC), date(2028, 2, 29)),
    ],
)
def test_yearly_fact_recurs_on_its_day(known: date, now: datetime, expected: date) -> None:
    start = datetime(known.year, known.month, known.day, tzinfo=UTC)
    assert replace(FACT, valid_from=start, recurs="yearly").next_occurrence(now) == expected


def test_day_of_a_yearly_fact_is_that_of_its_zone() -> None:
    start = datetime(2020, 5, 3, 13, tzinfo=UTC)  # 4 May, 01:00 in Auckland
    yearly = replace(FACT, valid_from=start, recurs="yearly", zone="Pacific/Auckland")
    assert yearly.next_occurrence(datetime(2026, 1, 1, tzinfo=UTC)) == date(2026, 5, 4)


def test_fact_that_does_not_recur_has_no_next_day() -> None:
    assert replace(FACT, valid_from=START).next_occurrence(START) is None
    assert replace(FACT, recurs="yearly").next_occurrence(START) is None
