"""One memory as a person reads it: an episode, a fact with its messages, an entity with its facts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pydantic_core import to_jsonable_python
from rich.console import Console

from mnemo.cli.rendering.console import escape
from mnemo.cli.rendering.results import cut, moment, short, table
from mnemo.models.graph import Edge, Entity, Episode
from mnemo.models.results import EdgeSource
from mnemo.retrieval.context import shown_edge

if TYPE_CHECKING:
    from mnemo.memory import Memory

__all__ = ["ShownItem", "as_json", "gather", "show"]

_MOST_FACTS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownItem:
    """A memory with what belongs to it."""

    item: Episode | Entity | Edge
    subject: str | None = None
    """Name of a fact's subject."""
    object: str | None = None
    """Name of a fact's object, if it has one."""
    sources: tuple[EdgeSource, ...] = ()
    """Messages that state a fact."""
    facts: tuple[Edge, ...] = ()
    """Facts about an entity, ended ones included."""
    total: int = 0
    """Number of facts about an entity."""


def gather(memory: "Memory", uuid: str) -> ShownItem:
    """Read an item and what belongs to it.

    Raises:
        ArgumentError: Several uuids begin with the given characters.
        NotFoundError: The group has no such item.
    """
    item = memory.get(uuid)
    if isinstance(item, Edge):
        return ShownItem(
            item=item,
            subject=_name(memory, item.subject),
            object=_name(memory, item.object),
            sources=memory.sources(item.uuid),
        )
    if isinstance(item, Entity):
        page = memory.list("edges", entity=item.uuid, as_of="ever", limit=_MOST_FACTS)
        return ShownItem(item=item, facts=page.items, total=page.total)
    return ShownItem(item=item)


def _name(memory: "Memory", uuid: str | None) -> str | None:
    found = None if uuid is None else memory.get(uuid)
    return found.name if isinstance(found, Entity) else None


def as_json(shown: ShownItem) -> Mapping[str, object]:
    """Return an item's own fields and what belongs to it, for `--json`."""
    fields: dict[str, object] = to_jsonable_python(shown.item)
    if isinstance(shown.item, Edge):
        return {**fields, "subject_name": shown.subject, "object_name": shown.object, "sources": shown.sources}
    if isinstance(shown.item, Entity):
        return {**fields, "facts": shown.facts, "total_facts": shown.total}
    return fields


def show(console: Console, shown: ShownItem) -> None:
    """Print an item."""
    if isinstance(shown.item, Edge):
        _show_edge(console, shown.item, shown)
    elif isinstance(shown.item, Entity):
        _show_entity(console, shown.item, shown)
    else:
        _show_episode(console, shown.item)


def _show_edge(console: Console, edge: Edge, shown: ShownItem) -> None:
    console.print(f"[bold]{escape(shown_edge(edge, datetime.now(UTC)))}[/]")
    rows = [
        ("subject", shown.subject or edge.subject),
        ("relation", edge.relation),
        ("object", shown.object or ""),
        ("from", moment(edge.valid_from, edge.zone)),
        ("to", moment(edge.valid_to, edge.zone)),
        ("said as", edge.when or ""),
        ("learnt", moment(edge.recorded_at)),
        ("uuid", edge.uuid),
    ]
    _show_rows(console, rows)
    for source in shown.sources:
        episode = source.episode
        head = f"{short(episode.uuid)}  {moment(episode.occurred_at, episode.zone)}  {episode.speaker or episode.role}"
        console.print(f"\n[dim]{escape(head)}[/]\n  {escape(source.quote)}")


def _show_entity(console: Console, entity: Entity, shown: ShownItem) -> None:
    console.print(f"[bold]{escape(entity.name)}[/]  {escape(', '.join(entity.tags))}")
    rows = [("also", ", ".join(entity.aliases)), ("summary", entity.summary), ("uuid", entity.uuid)]
    _show_rows(console, rows)
    now = datetime.now(UTC)
    facts = [(short(edge.uuid), cut(shown_edge(edge, now))) for edge in shown.facts]
    if facts:
        console.print()
        console.print(table(["uuid", "fact"], facts))
    if shown.total > len(facts):
        console.print(f"{len(facts)} of {shown.total:,}; `mnemo list edges --entity {short(entity.uuid)}` has all")


def _show_episode(console: Console, episode: Episode) -> None:
    console.print(episode.content, markup=False)
    rows = [
        ("when", moment(episode.occurred_at, episode.zone)),
        ("speaker", episode.speaker or episode.role),
        ("session", episode.session),
        ("source", episode.source or ""),
        ("status", episode.status if episode.reason is None else f"{episode.status}: {episode.reason}"),
        ("uuid", episode.uuid),
    ]
    _show_rows(console, rows)


def _show_rows(console: Console, rows: list[tuple[str, str]]) -> None:
    console.print(table(["", ""], [row for row in rows if row[1] not in ("", "–")], header=False))
