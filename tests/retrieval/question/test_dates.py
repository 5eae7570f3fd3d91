from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.retrieval.question.dates import NamedDate, closeness, named_dates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did Ana share on 16 June, 2023?", [(2023, 6, 16)]),
        ("What happened on May 3rd?", [(None, 5, 3)]),
        ("dinner on May 3, 2023", [(2023, 5, 3)]),
        ("in June", [(None, 6, None)]),
        ("What did she do in May 2022?", [(2022, 5, None)]),
        ("in May", [(None, 5, None)]),
        ("May I ask what you may do?", []),
        ("the march on Rome", [(None, 3, None)]),
        ("since 2019", [(2019, None, None)]),
        ("on 2023-05-08 and 2023-06", [(2023, 5, 8), (2023, 6, None)]),
        ("2023年5月8日に何をした？", [(2023, 5, 8)]),  # noqa: RUF001  # Japanese
        ("5月に", [(None, 5, None)]),
        ("am 3. März 2021", [(2021, 3, 3)]),
        ("le 1er août", [(None, 8, 1)]),
        ("el 7 de julio de 2020", [(2020, 7, 7)]),
        ("room 2023b, version 1.2", []),
        ("last week", []),
        ("", []),
    ],
)
def test_dates_have_the_precision_of_the_question(text: str, expected: list[tuple[int | None, ...]]) -> None:
    assert [(found.year, found.month, found.day) for found in named_dates(text)] == expected


@pytest.mark.parametrize(
    ("named", "day", "expected"),
    [
        (NamedDate(2023, 6, 16), date(2023, 6, 16), 1.0),
        (NamedDate(2023, 6, 16), date(2023, 6, 18), 1.0),
        (NamedDate(2023, 6, 16), date(2023, 6, 23), 0.5),
        (NamedDate(2023, 6, 16), date(2023, 6, 13), 0.4),
        (NamedDate(None, 12, 31), date(2024, 1, 1), 1.0),
        (NamedDate(2023, 6, None), date(2023, 6, 30), 1.0),
        (NamedDate(2023, 6, None), date(2023, 7, 1), 0.5),
        (NamedDate(2023, 12, None), date(2024, 1, 1), 0.5),
        (NamedDate(None, 12, None), date(2024, 1, 1), 0.5),
        (NamedDate(2022, 6, None), date(2023, 6, 1), 0.0),
        (NamedDate(2023, None, None), date(2023, 6, 1), 0.3),
        (NamedDate(2023, None, None), date(2022, 6, 1), 0.0),
        (NamedDate(2023, 2, 30), date(2023, 2, 28), 0.0),
    ],
)
def test_closeness_is_highest_on_the_day_and_just_after(named: NamedDate, day: date, expected: float) -> None:
    assert closeness(named, day) == pytest.approx(expected)


@given(
    st.builds(
        NamedDate,
        st.none() | st.integers(1900, 2099),
        st.none() | st.integers(1, 12),
        st.none() | st.integers(1, 31),
    ),
    st.dates(),
)
def test_closeness_is_between_0_and_1(named: NamedDate, day: date) -> None:
    assert 0.0 <= closeness(named, day) <= 1.0


@given(st.text())
def test_any_text_is_parsed(text: str) -> None:
    assert len(set(named_dates(text))) == len(named_dates(text))
