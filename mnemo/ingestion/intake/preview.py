"""Previews an import without storing anything: each file's format, speakers, dates, duration and cost."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from mnemo.config import IngestionSettings
from mnemo.ingestion.intake.estimate import Estimate, estimate
from mnemo.ingestion.readers import Conversation, FileSurvey, Reading, survey
from mnemo.models.files import Report
from mnemo.models.graph import Message
from mnemo.providers.base import Prompt

__all__ = ["FilePreview", "Preview", "preview"]

Shape = Callable[[Iterator[Message]], Iterator[Message]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePreview:
    """Preview of one file."""

    file: str
    format: str
    messages: int
    speakers: Mapping[str, int]
    """Number of messages by speaker, highest first."""
    first: datetime | None
    """Time of the earliest message, aware; None if no time is known."""
    last: datetime | None
    undated: int
    """Messages whose time is unknown."""
    calls: int
    """Most LLM calls; 0 with the local extractor."""
    tokens: int
    """Estimated input and output tokens."""
    seconds: float
    """Estimated seconds for the local models; an LLM's replies take extra time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Preview of all files, and a report of what would be left out."""

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
    """Read everything twice, store nothing, and return what an import would take.

    Args:
        reading: The files to read.
        settings: Give window, context and profile.
        instructions: The extraction prompt without a window; None with the local extractor.
        shape: Turns the messages of a file into those that are stored.
        price: Adds costs other than extraction to an estimate, such as summaries.

    Raises:
        ReaderError: The path does not exist, or it is a single file that cannot be read.
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
