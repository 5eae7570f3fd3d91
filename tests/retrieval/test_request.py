from datetime import UTC, datetime, timedelta

import pytest

from mnemo.errors import ArgumentError, GroupError
from mnemo.retrieval.request import SearchRequest

NOW = datetime(2023, 5, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"question": "  "}, "not blank"),
        ({"k": 0}, "k from 1 to 200"),
        ({"k": 201}, "k from 1 to 200"),
        ({"budget": 49}, "at least 50 tokens"),
        ({"as_of": datetime(2023, 5, 8)}, "as_of with a zone"),  # noqa: DTZ001  # that is the point
        ({"k": "10"}, "k from 1 to 200, got '10'"),
        ({"k": 2.5}, "got 2.5"),
        ({"budget": None}, "at least 50 tokens, got None"),
        ({"as_of": "2023-05-08"}, "as_of as a datetime with a zone, got '2023-05-08'"),
        ({"until": NOW.date()}, "until as a datetime with a zone"),
        ({"session": 7}, "session as text, got 7"),
        ({"since": NOW, "until": NOW}, "since before until"),
        ({"since": NOW, "until": NOW - timedelta(days=1)}, "since before until"),
    ],
)
def test_what_does_not_fit_is_refused(fields: dict[str, object], message: str) -> None:
    given: dict[str, object] = {"group": "g", "question": "q", **fields}
    with pytest.raises(ArgumentError, match=message):
        SearchRequest(**given)  # type: ignore[arg-type]  # fields of a test


def test_group_is_checked() -> None:
    with pytest.raises(GroupError):
        SearchRequest(group="", question="q")
