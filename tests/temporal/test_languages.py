"""Time expressions in other languages and notations, with the expected days."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from mnemo.temporal.resolve import When, resolve

UTC = ZoneInfo("UTC")
MONDAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def only(text: str) -> When:
    (when,) = resolve(text, MONDAY, UTC)
    return when


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Ontem comprei um piano", "2023-05-07", "2023-05-08"),
        ("no sábado passado", "2023-05-06", "2023-05-07"),
        ("há duas semanas", "2023-04-24", "2023-05-01"),
        ("em 3 de maio de 2021", "2021-05-03", "2021-05-04"),
        ("no verão passado", "2022-06-01", "2022-09-01"),
        ("segunda-feira passada", "2023-05-01", "2023-05-02"),
        ("semana que vem", "2023-05-15", "2023-05-22"),
        ("Ieri ho comprato un piano", "2023-05-07", "2023-05-08"),
        ("l'altro ieri", "2023-05-06", "2023-05-07"),
        ("tre giorni fa", "2023-05-05", "2023-05-06"),
        ("tra due mesi", "2023-07-01", "2023-08-01"),
        ("il 3 maggio 2021", "2021-05-03", "2021-05-04"),
        ("l'estate scorsa", "2022-06-01", "2022-09-01"),
        ("im letzten Sommer", "2022-06-01", "2022-09-01"),
        ("am kommenden Freitag", "2023-05-12", "2023-05-13"),
        ("vorletzte Woche", "2023-04-24", "2023-05-01"),
        ("Ende April", "2023-04-21", "2023-05-01"),
        ("im März", "2023-03-01", "2023-04-01"),
        ("Seit 2019 lebe ich in Köln", "2019-01-01", "2020-01-01"),
        ("le mois dernier", "2023-04-01", "2023-05-01"),
        ("samedi dernier", "2023-05-06", "2023-05-07"),
        ("l'été dernier", "2022-06-01", "2022-09-01"),
        ("el lunes que viene", "2023-05-15", "2023-05-16"),
        ("el verano pasado", "2022-06-01", "2022-09-01"),
        ("gisteren", "2023-05-07", "2023-05-08"),
        ("drie weken geleden", "2023-04-17", "2023-04-24"),
        ("вчера", "2023-05-07", "2023-05-08"),
        ("три дня назад", "2023-05-05", "2023-05-06"),
        ("十二日前", "2023-04-26", "2023-04-27"),
        ("令和3年5月3日", "2021-05-03", "2021-05-04"),
        ("去年の夏", "2022-06-01", "2022-09-01"),
        ("2019年から", "2019-01-01", "2020-01-01"),
        ("12月25日にケーキを食べた。", "2022-12-25", "2022-12-26"),
        ("大前天", "2023-05-05", "2023-05-06"),
        ("十五天前", "2023-04-23", "2023-04-24"),
        ("上周末", "2023-05-06", "2023-05-08"),
        ("去年五月", "2022-05-01", "2022-06-01"),
        ("어제 피아노를 샀어", "2023-05-07", "2023-05-08"),
        ("3일 전", "2023-05-05", "2023-05-06"),
        ("2021년 5월 3일", "2021-05-03", "2021-05-04"),
    ],
)
def test_other_languages_give_the_same_days(text: str, start: str, end: str) -> None:
    when = only(text)
    assert (f"{when.start:%Y-%m-%d}", f"{when.end:%Y-%m-%d}") == (start, end)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("twenty-five days ago", "2023-04-13", "2023-04-14"),
        ("forty two days ago", "2023-03-27", "2023-03-28"),
        ("a dozen years ago", "2011-01-01", "2012-01-01"),
        ("six months ago today", "2022-11-08", "2022-11-09"),
        ("a week ago last Friday", "2023-04-28", "2023-04-29"),
        ("I go tomorrow week", "2023-05-16", "2023-05-17"),
        ("a month and a half ago", "2023-03-20", "2023-03-27"),
        ("this coming Monday", "2023-05-15", "2023-05-16"),
        ("on the 3rd of last month", "2023-04-03", "2023-04-04"),
        ("on the first of June", "2023-06-01", "2023-06-02"),
        ("Tuesday the 2nd", "2023-05-02", "2023-05-03"),
        ("We hiked over the weekend", "2023-05-06", "2023-05-08"),
        ("I'll rest at the weekend", "2023-05-13", "2023-05-15"),
        ("2023-W10", "2023-03-06", "2023-03-13"),
        ("2023-W10-3", "2023-03-08", "2023-03-09"),
        ("in Q3 2022", "2022-07-01", "2022-10-01"),
        ("in the second half of 2021", "2021-07-01", "2022-01-01"),
        ("12-Mar-2022", "2022-03-12", "2022-03-13"),
        ("03/2022", "2022-03-01", "2022-04-01"),
        ("2022-03", "2022-03-01", "2022-04-01"),
        ("on 3/4", "2023-04-03", "2023-04-04"),
        ("in '87", "1987-01-01", "1988-01-01"),
        ("next year in March", "2024-03-01", "2024-04-01"),
        ("March of last year", "2022-03-01", "2022-04-01"),
        ("on 5 Nov 1605", "1605-11-05", "1605-11-06"),
        ("this time last year", "2022-05-01", "2022-06-01"),
        ("30 seconds ago", "2023-05-08", "2023-05-08"),
        ("last day of April", "2023-04-30", "2023-05-01"),
        ("on Labor Day we hiked", "2022-09-05", "2022-09-06"),
    ],
)
def test_english_counts_and_notations_are_exact(text: str, start: str, end: str) -> None:
    when = only(text)
    assert (f"{when.start:%Y-%m-%d}", f"{when.end:%Y-%m-%d}") == (start, end)


@pytest.mark.parametrize("text", ["three nights ago", "the night before last", "昨夜", "anoche", "gestern Abend"])
def test_night_extends_into_the_next_morning(text: str) -> None:
    when = only(text)
    assert (f"{when.start:%H:%M}", f"{when.end:%H:%M}", when.precision) == ("18:00", "06:00", "day")


def test_range_of_years_has_start_and_end() -> None:
    when = only("from 2015 to 2018 I lived in Rome")
    assert (when.start.year, when.end.year, when.sense, when.precision) == (2015, 2019, "during", "year")


@pytest.mark.parametrize(
    "text",
    ["I'm fine April said", "a fine August day", "life on Mars", "over 2 week periods", "2 week trip", "a week long",
     "some weeks ago", "数日前", "on February 30", "2023-13", "20/2023", "it costs 1999 dollars", "the 1200 words",
     "Ratio 3/4 of it", "'tis", "rock 'n' roll"],
)  # fmt: skip
def test_text_without_a_time_gives_none(text: str) -> None:
    assert resolve(text, MONDAY, UTC) == []


@pytest.mark.parametrize(
    "text", ["yesterday", "昨日", "há três dias", "l'été dernier", "去年の夏", "on 3/4", "Monday week"]
)
def test_without_an_anchor_nothing_relative_resolves(text: str) -> None:
    assert resolve(text, None, UTC) == []
