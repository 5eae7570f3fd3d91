"""The preview and the report of an import."""

from itertools import islice

from rich.console import Console

from mnemo.cli.rendering.console import escape
from mnemo.cli.rendering.results import table
from mnemo.config import Settings
from mnemo.errors import ArgumentError
from mnemo.ingestion.intake.preview import FilePreview, Preview
from mnemo.models.files import Report

__all__ = ["parsed_columns", "show_preview", "show_report"]

_FILES = 40
_SPEAKERS = 3


def parsed_columns(text: str | None) -> dict[str, str]:
    """Read `content=Body,speaker=Who` from the command line; an empty mapping for None.

    Raises:
        ArgumentError: A part is not NAME=COLUMN.
    """
    pairs = [part.partition("=") for part in text.split(",")] if text else []
    if wrong := next((name for name, equals, column in pairs if not equals or not column.strip()), None):
        message = f"columns must be pairs such as content=Body,speaker=Who, got {wrong!r}"
        raise ArgumentError(message)
    return {name.strip(): column.strip() for name, _, column in pairs}


def show_preview(console: Console, found: Preview, settings: Settings) -> None:
    """Print one line per file, the totals, and what would be left out."""
    by_llm = found.calls > 0
    costs = ["#calls", "#tokens"] if by_llm else ["#seconds"]
    columns = ["file", "format", "speakers", "from", "to", "#messages", *costs]
    console.print(table(columns, [_row(file, by_llm) for file in islice(found.files, _FILES)]))
    if len(found.files) > _FILES:
        console.print(f"and {len(found.files) - _FILES:,} more files", style="dim")
    rows = {
        "messages": found.messages,
        "windows": found.windows,
        "LLM calls, at most": found.calls,
        "tokens in, about": found.input_tokens,
        "tokens out, about": found.output_tokens,
        "seconds with local models, about": max(round(found.seconds), 1),
    }
    console.print(table(["estimate", "#"], [(name, f"{value:,}") for name, value in rows.items()]))
    show_report(console, found.report)
    by = f"by {settings.llm.model}" if by_llm else "by the local extractor, without LLM calls"
    console.print(f"{by}; nothing was stored", style="dim")


def show_report(console: Console, report: Report) -> None:
    """Print what was left out and why; nothing if everything was read."""
    for line in report.lines():
        console.print(escape(line), style="dim" if line.startswith(("note", "skipped")) else None)


def _row(file: FilePreview, by_llm: bool) -> tuple[str, ...]:
    speakers = list(file.speakers)
    more = f" and {len(speakers) - _SPEAKERS} more" if len(speakers) > _SPEAKERS else ""
    days = ["" if day is None else f"{day:%Y-%m-%d}" for day in (file.first, file.last)]
    costs = (
        [f"{file.calls:,}", f"{file.tokens:,}"] if by_llm else [f"{file.seconds:,.0f}" if file.seconds >= 1 else "<1"]
    )
    return (file.file, file.format, ", ".join(speakers[:_SPEAKERS]) + more, *days, f"{file.messages:,}", *costs)
