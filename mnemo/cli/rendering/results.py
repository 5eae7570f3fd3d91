"""Results as a person reads them: tables, trees and quotes in the terminal."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from mnemo.models.graph import Edge, Entity, Episode
from mnemo.models.results import Answer, Context, Forgotten, Found, Page, SearchResult, Usage
from mnemo.retrieval.local_time import local

__all__ = ["answer", "counts", "forgotten", "moment", "page", "search_result", "table"]

_CUT = 160
_SHOWN = 10


def moment(instant: datetime | None, zone: str | None = None) -> str:
    """Write an instant in its own zone to the minute; an unknown one is a dash."""
    if instant is None:
        return "–"
    return local(instant, zone).strftime("%Y-%m-%d %H:%M")


def day(instant: datetime | None, zone: str | None = None) -> str:
    """Write the day that it was in a zone; an unknown instant is empty."""
    return local(instant, zone).strftime("%Y-%m-%d") if instant else ""


def cut(text: str, limit: int = _CUT) -> str:
    """Put a text on one line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str | None = None, header: bool = True
) -> Table:
    """Lay out rows of plain text under columns; columns that start with # are numbers."""
    drawn = Table(title=title, title_justify="left", box=None, header_style="bold", pad_edge=False, show_header=header)
    for column in columns:
        number = column.startswith("#")
        drawn.add_column(column.lstrip("#"), justify="right" if number else "left", no_wrap=number)
    for row in rows:
        drawn.add_row(*(escape(cell) for cell in row))
    return drawn


def counts(values: dict[str, int], *, title: str | None = None) -> Table:
    """Lay out names and numbers."""
    return table(["what", "#count"], [(name, f"{value:,}") for name, value in values.items()], title=title)


def usage(value: Usage) -> str:
    """Say what a call cost in one line."""
    if not value.calls:
        return "no LLM calls"
    plural = "" if value.calls == 1 else "s"
    return f"{value.calls} LLM call{plural}, {value.input_tokens:,} tokens in, {value.output_tokens:,} out"


def search_result(console: Console, result: SearchResult) -> None:
    """Print facts, episodes and entities, best first, with scores and sources."""
    if not (result.edges or result.episodes or result.entities):
        console.print(f"Nothing found in group {escape(result.group)!r}.")
        return
    for block in _blocks(result):
        console.print(block)
    console.print(f"route {result.route} · {_size(result.context)} · {usage(result.usage)}", style="dim")


def _size(context: Context) -> str:
    cut_note = ", cut to fit" if context.truncated else ""
    return f"context {context.tokens:,} of {context.budget:,} tokens{cut_note}"


def _blocks(result: SearchResult) -> Iterable[RenderableType]:
    yield from _block("Facts", ["#score", "fact", "since", "until"], [_edge_row(each) for each in result.edges])
    yield from _block("Episodes", ["#score", "when", "who", "said"], [_episode_row(each) for each in result.episodes])
    yield from _block("Entities", ["#score", "entity", "tags"], [_entity_row(each) for each in result.entities])


def _block(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterable[RenderableType]:
    if rows:
        yield table(columns, rows[:_SHOWN], title=f"[bold]{title}[/]")
    if len(rows) > _SHOWN:
        yield Text(f"and {len(rows) - _SHOWN} more, lower; --json has all", style="dim")


def _edge_row(found: Found[Edge]) -> tuple[str, ...]:
    edge = found.item
    return f"{found.score:.3f}", cut(edge.fact), day(edge.valid_from, edge.zone), day(edge.valid_to, edge.zone)


def _episode_row(found: Found[Episode]) -> tuple[str, ...]:
    episode = found.item
    when = moment(episode.occurred_at, episode.zone)
    return f"{found.score:.3f}", when, episode.speaker or episode.role, cut(episode.content)


def _entity_row(found: Found[Entity]) -> tuple[str, ...]:
    return f"{found.score:.3f}", found.item.name, ", ".join(found.item.tags)


def answer(console: Console, value: Answer) -> None:
    """Print the answer and what its marks point at."""
    title = "answer" if value.by == "llm" else "best facts and quotes (no LLM is configured)"
    console.print(Panel(escape(value.text), title=title, title_align="left", border_style="cyan"))
    lines: list[RenderableType] = []
    for citation in value.citations:
        episode = citation.episode
        head = f"[{citation.mark}] {moment(episode.occurred_at, episode.zone)} {episode.speaker or episode.role}"
        lines.append(Text.assemble((head, "bold"), "  ", cut(citation.quote)))
    console.print(Padding(Group(*lines), (0, 0, 0, 1)))
    console.print(f"{_size(value.result.context)} · {usage(value.usage)}", style="dim")


def forgotten(console: Console, value: Forgotten) -> None:
    """Print how much was deleted."""
    kinds = ("episodes", "entities", "edges", "categories", "trees")
    console.print(counts({kind: getattr(value, kind) for kind in kinds}, title="Forgotten"))


def page(console: Console, value: Page[Episode] | Page[Entity] | Page[Edge], kind: str) -> None:
    """Print one page of a list, and how to get the next."""
    columns, rows = _page_rows(value.items)
    console.print(table(columns, rows))
    console.print(f"{len(value.items):,} of {value.total:,} {kind}", style="dim")
    if value.cursor:
        console.print(f"next page: --cursor {escape(value.cursor)}", style="dim")


def _page_rows(items: Sequence[Episode | Entity | Edge]) -> tuple[list[str], list[tuple[str, ...]]]:
    rows: list[tuple[str, ...]] = []
    columns = ["uuid"]
    for item in items:
        if isinstance(item, Episode):
            columns = ["uuid", "when", "session", "who", "said", "status"]
            when = moment(item.occurred_at, item.zone)
            rows.append((item.uuid, when, item.session, item.speaker or item.role, cut(item.content, 80), item.status))
        elif isinstance(item, Entity):
            columns = ["uuid", "name", "tags", "aliases"]
            rows.append((item.uuid, item.name, ", ".join(item.tags), ", ".join(item.aliases)))
        else:
            columns = ["uuid", "fact", "since", "until"]
            since, until = day(item.valid_from, item.zone), day(item.valid_to, item.zone)
            rows.append((item.uuid, cut(item.fact, 100), since, until))
    return columns, rows
