from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import neo4j.time
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from neo4j.vector import Vector

from mnemo.errors import ArgumentError
from mnemo.store.values import from_database, to_database

AUCKLAND = ZoneInfo("Pacific/Auckland")


@given(st.datetimes(timezones=st.just(UTC)))
def test_moment_is_unchanged_by_a_round_trip(moment: datetime) -> None:
    assert from_database(neo4j.time.DateTime.from_native(to_database(moment))) == moment


def test_a_named_zone_is_kept() -> None:
    moment = datetime(2023, 5, 8, 0, 30, tzinfo=AUCKLAND)
    back = from_database(neo4j.time.DateTime.from_native(to_database(moment)))
    assert (back.isoformat(), back.tzinfo) == ("2023-05-08T00:30:00+12:00", AUCKLAND)


def test_an_offset_is_kept() -> None:
    moment = datetime(2023, 4, 2, 2, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    assert from_database(neo4j.time.DateTime.from_native(moment)).isoformat() == "2023-04-02T02:30:00+05:30"


def test_time_entered_without_a_zone_counts_as_utc() -> None:
    assert from_database(neo4j.time.DateTime(2023, 4, 2, 2, 30)) == datetime(2023, 4, 2, 2, 30, tzinfo=UTC)


def test_a_naive_datetime_is_refused_at_any_depth() -> None:
    naive = datetime(2023, 4, 2)  # noqa: DTZ001 - the point of the test
    for value in (naive, [naive], {"rows": [{"at": naive}]}):
        with pytest.raises(ArgumentError, match="zone"):
            to_database(value)


def test_arrays_become_float32_vectors_unless_the_header_says_list() -> None:
    array = np.array([0.5, -1.25], dtype=np.float64)
    assert to_database(array).raw() == Vector.from_native([0.5, -1.25], "f32").raw()
    assert to_database({"rows": [{"v": array}]})["rows"][0]["v"].to_native() == [0.5, -1.25]
    assert [each.to_native() for each in to_database(np.stack([array, array]))] == [[0.5, -1.25]] * 2
    assert to_database(array, "LIST<FLOAT>") == [0.5, -1.25]
    assert to_database(np.stack([array]), "LIST<LIST<FLOAT>>") == [[0.5, -1.25]]
    assert to_database([0.5, -1.25], "VECTOR").to_native() == [0.5, -1.25]
    assert [each.to_native() for each in to_database([[0.5], [1.0]], "LIST<VECTOR>")] == [[0.5], [1.0]]
    assert to_database([], "LIST<VECTOR>") == []


def test_numbers_tuples_and_sets_become_plain_values() -> None:
    assert to_database(np.float32(0.5)) == 0.5
    assert to_database((1, {"a": (2,)})) == [1, {"a": [2]}]
    assert to_database({"x"}) == ["x"]
    assert to_database(None) is None


def test_rows_are_converted_to_plain_values() -> None:
    moment = neo4j.time.DateTime.from_native(datetime(2024, 1, 1, tzinfo=UTC))
    row = {
        "a": [moment, {"b": moment}],
        "v": Vector.from_native([1.0], "f32"),
        "f": [0.1, 0.2],
        "d": neo4j.time.Date(2024, 1, 2),
    }
    back = from_database(row)
    assert back["a"][1]["b"] == datetime(2024, 1, 1, tzinfo=UTC)
    assert back["v"] == [1.0]
    assert back["f"] == [0.1, 0.2]
    assert back["d"].isoformat() == "2024-01-02"
