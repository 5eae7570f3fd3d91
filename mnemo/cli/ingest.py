"""The command ingest: files into memory, with a price beforehand and a profile afterwards."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from mnemo import samples
from mnemo.cli.rendering.output import GroupOption, JsonOption, Output, failing_clearly
from mnemo.cli.rendering.progress import Meter, metering
from mnemo.cli.rendering.results import table, usage
from mnemo.cli.replace import Versions
from mnemo.config import Settings, load_settings
from mnemo.errors import ArgumentError
from mnemo.ingestion.estimate import Estimate, estimate, with_summaries
from mnemo.ingestion.llm.prompts import extraction_instructions
from mnemo.ingestion.progress import Progress
from mnemo.ingestion.readers import FORMATS, Conversation, read
from mnemo.ingestion.segmentation import shaped
from mnemo.memory import Memory
from mnemo.models.graph import Message
from mnemo.models.results import Processed

__all__ = ["Ingested", "ingest", "ingest_conversations", "show_ingested"]

_BATCH = 500
_BY_LLM = ("auto", "paper")
"""Setting and profile under which the LLM writes the summaries of the tree."""
PROFILE_HELP = "fast, paper (asks the LLM what it missed), documents (windows of text), or rounds (of a dialogue)."
FORMAT_HELP = f"auto, {', '.join(FORMATS)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What an import did."""

    groups: tuple[str, ...]
    new: int
    """Episodes that were not there before."""
    known: int
    """Episodes that were there already."""
    replaced: int = 0
    """Episodes of an earlier version of a document, deleted."""
    processed: Processed
    elapsed_s: float

    @property
    def rate(self) -> float:
        """Episodes processed a second."""
        return self.processed.done / self.elapsed_s if self.elapsed_s else 0.0


@dataclass(slots=True)
class _Watch:
    """Adds up the progress of several groups."""

    meter: Meter
    done: dict[str, int] = field(default_factory=dict)
    total: dict[str, int] = field(default_factory=dict)

    def __call__(self, progress: Progress) -> None:
        self.done[progress.group], self.total[progress.group] = progress.done, progress.total
        self.meter("remember", sum(self.done.values()), max(sum(self.total.values()), 1))


def ingest(
    path: Annotated[Path | None, typer.Argument(help="A file, or a folder of files.", show_default=False)] = None,
    group: GroupOption = None,
    format_: Annotated[str, typer.Option("--format", "-f", help=FORMAT_HELP)] = "auto",
    zone: Annotated[str | None, typer.Option(help="IANA zone of times without one.")] = None,
    dates: Annotated[str, typer.Option(help="WhatsApp exports: auto, day-first, month-first.")] = "auto",
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
    """
    output = Output(json=as_json)
    with failing_clearly(output):
        settings = _settings(group, zone, profile)
        source = _source(path, sample)
        conversations = read(source, format_, zone=settings.ingestion.zone, dates=dates)  # type: ignore[arg-type]  # read checks
        if dry_run:
            _show_estimate(output, conversations, settings)
            return
        with Memory(settings) as memory, metering(output.notes, quiet=as_json) as meter:
            shape = partial(shaped, settings=settings.ingestion)
            done = ingest_conversations(memory, conversations, group=group, meter=meter, shape=shape)
        output.show(done, lambda console: show_ingested(console, done))
        if done.processed.failed or done.processed.pending:
            raise typer.Exit(1)


def ingest_conversations(
    memory: Memory,
    conversations: Iterable[Conversation],
    *,
    group: str | None,
    meter: Meter,
    shape: Callable[[Iterator[Message]], Iterator[Message]] = iter,
) -> Ingested:
    """Store conversations, then process all that is pending in their groups, side by side.

    Args:
        memory: Where to.
        conversations: Read one after the other; each is stored before the next is read.
        group: Whose memory; for conversations that mean a memory of their own, what comes before their
            name and a slash. None is the memory's own group, or their name alone.
        meter: Told of the stages store and remember.
        shape: Makes the messages that are stored of those that are read, conversation by conversation.
    """
    start = perf_counter()
    groups: dict[str, None] = {}
    new = known = replaced = 0
    for number, conversation in enumerate(conversations, 1):
        target = _group_of(conversation, group)
        versions = Versions(conversation.path)
        for batch in _batches(versions.marked(shape(iter(conversation.messages)))):
            added = memory.add(batch, group=target, when="later")
            groups[added.group] = None
            new, known = new + added.new, known + added.known
            versions.stored(added.group, batch, added.uuids)
        replaced += versions.forget_replaced(memory)
        meter("store", number, number)
    processed = memory.process(groups, report=_Watch(meter))
    return Ingested(
        groups=tuple(groups),
        new=new,
        known=known,
        replaced=replaced,
        processed=processed,
        elapsed_s=perf_counter() - start,
    )


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


def _group_of(conversation: Conversation, group: str | None) -> str | None:
    if conversation.scope == "session":
        return group
    return conversation.name if group is None else f"{group}/{conversation.name}"


def _batches(messages: Iterator[Message]) -> Iterator[list[Message]]:
    while batch := list(islice(messages, _BATCH)):
        yield batch


def _show_estimate(output: Output, conversations: Iterable[Conversation], settings: Settings) -> None:
    llm = settings.ingestion.extractor != "local" and settings.llm_provider != "none"
    instructions = extraction_instructions() if llm else None
    shape = partial(shaped, settings=settings.ingestion)
    messages = (message for conversation in conversations for message in shape(iter(conversation.messages)))
    price = estimate(messages, settings.ingestion, instructions)
    tree = settings.tree
    if (
        settings.llm_provider != "none"
        and tree.enabled
        and (tree.summaries == "llm" or (tree.summaries, settings.ingestion.profile) == _BY_LLM)
    ):
        price = with_summaries(price, tree.summary_tokens)
    output.show(price, lambda console: _show_price(console, price, settings))


def _show_price(console: Console, price: Estimate, settings: Settings) -> None:
    rows = {
        "messages": price.messages,
        "windows": price.windows,
        "LLM calls, at most": price.calls,
        "tokens in, about": price.input_tokens,
        "tokens out, about": price.output_tokens,
    }
    console.print(table(["estimate", "#"], [(name, f"{value:,}") for name, value in rows.items()]))
    by = f"by {settings.llm.model}" if price.calls else "by the local extractor, which calls no LLM"
    console.print(f"{by}; nothing was stored", style="dim")


def show_ingested(console: Console, done: Ingested) -> None:
    """Print what an import did and where its time went."""
    processed = done.processed
    where = done.groups[0] if len(done.groups) == 1 else f"{len(done.groups)} groups"
    replaced = f", {done.replaced:,} of earlier versions replaced" if done.replaced else ""
    console.print(
        f"{done.new:,} new and {done.known:,} known episodes in {escape(where)}{replaced}; "
        f"{processed.done:,} processed: {processed.entities:,} entities, {processed.edges:,} facts"
    )
    console.print(f"{done.elapsed_s:.1f} s, {done.rate:.0f} episodes/s · {usage(processed.usage)}", style="dim")
    if processed.seconds:
        rows = [(stage, f"{seconds:.1f}") for stage, seconds in processed.seconds.items()]
        console.print(table(["stage", "#seconds"], rows))
        console.print("stages overlap, so that they may add up to more than the whole", style="dim")
    if processed.stopped:
        console.print(f"[yellow]{processed.pending:,} left pending[/]: {escape(processed.stopped)}")
    for uuid, reason in islice(processed.reasons.items(), 10):
        console.print(f"[red]failed[/] {uuid}: {escape(reason)}")
    if processed.failed:
        console.print(f"{processed.failed:,} failed; `mnemo retry` processes them once more")
