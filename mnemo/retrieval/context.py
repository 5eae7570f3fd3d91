"""The text that an LLM gets, within a token budget: pure.

Facts first, then people and things, then summaries, then messages; each line carries the marks of its source
episodes. Lines are chosen by rank across the types, best first, while they fit. A long quote is cut around the
sentence nearest to the question.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from mnemo.models.graph import Edge, Entity, Episode
from mnemo.models.hierarchy import Category
from mnemo.models.results import Context, Found, Passage
from mnemo.providers.tokens import count_tokens
from mnemo.retrieval.local_time import local
from mnemo.retrieval.passages import around
from mnemo.retrieval.ranking.ranked_items import RankedItems

__all__ = ["build", "shown_edge", "shown_time"]

_HEADS = {"fact": "Facts", "entity": "People and things", "summary": "Summaries", "quote": "Messages"}
_QUOTE_SHARE = 0.25
_LEAST_QUOTE = 24
_MARK_TOKENS = 4
_SOURCES = 3
"""Most marks of a line."""
_DATES = {"minute": "%Y-%m-%d %H:%M", "month": "%Y-%m", "season": "%Y-%m", "year": "%Y"}


@dataclass(frozen=True, slots=True)
class _Line:
    kind: str
    text: str
    sources: tuple[str, ...]
    """Uuids of its source episodes, at most three."""

    def shown(self, marks: dict[str, int]) -> str:
        signs = "".join(f"[{marks[uuid]}]" for uuid in self.sources if uuid in marks)
        if self.kind == "quote":
            return f"{signs} {self.text}"
        return f"- {self.text} {signs}" if signs else f"- {self.text}"


def build(question: str, items: RankedItems, *, budget: int, now: datetime, first: Sequence[Passage] = ()) -> Context:
    """Lay out ranked items as text.

    Args:
        question: What is asked; decides where long quotes are cut.
        items: In ranked order; each is shown at most once.
        budget: Most tokens of the text, by `mnemo.providers.tokens`; at least 0.
        now: Tells facts to come from current ones; aware.
        first: Items that answer the question, shown before the rest, each fact with its newest message.

    Returns:
        A context whose `tokens` never exceeds `budget`; empty if nothing was found or nothing fits.
    """
    chosen: list[_Line] = []
    left_out = False
    spent = 0
    heads = {kind: count_tokens(f"{head}:\n\n") for kind, head in _HEADS.items()}
    for line in _unique(chain(_first(question, items, budget, now, first), _by_rank(question, items, budget, now))):
        head = 0 if any(other.kind == line.kind for other in chosen) else heads[line.kind]
        cost = count_tokens(line.text) + _MARK_TOKENS * max(1, len(line.sources)) + head
        if spent + cost > budget:
            left_out = True
            continue
        chosen.append(line)
        spent += cost
    return _fitted(chosen, budget, left_out=left_out)


def shown_edge(edge: Edge, now: datetime) -> str:
    """Return a fact with its times, such as `Ana works at Birch. (since 2023-06-01)`.

    The forms are: since a day; `to come: ` and a day or a time; from a day until a day; `ended ` and a day; `every year
    on 4 May, next 2026-05-04`; a day, or two, for an event; and `unsure`. Days are those of the fact's zone. A time
    that the fact's own sentence says is not repeated.

    Args:
        edge: The fact.
        now: Aware.
    """
    notes = [_shown_times(edge, now), "" if edge.certain else "unsure"]
    shown = ", ".join(note for note in notes if note)
    return f"{edge.fact} ({shown})" if shown else edge.fact


def _shown_times(edge: Edge, now: datetime) -> str:
    phase = edge.phase(now)
    following = edge.next_occurrence(now)
    if following is not None:
        return f"every year on {following.day} {following:%B}, next {following.isoformat()}"
    start = _unsaid_start(edge)
    if phase == "upcoming":
        return f"to come: {start}" if start else "to come"
    if phase == "event":
        end = _day(edge.event_end, edge)
        return f"{start} to {end}" if start and end and end != start else start
    end = _day(edge.valid_to, edge)
    if not end or f"until {end}" in edge.fact or f"ended {end}" in edge.fact:
        return f"since {start}" if start else ""
    if phase == "ended":
        return f"from {start}, ended {end}" if start else f"ended {end}"
    return f"from {start} until {end}" if start else f"until {end}"


def _day(moment: datetime | None, edge: Edge) -> str:
    return local(moment, edge.zone).strftime("%Y-%m-%d") if moment else ""


def _unsaid_start(edge: Edge) -> str:
    """Return the start of a fact; empty if it is unknown, or if the fact's sentence gives it."""
    if edge.valid_from is None:
        return ""
    form = _DATES.get(edge.precision, "%Y-%m-%d")
    moment = local(edge.valid_from, edge.zone)
    said = moment.strftime(form) in edge.fact or (edge.precision == "month" and f"{moment:%B %Y}" in edge.fact)
    return "" if said else moment.strftime(form)


def shown_time(episode: Episode) -> str:
    """Return when an episode was written, in its own zone; `undated` if that is unknown."""
    if episode.occurred_at is None:
        return "undated"
    moment = local(episode.occurred_at, episode.zone).strftime("%a %Y-%m-%d %H:%M")
    return f"{moment} {episode.zone}" if episode.zone not in (None, "UTC") else moment


def _fitted(chosen: list[_Line], budget: int, *, left_out: bool) -> Context:
    """Lay the lines out; drop the last chosen ones until the text fits."""
    while True:
        text, sources = _laid_out(chosen)
        tokens = count_tokens(text)
        if tokens <= budget or not chosen:
            return Context(text=text, tokens=tokens, budget=budget, sources=sources, truncated=left_out)
        chosen, left_out = chosen[:-1], True


def _laid_out(lines: Sequence[_Line]) -> tuple[str, tuple[str, ...]]:
    quoted = [line.sources[0] for line in lines if line.kind == "quote"]
    cited = [uuid for line in lines if line.kind != "quote" for uuid in line.sources]
    sources = tuple(dict.fromkeys((*quoted, *cited)))
    marks = {uuid: number for number, uuid in enumerate(sources, 1)}
    blocks = []
    for kind, head in _HEADS.items():
        shown = [line.shown(marks) for line in lines if line.kind == kind]
        if shown:
            blocks.append("\n".join((f"{head}:", *shown)))
    return "\n\n".join(blocks), sources


def _by_rank(question: str, items: RankedItems, budget: int, now: datetime) -> Iterator[_Line]:
    """Yield quotes and facts in turn, rank by rank, with an entity after every second pair."""
    most = max(_LEAST_QUOTE, int(budget * _QUOTE_SHARE))
    known = {found.item.uuid for found in items.episodes} | set(items.sources)
    rounds = max(len(items.episodes), len(items.edges), len(items.categories), 2 * len(items.entities))
    for rank in range(rounds):
        lines = [
            *(_quote(question, found.item, most) for found in items.episodes[rank : rank + 1]),
            *(_fact(found, known, now) for found in items.edges[rank : rank + 1]),
            *(_summary(question, found, most, known) for found in items.categories[rank : rank + 1]),
            *(_thing(found.item) for found in items.entities[rank // 2 : rank // 2 + 1] if rank % 2 == 0),
        ]
        yield from lines


def _first(
    question: str, items: RankedItems, budget: int, now: datetime, passages: Sequence[Passage]
) -> Iterator[_Line]:
    """Yield each passage: a fact with its newest message, or a message."""
    most = max(_LEAST_QUOTE, int(budget * _QUOTE_SHARE))
    episodes = {found.item.uuid: found.item for found in items.episodes}
    edges = {found.item.uuid: found for found in items.edges}
    known = set(episodes) | set(items.sources)
    for passage in passages:
        if passage.edge in edges:
            yield _fact(edges[passage.edge], known, now)
        newest = next((uuid for uuid in reversed(passage.sources) if uuid in known), None)
        if newest is not None:
            yield _quote(question, episodes.get(newest) or items.sources[newest], most)


def _unique(lines: Iterable[_Line]) -> Iterator[_Line]:
    """Yield lines that have a text, each text once."""
    seen: set[tuple[str, str]] = set()
    for line in lines:
        key = (line.kind, line.sources[0] if line.kind == "quote" else line.text)
        if line.text and key not in seen:
            seen.add(key)
            yield line


def _quote(question: str, episode: Episode, most: int) -> _Line:
    who = episode.speaker or (episode.source if episode.role == "document" else None) or episode.role
    return _Line("quote", f"{shown_time(episode)}, {who}: {around(episode.content, question, most)}", (episode.uuid,))


def _fact(found: Found[Edge], known: set[str], now: datetime) -> _Line:
    """Show a fact with its newest sources."""
    sources = [uuid for uuid in found.sources if uuid in known]
    return _Line("fact", shown_edge(found.item, now), tuple(sources[-_SOURCES:]))


def _summary(question: str, found: Found[Category], most: int, known: set[str]) -> _Line:
    """Show the content of an inner node; a category without content is left out."""
    text = around(found.item.content, question, most) if found.item.content.strip() else ""
    return _Line("summary", text, tuple(uuid for uuid in found.sources if uuid in known)[:_SOURCES])


def _thing(entity: Entity) -> _Line:
    """Return an entity's line; empty without a summary or tags, because a bare name says nothing."""
    about = entity.summary or ", ".join(entity.tags)
    names = f"{entity.name} (also {', '.join(entity.aliases)})" if entity.aliases else entity.name
    return _Line("entity", f"{names}: {about}" if about else "", ())
