"""Results as a person reads them: tables and quotes in the terminal."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from mnemo.cli.rendering.console import escape
from mnemo.models.graph import Edge, Entity, Episode
from mnemo.models.results import Answer, Context, Forgotten, Found, GroupInfo, Page, SearchResult, Usage
from mnemo.retrieval.context import shown_edge
from mnemo.retrieval.local_time import local

__all__ = [
    "answer",
    "counted",
    "counts",
    "cut",
    "forgotten",
    "groups",
    "moment",
    "page",
    "search_result",
    "short",
    "table",
    "usage",
]

_CUT = 160
_SHORT = 8
_WHOLE = ("uuid", "when")
"""Columns that are never cut or wrapped."""
_SHOWN = 10
_TITLES = {"llm": "answer", "extract": "answer from facts and quotes (no LLM is configured)", "none": "no answer"}


def moment(instant: datetime | None, zone: str | None = None) -> str:
    """Return a time in its own zone, to the minute; an unknown one is a dash."""
    if instant is None:
        return "–"
    return local(instant, zone).strftime("%Y-%m-%d %H:%M")


def short(uuid: str) -> str:
    """Return the first characters of a uuid: enough to name it on the command line."""
    return uuid[:_SHORT]


def cut(text: str, limit: int = _CUT) -> str:
    """Return a text on one line, cut to `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str | None = None, header: bool = True
) -> Table:
    """Return a table of plain text; columns whose names start with # hold numbers."""
    drawn = Table(title=title, title_justify="left", box=None, header_style="bold", pad_edge=False, show_header=header)
    for column in columns:
        number = column.startswith("#")
        drawn.add_column(column.lstrip("#"), justify="right" if number else "left", no_wrap=number or column in _WHOLE)
    for row in rows:
        drawn.add_row(*(escape(cell) for cell in row))
    return drawn


def counts(values: dict[str, int], *, title: str | None = None) -> Table:
    """Return a table of names and numbers."""
    return table(["what", "#count"], [(name, f"{value:,}") for name, value in values.items()], title=title)


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number with its noun, such as `1 fact`, `2 facts` or `3 entities`."""
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def usage(value: Usage) -> str:
    """Return what a call cost, in one line."""
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
    _note(console, result)


def _note(console: Console, result: SearchResult) -> None:
    """Print what the caller should know about the route, such as that another one answered."""
    if result.note:
        console.print(f"note: {escape(result.note)}", style="yellow")


def _size(context: Context) -> str:
    cut_note = ", cut to fit" if context.truncated else ""
    return f"context {context.tokens:,} of {context.budget:,} tokens{cut_note}"


def _blocks(result: SearchResult) -> Iterable[RenderableType]:
    now = result.moment or datetime.now(UTC)
    yield from _block("Facts", ["#score", "uuid", "fact"], [_edge_row(each, now) for each in result.edges])
    yield from _block("Episodes", ["#score", "uuid", "when", "who", "said"], [_episode_row(e) for e in result.episodes])
    yield from _block("Entities", ["#score", "uuid", "entity", "tags"], [_entity_row(e) for e in result.entities])


def _block(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterable[RenderableType]:
    if rows:
        yield table(columns, rows[:_SHOWN], title=f"[bold]{title}[/]")
    if len(rows) > _SHOWN:
        yield Text(f"and {len(rows) - _SHOWN} more with lower scores; --json has all", style="dim")


def _edge_row(found: Found[Edge], now: datetime) -> tuple[str, ...]:
    return f"{found.score:.3f}", short(found.item.uuid), cut(shown_edge(found.item, now))


def _episode_row(found: Found[Episode]) -> tuple[str, ...]:
    episode = found.item
    when = moment(episode.occurred_at, episode.zone)
    return f"{found.score:.3f}", short(episode.uuid), when, episode.speaker or episode.role, cut(episode.content)


def _entity_row(found: Found[Entity]) -> tuple[str, ...]:
    return f"{found.score:.3f}", short(found.item.uuid), found.item.name, ", ".join(found.item.tags)


def answer(console: Console, value: Answer) -> None:
    """Print the answer and the messages that its marks point at."""
    title = _TITLES[value.by]
    console.print(Panel(escape(value.text), title=title, title_align="left", border_style="cyan"))
    lines: list[RenderableType] = []
    for citation in value.citations:
        episode = citation.episode
        head = f"[{citation.mark}] {moment(episode.occurred_at, episode.zone)} {episode.speaker or episode.role}"
        lines.append(Text.assemble((head, "bold"), "  ", cut(citation.quote)))
    console.print(Padding(Group(*lines), (0, 0, 0, 1)))
    console.print(f"{_size(value.result.context)} · {usage(value.usage)}", style="dim")
    _note(console, value.result)


def forgotten(console: Console, value: Forgotten) -> None:
    """Print how much was deleted."""
    kinds = ("episodes", "entities", "edges", "categories", "trees")
    console.print(counts({kind: getattr(value, kind) for kind in kinds}, title="Forgotten"))


def page(console: Console, value: Page[Episode] | Page[Entity] | Page[Edge], kind: str) -> None:
    """Print one page of a list, and how to get the next."""
    columns, rows = _page_rows(value.items)
    if rows:
        console.print(table(columns, rows))
    console.print(f"{len(value.items):,} of {value.total:,} {kind}", style="dim")
    if value.cursor:
        console.print(f"next page: --cursor {value.cursor}", style="dim", soft_wrap=True)


def groups(console: Console, found: Sequence[GroupInfo]) -> None:
    """Print the groups of a database."""
    if not found:
        console.print("no groups yet; `mnemo add` makes one")
        return
    rows = [
        (each.name, *(f"{count:,}" for count in (each.episodes, each.entities, each.edges, each.pending, each.failed)))
        for each in found
    ]
    console.print(table(["group", "#episodes", "#entities", "#facts", "#pending", "#failed"], rows))


def _page_rows(items: Sequence[Episode | Entity | Edge]) -> tuple[list[str], list[tuple[str, ...]]]:
    now = datetime.now(UTC)
    rows: list[tuple[str, ...]] = []
    columns = ["uuid"]
    for item in items:
        if isinstance(item, Episode):
            columns = ["uuid", "when", "session", "who", "said", "status"]
            when, who = moment(item.occurred_at, item.zone), item.speaker or item.role
            rows.append((short(item.uuid), when, item.session, who, cut(item.content, 80), item.status))
        elif isinstance(item, Entity):
            columns = ["uuid", "name", "tags", "aliases"]
            rows.append((short(item.uuid), item.name, ", ".join(item.tags), ", ".join(item.aliases)))
        else:
            columns = ["uuid", "fact"]
            rows.append((short(item.uuid), cut(shown_edge(item, now))))
    return columns, rows
