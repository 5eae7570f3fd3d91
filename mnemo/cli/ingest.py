"""The command ingest: remember files, with an estimate before and a report after."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console

from mnemo import samples
from mnemo.cli.inputs import GroupOption, JsonOption
from mnemo.cli.rendering.console import escape
from mnemo.cli.rendering.output import Output, failing_clearly
from mnemo.cli.rendering.preview import parsed_columns, show_preview, show_report
from mnemo.cli.rendering.progress import progress_bars
from mnemo.cli.rendering.results import table, usage
from mnemo.cli.writing import show_processed
from mnemo.config import Settings, load_settings
from mnemo.errors import ArgumentError
from mnemo.ingestion.intake.estimate import Estimate, with_summaries
from mnemo.ingestion.intake.preview import preview
from mnemo.ingestion.intake.segmentation import segment
from mnemo.ingestion.llm.prompts import extraction_instructions
from mnemo.ingestion.readers import FORMATS, Reading, read_path
from mnemo.memory import Memory
from mnemo.models.files import FilesAdded
from mnemo.models.results import Processed

__all__ = ["ingest", "show_ingested"]

_BY_LLM = ("auto", "paper")
"""Setting and profile with which the LLM writes the summaries of the memtree."""
PROFILE_HELP = "fast, paper (asks the LLM what it missed), documents (windows of text), or rounds (of a dialogue)."
FORMAT_HELP = f"auto, {', '.join(FORMATS)}."


def ingest(
    path: Annotated[Path | None, typer.Argument(help="A file, a folder, or - for stdin.", show_default=False)] = None,
    group: GroupOption = None,
    format_: Annotated[str, typer.Option("--format", "-f", help=FORMAT_HELP)] = "auto",
    zone: Annotated[str | None, typer.Option(help="Time zone (IANA) of times without one.")] = None,
    dates: Annotated[str, typer.Option(help="Dates such as 3/4/2025: auto, day-first or month-first.")] = "auto",
    columns: Annotated[str | None, typer.Option(help="CSV columns: content=NAME,speaker=NAME,time=NAME.")] = None,
    profile: Annotated[str | None, typer.Option(help=PROFILE_HELP)] = None,
    sample: Annotated[
        bool, typer.Option("--sample", help="Use the sample conversation that comes with mnemo.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and estimate the cost; store nothing.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Remember conversations and documents.

    A file given again, or with new lines at its end, adds only what is new; an edited document replaces its former
    content. A stopped import continues when the same command is run again. Each LoCoMo or LongMemEval conversation
    becomes a group; everything else goes into one group.
    What cannot be read is left out and listed at the end, with exit code 1; the rest is remembered.
    """
    output = Output(json=as_json)
    with failing_clearly(output), _source(path, sample) as source:
        settings = _settings(group, zone, profile)
        renamed = parsed_columns(columns)
        if dry_run:
            reading = read_path(source, format_, zone=settings.ingestion.zone, dates=dates, columns=renamed)
            _show_preview(output, reading, settings)
            return
        with Memory(settings) as memory, progress_bars(output) as on_progress:
            done = memory.add_file(
                source, group=group, format=format_, dates=dates, columns=renamed, on_progress=on_progress
            )
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


@contextmanager
def _source(path: Path | None, sample: bool) -> Iterator[Path]:
    """Yield the path to read; standard input becomes a temporary file."""
    if (path is None) != sample:
        message = "give either a path or --sample"
        raise ArgumentError(message)
    if path != Path("-"):
        yield samples.conversation() if path is None else path
        return
    with TemporaryDirectory() as folder:
        file = Path(folder) / "stdin"
        file.write_bytes(sys.stdin.buffer.read())
        yield file


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

    shape = partial(segment, settings=settings.ingestion)
    found = preview(reading, settings.ingestion, instructions, shape, price)
    output.show(found, lambda console: show_preview(console, found, settings))
    if found.report.left_out:
        raise typer.Exit(1)


def show_ingested(console: Console, done: FilesAdded) -> None:
    """Print what an import did and where the time went."""
    processed = done.processed or Processed()
    where = done.groups[0] if len(done.groups) == 1 else f"{len(done.groups)} groups"
    replaced = f", {done.replaced:,} of former versions replaced" if done.replaced else ""
    console.print(
        f"{done.new:,} new and {done.known:,} known episodes in {escape(where)}{replaced}; "
        f"{processed.done:,} processed: {processed.entities:,} entities, {processed.edges:,} facts"
    )
    console.print(f"{done.elapsed_s:.1f} s, {done.rate:.0f} episodes/s · {usage(processed.usage)}", style="dim")
    show_report(console, done.report)
    if processed.seconds:
        rows = [(stage, f"{seconds:.1f}") for stage, seconds in processed.seconds.items()]
        console.print(table(["stage", "#seconds"], rows))
        console.print("stages overlap, so their sum can exceed the total", style="dim")
    show_processed(console, processed)
