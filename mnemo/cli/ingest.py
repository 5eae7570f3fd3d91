"""The command ingest: files into memory, with a price beforehand and a profile afterwards."""

from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from mnemo import samples
from mnemo.cli.preview import parsed_columns, show_preview, show_report
from mnemo.cli.rendering.output import GroupOption, JsonOption, Output, failing_clearly
from mnemo.cli.rendering.progress import metering
from mnemo.cli.rendering.results import table, usage
from mnemo.config import Settings, load_settings
from mnemo.errors import ArgumentError
from mnemo.ingestion.estimate import Estimate, with_summaries
from mnemo.ingestion.llm.prompts import extraction_instructions
from mnemo.ingestion.preview import preview
from mnemo.ingestion.readers import FORMATS, Reading, read_path
from mnemo.ingestion.segmentation import shaped
from mnemo.memory import Memory
from mnemo.memory.files import FilesAdded
from mnemo.models.results import Processed

__all__ = ["ingest", "show_ingested"]

_BY_LLM = ("auto", "paper")
"""Setting and profile under which the LLM writes the summaries of the tree."""
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
PROFILE_HELP = "fast, paper (asks the LLM what it missed), documents (windows of text), or rounds (of a dialogue)."
FORMAT_HELP = f"auto, {', '.join(FORMATS)}."


def ingest(
    path: Annotated[Path | None, typer.Argument(help="A file, or a folder of files.", show_default=False)] = None,
    group: GroupOption = None,
    format_: Annotated[str, typer.Option("--format", "-f", help=FORMAT_HELP)] = "auto",
    zone: Annotated[str | None, typer.Option(help="IANA zone of times without one.")] = None,
    dates: Annotated[str, typer.Option(help="Dates such as 3/4/2025: auto, day-first, month-first.")] = "auto",
    columns: Annotated[str | None, typer.Option(help="Of tables: content=NAME,speaker=NAME,time=NAME.")] = None,
    profile: Annotated[str | None, typer.Option(help=PROFILE_HELP)] = None,
    sample: Annotated[
        bool, typer.Option("--sample", help="Take the sample conversation that comes with mnemo.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and estimate; store nothing.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Remember conversations and documents.

    Given again, or with lines added at its end, a file adds only what is new; of a document that was
    edited, what is no longer in it goes. Stopped at any point, the same
    command goes on from there. LoCoMo and LongMemEval conversations go into a group each; others into one group.
    What cannot be read is left out and named at the end, with exit code 1; the rest is remembered.
    """
    output = Output(json=as_json)
    with failing_clearly(output):
        settings = _settings(group, zone, profile)
        source = _source(path, sample)
        renamed = parsed_columns(columns)
        if dry_run:
            reading = read_path(source, format_, zone=settings.ingestion.zone, dates=dates, columns=renamed)
            _show_preview(output, reading, settings)
            return
        with Memory(settings) as memory, metering(output.notes, quiet=as_json) as meter:
            done = memory.add_file(source, group=group, format=format_, dates=dates, columns=renamed, on_progress=meter)
        output.show(done, lambda console: show_ingested(console, done))
        processed = done.processed or Processed()
        if processed.failed or processed.pending or done.report.left_out:
            raise typer.Exit(1)


def _settings(group: str | None, zone: str | None, profile: str | None) -> Settings:
    settings = load_settings(**({"group": group} if group is not None else {}))
    changes = {name: value for name, value in (("zone", zone), ("profile", profile)) if value is not None}
    if not changes:
        return settings
    ingestion = settings.ingestion.model_dump() | changes
    return load_settings(ingestion=ingestion, group=settings.group)


def _source(path: Path | None, sample: bool) -> Path:
    if (path is None) != sample:
        message = "wanted a path, or --sample, and not both"
        raise ArgumentError(message)
    return samples.conversation() if path is None else path


def _show_preview(output: Output, reading: Reading, settings: Settings) -> None:
    llm = settings.ingestion.extractor != "local" and settings.llm_provider != "none"
    instructions = extraction_instructions() if llm else None
    tree = settings.memtree
    summaries = (
        settings.llm_provider != "none"
        and tree.enabled
        and (tree.summaries == "llm" or (tree.summaries, settings.ingestion.profile) == _BY_LLM)
    )

    def price(base: Estimate) -> Estimate:
        return with_summaries(base, tree.summary_tokens) if summaries else base

    shape = partial(shaped, settings=settings.ingestion)
    found = preview(reading, settings.ingestion, instructions, shape, price)
    output.show(found, lambda console: show_preview(console, found, settings))
    if found.report.left_out:
        raise typer.Exit(1)


def show_ingested(console: Console, done: FilesAdded) -> None:
    """Print what an import did and where its time went."""
    processed = done.processed or Processed()
    where = done.groups[0] if len(done.groups) == 1 else f"{len(done.groups)} groups"
    replaced = f", {done.replaced:,} of earlier versions replaced" if done.replaced else ""
    console.print(
        f"{done.new:,} new and {done.known:,} known episodes in {escape(where)}{replaced}; "
        f"{processed.done:,} processed: {processed.entities:,} entities, {processed.edges:,} facts"
    )
    console.print(f"{done.elapsed_s:.1f} s, {done.rate:.0f} episodes/s · {usage(processed.usage)}", style="dim")
    show_report(console, done.report)
    if processed.seconds:
        rows = [(stage, f"{seconds:.1f}") for stage, seconds in processed.seconds.items()]
        console.print(table(["stage", "#seconds"], rows))
        console.print("stages overlap, so that they may add up to more than the whole", style="dim")
    if processed.dropped:
        reasons = ", ".join(f"{_DROPPED.get(reason, reason)} {count:,}" for reason, count in processed.dropped.items())
        console.print(f"dropped from the LLM's replies: {reasons}", style="dim")
    if processed.fallback:
        console.print(f"[yellow]{processed.fallback:,} read by the local extractor[/]: the LLM's replies ran away")
    if processed.stopped:
        console.print(f"[yellow]{processed.pending:,} left pending[/]: {escape(processed.stopped)}")
    for uuid, reason in islice(processed.reasons.items(), 10):
        console.print(f"[red]failed[/] {uuid}: {escape(reason)}")
    if processed.failed:
        console.print(f"{processed.failed:,} failed; `mnemo retry` processes them once more")
