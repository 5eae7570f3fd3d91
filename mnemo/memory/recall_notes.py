"""Records what a search or an answer returned, so that it is not learnt again when a caller adds it back."""

from datetime import datetime

from mnemo.ingestion.intake.recall_log import RecallLog
from mnemo.models.results import Answer, SearchResult
from mnemo.retrieval.context import shown_edge

__all__ = ["note_answer", "note_result"]


def note_result(log: RecallLog, result: SearchResult, at: datetime) -> None:
    """Record the facts and messages of a result; its context is made of the same sentences."""
    for found in result.edges:
        log.note(result.group, (found.item.fact, shown_edge(found.item, result.moment or at)), at)
    log.note(result.group, (found.item.content for found in result.categories), at)
    for episode in (*(found.item for found in result.episodes), *result.cited):
        log.note(result.group, (episode.content,), at, episode.uuid)


def note_answer(log: RecallLog, answer: Answer, at: datetime) -> None:
    """Record the text of an answer; its result was recorded by the search."""
    log.note(answer.result.group, (answer.text,), at)
