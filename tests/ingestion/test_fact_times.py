"""Dates of facts, as stored and as shown."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mnemo.ingestion.fact_times import format_time, local_time, resolve_timing
from support.builders import episode

MONDAY = episode("x")


@pytest.mark.parametrize(
    ("phrase", "shown", "start"),
    [
        ("last Saturday", "2023-05-06", datetime(2023, 5, 6, tzinfo=UTC)),
        ("last week", "week of 2023-05-01", datetime(2023, 5, 1, tzinfo=UTC)),
        ("in March", "March 2023", datetime(2023, 3, 1, tzinfo=UTC)),
        ("since 2019", "since 2019", datetime(2019, 1, 1, tzinfo=UTC)),
        ("last year", "2022", datetime(2022, 1, 1, tzinfo=UTC)),
    ],
)
def test_phrase_is_resolved_and_shown_with_its_precision(phrase: str, shown: str, start: datetime) -> None:
    time = resolve_timing(phrase, MONDAY)
    assert time.when is not None
    assert (format_time(time.when, MONDAY), time.start) == (shown, start)


def test_until_is_an_end() -> None:
    time = resolve_timing("until 2019", MONDAY)
    assert (time.start, time.end) == (None, datetime(2019, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize("phrase", [None, "", "soonish"])
def test_statement_without_a_date_has_no_time(phrase: str | None) -> None:
    assert resolve_timing(phrase, MONDAY).start is None


def test_time_of_writing_is_shown_in_its_zone() -> None:
    auckland = replace(MONDAY, occurred_at=datetime(2023, 5, 7, 12, 30, tzinfo=UTC), zone="Pacific/Auckland")
    assert local_time(auckland) == "2023-05-08 00:30 Monday"
    assert local_time(replace(MONDAY, occurred_at=None)) == ""


def test_surrounding_words_decide_past_or_future() -> None:
    wednesday = datetime(2025, 5, 14, 18, tzinfo=UTC)
    said = replace(MONDAY, content="Started at IOM on Monday. I fly on Monday.", occurred_at=wednesday, zone="UTC")
    assert resolve_timing("on Monday", said).start == datetime(2025, 5, 12, tzinfo=UTC)
    assert resolve_timing("on Monday", said, (26, 41)).start == datetime(2025, 5, 19, tzinfo=UTC)
