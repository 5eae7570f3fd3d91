"""Arguments and options that several commands share, and how they are read."""

from datetime import UTC, datetime
from typing import Annotated

import typer

import mnemo
from mnemo.config import load_settings
from mnemo.errors import ArgumentError, NotFoundError
from mnemo.providers.factory import build_embedder

__all__ = [
    "AsOfOption",
    "BudgetOption",
    "GroupOption",
    "JsonOption",
    "KOption",
    "MinScoreOption",
    "QuestionArgument",
    "RouteOption",
    "SessionOption",
    "SinceOption",
    "SpeakerOption",
    "UntilOption",
    "opened",
    "require_group",
    "when",
]

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
GroupOption = Annotated[str | None, typer.Option("--group", "-g", help="Group; else MNEMO_GROUP or 'default'.")]
QuestionArgument = Annotated[str, typer.Argument(help="Plain text; nothing in it is query syntax.")]
RouteOption = Annotated[str, typer.Option("--route", help="system1, system2 (by categories), both or memtree.")]
KOption = Annotated[int | None, typer.Option("--k", help="Most episodes; facts and entities at most twice as many.")]
BudgetOption = Annotated[int | None, typer.Option("--budget", help="Most tokens of the context.")]
AsOfOption = Annotated[str | None, typer.Option("--as-of", help="What held at this date or time, such as 2025-03-01.")]
SessionOption = Annotated[str | None, typer.Option("--session", help="Only episodes of this session.")]
SpeakerOption = Annotated[str | None, typer.Option("--speaker", help="Only episodes of this speaker.")]
SinceOption = Annotated[str | None, typer.Option("--since", help="Only episodes written at this time or later.")]
UntilOption = Annotated[str | None, typer.Option("--until", help="Only episodes written before this time.")]
MinScoreOption = Annotated[float | None, typer.Option("--min-score", help="Minimum score of a result, 0 to 1.")]


def opened(group: str | None, *, embeds: bool = False) -> "mnemo.Memory":
    """Open the memory of a group; use it as a context manager.

    With `embeds`, a local model is loaded while the rest is imported.
    """
    settings = load_settings(**({"group": group} if group is not None else {}))
    local = embeds and settings.embedding.provider == "local"
    embedder = build_embedder(settings, preload=True) if local else None
    return mnemo.Memory(settings, embedder=embedder)


def require_group(memory: "mnemo.Memory", group: str | None) -> None:
    """Check that a group has anything; for commands that found nothing.

    Raises:
        NotFoundError: The group has no episodes and no trees.
    """
    counts = memory.status()
    if counts.pending or counts.done or counts.failed or memory.trees():
        return
    name = load_settings().group if group is None else group
    others = [each.name for each in memory.groups()]
    known = f"existing groups: {', '.join(others)}" if others else "there are no groups yet; see `mnemo add`"
    message = f"group {name!r} does not exist; {known}"
    raise NotFoundError(message)


def when(text: str | None, name: str) -> datetime | None:
    """Read a date or time from the command line; a date is its first moment, a time without a zone is UTC.

    Raises:
        ArgumentError: It is not an ISO 8601 date or time.
    """
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        message = f"{name} must be an ISO 8601 date or time such as 2025-03-01 or 2025-03-01T18:00+01:00, got {text!r}"
        raise ArgumentError(message) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
