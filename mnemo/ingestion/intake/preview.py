"""Previews an import without storing anything: each file's format, speakers, dates, time and cost."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from mnemo.config import IngestionSettings
from mnemo.ingestion.intake.estimate import Estimate, estimate
from mnemo.ingestion.readers import Conversation, FileSurvey, Reading, Report, survey
from mnemo.models.graph import Message
from mnemo.providers.base import Prompt

__all__ = ["FilePreview", "Preview", "preview"]

Shape = Callable[[Iterator[Message]], Iterator[Message]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePreview:
    """One file that would be read."""

    file: str
    format: str
    messages: int
    speakers: Mapping[str, int]
    """Messages by speaker, most first."""
    first: datetime | None
    """Time of the earliest message, aware; None where no time is known."""
    last: datetime | None
    undated: int
    """Messages whose time is unknown."""
    calls: int
    """LLM calls, at most; 0 with the local extractor."""
    tokens: int
    """In and out, about."""
    seconds: float
    """About how long the local models take; with an LLM, its replies come on top."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """All files that would be read, and what would be left out."""

    messages: int
    windows: int
    calls: int
    input_tokens: int
    output_tokens: int
    seconds: float
    files: tuple[FilePreview, ...]
    report: Report


def preview(
    reading: Reading,
    settings: IngestionSettings,
    instructions: Prompt | None,
    shape: Shape,
    price: Callable[[Estimate], Estimate],
) -> Preview:
    """Read everything twice, store nothing, and say what an import would take.

    Args:
        reading: What to read.
        settings: Window, context and profile.
        instructions: The extraction prompt of an empty window; None with the local extractor.
        shape: Makes the messages that are stored of those that are read.
        price: Adds to an estimate what comes on top of extraction, such as summaries.

    Raises:
        ReaderError: There is no such path, or a single file cannot be read.
    """
    found = survey(reading)
    surveys = {file.file: file for file in found.files}
    prices: dict[str, Estimate] = {}
    for file, conversations in groupby(reading, key=lambda conversation: conversation.file):
        prices[file] = price(estimate(_messages(conversations, shape), settings, instructions))
    total = _sum(list(prices.values()))
    return Preview(
        messages=total.messages,
        windows=total.windows,
        calls=total.calls,
        input_tokens=total.input_tokens,
        output_tokens=total.output_tokens,
        seconds=round(found.local_seconds, 2),
        files=tuple(_file(survey, prices[file]) for file, survey in surveys.items()),
        report=found.report,
    )


def _messages(conversations: Iterator[Conversation], shape: Shape) -> Iterator[Message]:
    return (message for conversation in conversations for message in shape(iter(conversation)))


def _sum(prices: list[Estimate]) -> Estimate:
    return Estimate(
        messages=sum(price.messages for price in prices),
        windows=sum(price.windows for price in prices),
        calls=sum(price.calls for price in prices),
        input_tokens=sum(price.input_tokens for price in prices),
        output_tokens=sum(price.output_tokens for price in prices),
    )


def _file(file: FileSurvey, price: Estimate) -> FilePreview:
    return FilePreview(
        file=file.file,
        format=file.format,
        messages=price.messages,
        speakers=dict(file.speakers.most_common()),
        first=file.first,
        last=file.last,
        undated=file.undated,
        calls=price.calls,
        tokens=price.input_tokens + price.output_tokens,
        seconds=round(file.local_seconds, 2),
    )
