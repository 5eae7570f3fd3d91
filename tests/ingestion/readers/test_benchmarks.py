"""LoCoMo and LongMemEval."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemo.errors import ReaderError
from mnemo.ingestion.readers import read
from support.reader_cases import messages, write


def locomo(**changes: Any) -> list[dict[str, Any]]:
    turn = {"speaker": "Ana", "dia_id": "D1:1", "text": "Look! ", "blip_caption": "a photo of a kite", "query": "kite"}
    body = {
        "speaker_a": "Ana",
        "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "Nice."}],
        "session_2_date_time": "12:09 am on 13 September, 2023",
        "session_1": [turn],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_3_date_time": "nonsense for a session that does not exist",
    }
    return [{"sample_id": "conv-1", "conversation": body | changes, "qa": []}]


def test_locomo_sample_is_a_group_with_sessions_in_order(tmp_path: Path) -> None:
    [conversation] = read(write(tmp_path, "data.json", locomo()), zone="America/New_York")
    assert (conversation.name, conversation.scope) == ("conv-1", "group")
    first, second = conversation
    assert first.content == "Look! [shares a photo of a kite]"
    assert (first.source_id, first.session, first.metadata["image_query"]) == ("D1:1", "session_1", "kite")
    assert first.occurred_at == datetime(2023, 5, 8, 17, 56, tzinfo=UTC)
    assert second.occurred_at == datetime(2023, 9, 13, 4, 9, tzinfo=UTC)


def test_locomo_wrong_time_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, "data.json", locomo(session_1_date_time="8 May"))
    with pytest.raises(ReaderError, match=r"\$\[0\]\.conversation\.session_1_date_time: must be a time .*'8 May'"):
        messages(path)


def test_longmemeval_question_is_a_group_with_dated_sessions(tmp_path: Path) -> None:
    item = {
        "question_id": "q1",
        "haystack_session_ids": ["s1", "s1"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
        "haystack_sessions": [
            [{"role": "user", "content": "Hi", "has_answer": True}, {"role": "assistant", "content": "Hello"}],
            [{"role": "user", "content": "Again"}],
        ],
    }
    [conversation] = read(write(tmp_path, "lme.json", [item]))
    found = list(conversation)
    assert [(message.session, message.source_id) for message in found] == [
        ("s1", "s1:0"),
        ("s1", "s1:1"),
        ("s1 2", "s1 2:0"),
    ]
    assert found[0].occurred_at == datetime(2023, 5, 20, 2, 21, tzinfo=UTC)
    assert (found[0].metadata, conversation.scope) == ({"has_answer": "true"}, "group")


def test_longmemeval_lists_of_unequal_length_are_an_error(tmp_path: Path) -> None:
    item = {"question_id": "q", "haystack_sessions": [[], []], "haystack_dates": ["2023/05/20 (Sat) 02:21"]}
    with pytest.raises(ReaderError, match=r"\$\[0\]\.haystack_dates: must have one item for each of 2 sessions, got 1"):
        messages(write(tmp_path, "lme.json", [item]))


def test_longmemeval_without_ids_and_dates_has_unknown_times(tmp_path: Path) -> None:
    item = {"question_id": "q", "haystack_sessions": [[{"role": "user", "content": "Hi"}, {"content": ""}]]}
    [message] = messages(write(tmp_path, "lme.json", [item]))
    assert (message.session, message.occurred_at) == ("session_1", None)


@pytest.mark.parametrize("date", ["20 May", "2023/02/30 (Thu) 02:21"])
def test_longmemeval_wrong_time_is_an_error(tmp_path: Path, date: str) -> None:
    item = {"question_id": "q", "haystack_sessions": [[]], "haystack_dates": [date]}
    with pytest.raises(ReaderError, match=rf"haystack_dates\[0\]: must be a time .* '{date[:6]}"):
        messages(write(tmp_path, "lme.json", [item]))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"session_1": [{"speaker": "Ana", "dia_id": "D1:1", "text": " "}]}, "is blank, and there is no caption"),
        ({"session_1": [{"speaker": "Ana", "text": "x"}]}, r"\.dia_id: must be a string, got null"),
        ({"session_1": {}}, r"session_1: must be an array, got an object"),
    ],
)
def test_locomo_wrong_turn_is_an_error(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ReaderError, match=said):
        messages(write(tmp_path, "data.json", locomo(**changes)))


def test_locomo_without_sessions_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match="has no sessions named session_1"):
        messages(write(tmp_path, "data.json", [{"sample_id": "x", "conversation": {}}]))
