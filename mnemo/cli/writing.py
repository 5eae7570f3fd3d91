"""Commands that change a memory: add, forget, retry, reembed."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from mnemo.cli.inputs import GroupOption, JsonOption, opened, when
from mnemo.cli.rendering import results
from mnemo.cli.rendering.console import escape
from mnemo.cli.rendering.output import Output, failing_clearly
from mnemo.cli.rendering.progress import progress_bars
from mnemo.clock import SystemClock
from mnemo.config import load_settings
from mnemo.errors import ArgumentError
from mnemo.models.graph import Message
from mnemo.models.results import Added, Processed

__all__ = ["add", "forget", "reembed", "retry", "show_processed"]

_MOST_REASONS = 10
_DROPPED = {
    "copied_example": "copied from the prompt",
    "no_such_message": "message numbers out of range",
    "not_a_name": "descriptions in place of names",
    "quote_not_found": "quotes not found",
    "repeated": "repeated facts",
    "tag": "tags",
    "unknown_name": "names not found",
    "unreadable": "unreadable items",
}


def add(
    text: Annotated[str, typer.Argument(help="The message; - reads it from standard input.")],
    group: GroupOption = None,
    speaker: Annotated[str | None, typer.Option("--speaker", help="Who says it.")] = None,
    session: Annotated[str, typer.Option("--session", help="Conversation that it belongs to.")] = "",
    time: Annotated[str | None, typer.Option("--time", help="When it was said, such as 2025-03-01T18:00.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Remember a message, said now unless --time is given."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        content = sys.stdin.read() if text == "-" else text
        said = SystemClock().now() if time is None else when(time, "--time")
        message = Message(content=content, speaker=speaker, session=session, occurred_at=said)
        with progress_bars(output) as on_progress:
            done = memory.add(message, on_progress=on_progress)
        output.show(done, lambda console: _show_added(console, done))
        if done.processed and done.processed.failed + done.processed.pending:
            raise typer.Exit(1)


def _show_added(console: Console, done: Added) -> None:
    if not done.new:
        console.print("already known; nothing was added")
        return
    processed = done.processed or Processed()
    facts = results.counted(processed.edges, "fact")
    entities = results.counted(processed.entities, "entity", "entities")
    console.print(f"remembered: {facts}, {entities}")
    show_processed(console, processed)


def forget(
    uuid: Annotated[
        str | None, typer.Argument(help="Uuid of an episode; its first characters will do.", show_default=False)
    ] = None,
    group: GroupOption = None,
    session: Annotated[str | None, typer.Option("--session", help="Delete all episodes of this session.")] = None,
    whole: Annotated[bool, typer.Option("--all", help="Delete everything in the group.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete a whole group without asking.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Delete an episode, a session or a group, with everything that rests on it alone."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        if [uuid is not None, session is not None, whole].count(True) != 1:
            message = "give a uuid, --session or --all; nothing was deleted"
            raise ArgumentError(message)
        name = load_settings().group if group is None else group
        if whole and not (yes or (not as_json and typer.confirm(f"Delete everything in group {name!r}?"))):
            message = "nothing was deleted; --yes deletes without asking"
            raise ArgumentError(message)
        gone = memory.forget(group=name) if whole else memory.forget(uuid, session=session, group=group)
        output.show(gone, lambda console: results.forgotten(console, gone))


def retry(group: GroupOption = None, as_json: JsonOption = False) -> None:
    """Process failed and pending episodes once more; exit 1 if any are left."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        with progress_bars(output) as on_progress:
            done = memory.retry(on_progress=on_progress)
        output.show(done, lambda console: _show_retried(console, done))
        if done.failed or done.pending:
            raise typer.Exit(1)


def _show_retried(console: Console, done: Processed) -> None:
    console.print(f"{done.done:,} done, {done.failed:,} failed, {done.pending:,} pending")
    show_processed(console, done)


def show_processed(console: Console, done: Processed) -> None:
    """Print what was dropped, and why episodes were left pending or failed."""
    if done.dropped:
        reasons = ", ".join(f"{_DROPPED.get(reason, reason)} {count:,}" for reason, count in done.dropped.items())
        console.print(f"dropped from the LLM's replies: {reasons}", style="dim")
    if done.fallback:
        console.print(f"[yellow]{done.fallback:,} read by the local extractor[/]: the LLM's replies ran away")
    if done.stopped:
        console.print(f"[yellow]{done.pending:,} left pending[/]: {escape(done.stopped)}")
    for uuid, reason in list(done.reasons.items())[:_MOST_REASONS]:
        console.print(f"[red]failed[/] {results.short(uuid)}: {escape(reason)}")
    if done.failed:
        console.print(f"{done.failed:,} failed; `mnemo retry` processes them again")


def reembed(as_json: JsonOption = False) -> None:
    """Embed all memory again after a change of the embedding model or its dimensions.

    A run that was stopped continues where it was.
    """
    output = Output(json=as_json)
    with failing_clearly(output), opened(None) as memory:
        count = memory.reembed()
        output.show({"embedded": count}, lambda console: console.print(f"{count:,} vectors replaced"))
