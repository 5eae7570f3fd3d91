from datetime import UTC, datetime, timedelta

import pytest

from mnemo.errors import ArgumentError, GroupError
from mnemo.retrieval.request import SearchRequest

NOW = datetime(2023, 5, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"question": "  "}, "must not be blank"),
        ({"k": 0}, "k must be between 1 and 200"),
        ({"k": 201}, "k must be between 1 and 200"),
        ({"budget": 49}, "budget must be at least 50, got 49"),
        ({"as_of": datetime(2023, 5, 8)}, "as_of must have a zone"),  # noqa: DTZ001  # that is the point
        ({"k": "10"}, "k must be between 1 and 200, got '10'"),
        ({"k": 2.5}, "got 2.5"),
        ({"budget": None}, "budget must be at least 50, got None"),
        ({"as_of": "2023-05-08"}, "as_of must be a datetime with a zone, got '2023-05-08'"),
        ({"until": NOW.date()}, "until must be a datetime with a zone"),
        ({"session": 7}, "session must be a string, got 7"),
        ({"min_score": 1.5}, "min_score must be between 0 and 1, got 1.5"),
        ({"min_score": True}, "min_score must be between 0 and 1, got True"),
        ({"since": NOW, "until": NOW}, "since must be before until"),
        ({"since": NOW, "until": NOW - timedelta(days=1)}, "since must be before until"),
    ],
)
def test_invalid_option_is_refused_with_its_bounds(fields: dict[str, object], message: str) -> None:
    given: dict[str, object] = {"group": "g", "question": "q", **fields}
    with pytest.raises(ArgumentError, match=message):
        SearchRequest(**given)  # type: ignore[arg-type]  # fields of a test


def test_group_is_checked() -> None:
    with pytest.raises(GroupError):
        SearchRequest(group="", question="q")
