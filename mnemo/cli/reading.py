"""Commands that read a memory: search, ask, list, show, groups."""

from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from mnemo.cli.inputs import (
    AsOfOption,
    BudgetOption,
    GroupOption,
    JsonOption,
    KOption,
    MinScoreOption,
    QuestionArgument,
    RouteOption,
    SessionOption,
    SinceOption,
    SpeakerOption,
    UntilOption,
    opened,
    require_group,
    when,
)
from mnemo.cli.rendering import results
from mnemo.cli.rendering.output import Output, failing_clearly
from mnemo.cli.rendering.walk import walk
from mnemo.lazy_import import lazy_module

if TYPE_CHECKING:
    from datetime import datetime

    from mnemo.memory.reading import ListKind
    from mnemo.models.graph import EpisodeStatus
    from mnemo.models.results import Route

if TYPE_CHECKING:
    from mnemo.cli.rendering import items, trees
else:
    items = lazy_module("mnemo.cli.rendering.items")
    trees = lazy_module("mnemo.cli.rendering.trees")

__all__ = ["ask", "groups", "list_", "search", "show"]


def search(
    question: QuestionArgument,
    group: GroupOption = None,
    route: RouteOption = "system1",
    k: KOption = None,
    budget: BudgetOption = None,
    as_of: AsOfOption = None,
    session: SessionOption = None,
    speaker: SpeakerOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    min_score: MinScoreOption = None,
    context: Annotated[bool, typer.Option("--context", help="Print the text that an LLM would be given.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Draw the walk through the categories.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Find the facts, episodes and entities that match a question, with scores and sources."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group, embeds=True) as memory:
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
            min_score=min_score,
        )
        if not (result.episodes or result.edges or result.entities):
            require_group(memory, group)
        if context:
            output.show(result.context, lambda console: console.out(result.context.text, highlight=False))
            return
        output.show(result, lambda console: results.search_result(console, result))
        if explain and not as_json:
            walk(output.console, result)


def ask(
    question: QuestionArgument,
    group: GroupOption = None,
    route: RouteOption = "system1",
    k: KOption = None,
    budget: BudgetOption = None,
    as_of: AsOfOption = None,
    session: SessionOption = None,
    speaker: SpeakerOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    min_score: MinScoreOption = None,
    tree: Annotated[str | None, typer.Option("--tree", "-t", help="Ask this tree instead.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a question from memory, with sources: by the LLM, or without one by the best facts and quotes.

    With --tree, the question becomes a Semantic XPath query on that tree: by the LLM, or without one by rules.
    """
    output = Output(json=as_json)
    with failing_clearly(output), opened(group, embeds=True) as memory:
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
            min_score=min_score,
        )
        if not (answer.result.episodes or answer.result.edges):
            require_group(memory, group)
        output.show(answer, lambda console: results.answer(console, answer))


def list_(
    kind: Annotated[str, typer.Argument(help="episodes, entities or edges (facts).")] = "episodes",
    group: GroupOption = None,
    limit: Annotated[int, typer.Option("--limit", help="Most items of the page, 1 to 1,000.")] = 50,
    cursor: Annotated[str | None, typer.Option("--cursor", help="Cursor printed with the previous page.")] = None,
    session: Annotated[str | None, typer.Option("--session", help="Episodes: only those of this session.")] = None,
    status: Annotated[str | None, typer.Option("--status", help="Episodes: pending, done or failed.")] = None,
    entity: Annotated[str | None, typer.Option("--entity", help="Edges: only facts about this entity (uuid).")] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="Edges: facts of this time; 'ever' is all.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List episodes, entities or facts, page by page in a stable order, with the total."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        moment: datetime | Literal["ever"] | None = "ever" if as_of == "ever" else when(as_of, "--as-of")
        page = memory.list(
            cast("ListKind", kind),
            cursor=cursor,
            limit=limit,
            session=session,
            status=cast("EpisodeStatus | None", status),
            entity=None if entity is None else memory.get(entity).uuid,
            as_of=moment,
        )
        if not page.total:
            require_group(memory, group)
        output.show(page, lambda console: results.page(console, page, kind))


def show(
    uuid: Annotated[str, typer.Argument(help="Uuid of an episode, entity or fact; its first characters will do.")],
    group: GroupOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one episode, entity or fact: a fact with its messages, an entity with its facts."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        shown = items.gather(memory, uuid)
        output.show(items.as_json(shown), lambda console: items.show(console, shown))


def groups(as_json: JsonOption = False) -> None:
    """List the groups of the database."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(None) as memory:
        found = memory.groups()
        output.show(found, lambda console: results.groups(console, found))
