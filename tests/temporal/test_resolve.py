import re
import time
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.temporal.resolve import When, resolve
from support.paths import CASES

TEXT_CASES = CASES / "temporal.txt"
LONDON = ZoneInfo("Europe/London")
MONDAY = datetime(2023, 5, 8, 13, 56)  # noqa: DTZ001  # local to the zone of each test


@dataclass(frozen=True)
class Case:
    text: str
    anchor: datetime | None
    zone: ZoneInfo
    expected: list[tuple[str, str, str, str, str]]


def case(line: str) -> Case:
    marked, anchor, zone, start, end, precision, sense = (part.strip() for part in line.split("|"))
    phrase = re.search(r"\[(.*?)\]", marked)
    return Case(
        text=marked.replace("[", "").replace("]", ""),
        anchor=None if anchor == "-" else datetime.fromisoformat(anchor),
        zone=ZoneInfo(zone),
        expected=[(phrase[1], start, end, precision, sense)] if phrase else [],
    )


LINES = [line for line in TEXT_CASES.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("line", LINES)
def test_phrase_means_what_the_table_says(line: str) -> None:
    given_case = case(line)
    found = resolve(given_case.text, given_case.anchor, given_case.zone)

    def local(moment: datetime) -> str:
        return moment.astimezone(given_case.zone).strftime("%Y-%m-%d %H:%M")

    def sense(when: When) -> str:
        return " ".join([when.sense, *(["about"] if when.approximate else []), *([when.recurs] if when.recurs else [])])

    shown = [(when.phrase, local(when.start), local(when.end), when.precision, sense(when)) for when in found]
    assert shown == given_case.expected


def test_each_date_follows_the_verb_of_its_own_clause() -> None:
    text = "I graduated in June and I'm starting at Acme in September."
    starts = [when.start.date() for when in resolve(text, datetime(2023, 8, 1), ZoneInfo("UTC"))]  # noqa: DTZ001  # local
    assert starts == [date(2023, 6, 1), date(2023, 9, 1)]


def test_old_and_new_date_of_a_move_are_not_a_range() -> None:
    found = resolve("We moved the meeting from Monday to Tuesday.", MONDAY, ZoneInfo("UTC"))
    assert [when.start.date() for when in found] == [date(2023, 5, 1), date(2023, 5, 9)]


def test_bounds_are_utc_instants_of_the_local_day() -> None:
    [when] = resolve("yesterday", datetime(2025, 3, 10, 0, 30), ZoneInfo("Pacific/Auckland"))  # noqa: DTZ001  # local
    assert when.start == datetime(2025, 3, 8, 11, tzinfo=UTC)
    assert when.end == datetime(2025, 3, 9, 11, tzinfo=UTC)
    assert when.start.utcoffset() == timedelta(0)


def test_aware_anchor_counts_by_the_day_of_its_zone() -> None:
    anchor = datetime(2025, 3, 9, 11, 30, tzinfo=UTC)
    [when] = resolve("yesterday", anchor, ZoneInfo("Pacific/Auckland"))
    assert when.start == datetime(2025, 3, 8, 11, tzinfo=UTC)


def test_day_of_a_clock_change_is_an_hour_short_or_long() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    [spring] = resolve("on 26 March 2023", None, berlin)
    [autumn] = resolve("on 29 October 2023", None, berlin)
    assert spring.end - spring.start == timedelta(hours=23)
    assert autumn.end - autumn.start == timedelta(hours=25)


def test_several_phrases_are_in_text_order() -> None:
    text = "I left yesterday, I'm back next week and by June I'm gone."
    assert [when.phrase for when in resolve(text, MONDAY, LONDON)] == ["yesterday", "next week", "by June"]


def test_order_of_day_and_month_can_be_given() -> None:
    [first] = resolve("5/6/2023", None, LONDON, dates="month-first")
    [second] = resolve("5/6/2023", None, ZoneInfo("America/New_York"), dates="day-first")
    assert (first.start.day, second.start.day) == (5, 5)
    assert first.start == datetime(2023, 5, 5, 23, tzinfo=UTC)
    assert second.start == datetime(2023, 6, 5, 4, tzinfo=UTC)


def test_phrase_alone_needs_no_preposition() -> None:
    assert [(when.phrase, when.precision) for when in resolve("June", MONDAY, LONDON)] == [("June", "month")]
    assert [(when.phrase, when.precision) for when in resolve("2016", None, LONDON)] == [("2016", "year")]
    assert resolve("June called", MONDAY, LONDON) == []


def test_day_that_a_zone_skipped_is_not_empty() -> None:
    [when] = resolve("2011-12-30", None, ZoneInfo("Pacific/Apia"))
    assert when.start < when.end


def test_absurdly_large_count_gives_no_time() -> None:
    assert resolve("9999 years ago and 9999 months from now", MONDAY, LONDON) == []


def test_long_text_is_resolved_quickly() -> None:
    text = "I went there last Saturday and in June we will be 5 weeks old. " * 1_000
    started = time.perf_counter()
    assert len(resolve(text, MONDAY, LONDON)) == 2_000
    assert time.perf_counter() - started < 10


VOCABULARY = """
the last next this a few two 3 9999 day week month year weekend summer Saturday ago in on at of before after since
until for past June May 31 2023 5/6/2023 2023-02-30 Christmas night morning 3pm 25:00 early end and half yesterday
tomorrow ayer gestern hier vor hace 昨日 先週 年前 3日前 99月99日 . , -
"""
WORDS = st.sampled_from(VOCABULARY.split())
TEXTS = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=12).map(" ".join))
ZONES = st.sampled_from(["UTC", "Pacific/Auckland", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu"]).map(
    ZoneInfo
)
ANCHORS = st.none() | st.datetimes(datetime(1001, 1, 1), datetime(2998, 12, 31)) | st.datetimes(timezones=st.just(UTC))  # noqa: DTZ001  # local


@given(TEXTS, ANCHORS, ZONES)
def test_any_text_resolves_to_valid_intervals(text: str, anchor: datetime | None, zone: ZoneInfo) -> None:
    end = 0
    for when in resolve(text, anchor, zone):
        first, last = when.span
        assert end <= first < last
        assert text[first:last] == when.phrase
        assert when.start < when.end
        assert 999 <= when.start.year <= when.end.year <= 2999
        end = last


@given(TEXTS, ZONES)
def test_without_an_anchor_only_phrases_with_a_year_resolve(text: str, zone: ZoneInfo) -> None:
    assert all(re.search(r"\d\d", when.phrase) for when in resolve(text, None, zone))
