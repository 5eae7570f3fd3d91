"""Commands about what is remembered: search, ask, list, show, forget, retry, reembed."""

from datetime import datetime  # noqa: TC003  # of a neighbour of what typer reads
from typing import Annotated, Literal, cast

import typer
from rich.console import Console
from rich.markup import escape
from rich.prompt import Confirm

from mnemo.cli.inputs import opened, when
from mnemo.cli.rendering import results, trees
from mnemo.cli.rendering.output import GroupOption, JsonOption, Output, failing_clearly
from mnemo.cli.rendering.progress import metering
from mnemo.cli.rendering.walk import walk
from mnemo.config import load_settings
from mnemo.errors import ArgumentError
from mnemo.memory.reading import ListKind  # noqa: TC001  # typer reads annotations at run time
from mnemo.models.graph import Edge, Entity, Episode, EpisodeStatus
from mnemo.models.results import Processed, Route

__all__ = ["register"]

AsOfOption = Annotated[str | None, typer.Option("--as-of", help="What held then: 2025-03-01 or with a time.")]
KOption = Annotated[int | None, typer.Option("--k", min=1, help="Most episodes; twice as many facts and entities.")]
BudgetOption = Annotated[int | None, typer.Option("--budget", min=50, help="Most tokens of the context.")]
RouteOption = Annotated[
    str, typer.Option("--route", help="How to look: system1, system2 (down the hierarchy), both, or memtree.")
]
SessionOption = Annotated[str | None, typer.Option("--session", help="Episodes of this session only.")]
SpeakerOption = Annotated[str | None, typer.Option("--speaker", help="Episodes by this speaker only.")]
SinceOption = Annotated[str | None, typer.Option("--since", help="Episodes from then on.")]
UntilOption = Annotated[str | None, typer.Option("--until", help="Episodes before then.")]
LimitOption = Annotated[int, typer.Option("--limit", min=1, max=1000, help="Most items of the page.")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    for command in (search, ask, show, forget, retry, reembed):
        app.command()(command)
    app.command("list")(list_)


def search(
    question: Annotated[str, typer.Argument(help="Taken as text, never as query syntax.")],
    group: GroupOption = None,
    route: RouteOption = "system1",
    k: KOption = None,
    budget: BudgetOption = None,
    as_of: AsOfOption = None,
    session: SessionOption = None,
    speaker: SpeakerOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    context: Annotated[bool, typer.Option("--context", help="Print the text that an LLM would be given.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Draw the walk down the hierarchy.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Find the facts, episodes and entities that a question needs, with scores and sources."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        result = memory.search(
            question,
            k=k,
            budget=budget,
            route=cast("Route", route),
            as_of=when(as_of, "--as-of"),
            session=session,
            speaker=speaker,
            since=when(since, "--since"),
            until=when(until, "--until"),
        )
        if context:
            output.show(result.context, lambda console: console.print(escape(result.context.text), soft_wrap=True))
        else:
            output.show(result, lambda console: results.search_result(console, result))
            if explain and not as_json:
                walk(output.console, result)


def ask(
    question: Annotated[str, typer.Argument(help="Taken as text, never as query syntax.")],
    group: GroupOption = None,
    route: RouteOption = "system1",
    k: KOption = None,
    budget: BudgetOption = None,
    as_of: AsOfOption = None,
    session: SessionOption = None,
    speaker: SpeakerOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    tree: Annotated[str | None, typer.Option("--tree", "-t", help="Ask this tree memory instead.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a question with its sources: by the LLM, or with none, the best facts and quotes as they are.

    With --tree, the words become a Semantic XPath query on that tree: by the LLM, or by rules for plain shapes.
    """
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        if tree is not None:
            done = memory.tree(tree).ask(question)
            output.show(done, lambda console: trees.outcome(console, done))
            return
        answer = memory.ask(
            question,
            k=k,
            budget=budget,
            route=cast("Route", route),
            as_of=when(as_of, "--as-of"),
            session=session,
            speaker=speaker,
            since=when(since, "--since"),
            until=when(until, "--until"),
        )
        output.show(answer, lambda console: results.answer(console, answer))


def list_(
    kind: Annotated[str, typer.Argument(help="episodes, entities or edges.")] = "episodes",
    group: GroupOption = None,
    limit: LimitOption = 50,
    cursor: Annotated[str | None, typer.Option("--cursor", help="That of the page before.")] = None,
    session: SessionOption = None,
    status: Annotated[str | None, typer.Option("--status", help="Episodes that are pending, done or failed.")] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="Edges: those that held then; 'ever' is all.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List what is remembered, page by page in a stable order, with the total."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        moment: datetime | Literal["ever"] | None = "ever" if as_of == "ever" else when(as_of, "--as-of")
        found = memory.list(
            cast("ListKind", kind),
            cursor=cursor,
            limit=limit,
            session=session,
            status=cast("EpisodeStatus | None", status),
            as_of=moment,
        )
        output.show(found, lambda console: results.page(console, found, kind))


def show(
    uuid: Annotated[str, typer.Argument(help="Of an episode, entity or edge.")],
    group: GroupOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one episode, entity or fact, whole."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        found = memory.get(uuid)
        output.show(found, lambda console: _show_item(console, found))


def _show_item(console: Console, item: Episode | Entity | Edge) -> None:
    rows = [(name, str(value)) for name in item.__slots__ if (value := getattr(item, name)) not in (None, "", (), {})]
    console.print(f"[bold]{type(item).__name__}[/]")
    console.print(results.table(["", ""], rows, header=False))


def forget(
    uuid: Annotated[str | None, typer.Argument(help="Of an episode.", show_default=False)] = None,
    group: GroupOption = None,
    session: Annotated[str | None, typer.Option("--session", help="All episodes of this session.")] = None,
    whole: Annotated[bool, typer.Option("--all", help="Everything in the group.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a whole group.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Delete an episode, a session or a whole group, with all that rested on it alone."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        if [uuid is not None, session is not None, whole].count(True) != 1:
            message = "wanted one of: an episode's uuid, --session, or --all; nothing was deleted"
            raise ArgumentError(message)
        name = load_settings().group if group is None else group
        if whole and not (yes or (not as_json and Confirm.ask(f"Delete everything in group {escape(repr(name))}?"))):
            message = "nothing was deleted; --yes deletes without asking"
            raise ArgumentError(message)
        gone = memory.forget(group=name) if whole else memory.forget(uuid, session=session, group=group)
        output.show(gone, lambda console: results.forgotten(console, gone))


def retry(group: GroupOption = None, as_json: JsonOption = False) -> None:
    """Process what failed, and what is pending, once more; exit 1 if anything is left."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        with metering(output.notes, quiet=as_json) as meter:
            done = memory.retry(on_progress=meter)
        output.show(done, lambda console: _show_processed(console, done))
        if done.failed or done.pending:
            raise typer.Exit(1)


def _show_processed(console: Console, done: Processed) -> None:
    console.print(f"{done.done:,} done, {done.failed:,} failed, {done.pending:,} pending")
    if done.stopped:
        console.print(f"[yellow]stopped[/]: {escape(done.stopped)}")
    for uuid, reason in done.reasons.items():
        console.print(f"[red]failed[/] {uuid}: {escape(reason)}")


def reembed(as_json: JsonOption = False) -> None:
    """Embed all memory by the configured model, after the model or its dimension has changed.

    Goes on where it was when it was stopped.
    """
    output = Output(json=as_json)
    with failing_clearly(output), opened(None) as memory:
        count = memory.reembed()
        output.show({"embedded": count}, lambda console: console.print(f"{count:,} vectors replaced"))
