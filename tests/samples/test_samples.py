from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

from mnemo.ingestion.readers import detect_format, read
from mnemo.models.graph import Message
from mnemo.samples import conversation, questions


def messages() -> list[Message]:
    return [message for found in read(conversation()) for message in found]


def test_conversation_has_three_people_over_eight_months_in_order() -> None:
    read_back = messages()
    assert {message.speaker for message in read_back} == {"Nora Lindqvist", "Theo Adeyemi", "Kei Morita"}
    times = [message.occurred_at for message in read_back if message.occurred_at]
    assert len(times) == len(read_back) == 139
    assert all(before <= after for before, after in pairwise(times))
    assert times[-1] - times[0] > timedelta(days=230)
    assert len({message.source_id for message in read_back}) == len(read_back)


def test_format_is_detected_by_content_and_zones_are_kept() -> None:
    assert detect_format(conversation()) == "jsonl"
    zones = {message.zone for message in messages()}
    assert zones == {"Europe/London", "Europe/Lisbon", "Pacific/Auckland", "Atlantic/Azores"}


def test_questions_of_every_kind_have_evidence_in_the_conversation() -> None:
    asked = questions()
    ids = {message.source_id for message in messages()}
    assert all(question.evidence and set(question.evidence) <= ids for question in asked)
    assert {question.kind for question in asked} == {"single-hop", "multi-hop", "temporal", "changed", "as-of"}
    assert [question.id for question in asked] == [f"q{number:02}" for number in range(1, len(asked) + 1)]


def test_as_of_questions_have_a_time() -> None:
    moments = {question.as_of for question in questions() if question.kind == "as-of"}
    assert datetime(2025, 3, 1, 12, tzinfo=UTC) in moments
    assert all(moment and moment.date() > date(2025, 1, 1) for moment in moments)
