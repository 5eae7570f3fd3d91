"""What was found as text to put before an LLM, within a token budget: pure.

Facts first, then people and things, then summaries, then quotes; each line ends or begins with the marks of the
episodes that it rests on. Lines are chosen by rank across the types, best first, while they fit; a
long quote is cut around the sentence nearest to the question.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mnemo.models.graph import Edge, Entity, Episode
from mnemo.models.hierarchy import Category
from mnemo.models.results import Context, Found
from mnemo.providers.tokens import count_tokens
from mnemo.retrieval.candidates import Finds
from mnemo.retrieval.local_time import local
from mnemo.retrieval.passages import around

__all__ = ["build", "shown_edge", "shown_time"]

_HEADS = {"fact": "Facts", "entity": "People and things", "summary": "Summaries", "quote": "Messages"}
_QUOTE_SHARE = 0.25
_LEAST_QUOTE = 24
_MARK_TOKENS = 4
_DATES = {"minute": "%Y-%m-%d %H:%M", "month": "%Y-%m", "season": "%Y-%m", "year": "%Y"}


@dataclass(frozen=True, slots=True)
class _Line:
    kind: str
    text: str
    sources: tuple[str, ...]
    """Uuids of the episodes to mark it by, at most three."""

    def shown(self, marks: dict[str, int]) -> str:
        signs = "".join(f"[{marks[uuid]}]" for uuid in self.sources if uuid in marks)
        if self.kind == "quote":
            return f"{signs} {self.text}"
        return f"- {self.text} {signs}" if signs else f"- {self.text}"


def build(question: str, finds: Finds, *, budget: int) -> Context:
    """Lay out what was found.

    Args:
        question: What is asked; decides where long quotes are cut.
        finds: Ranked; each thing is shown at most once.
        budget: Most tokens of the text, by `mnemo.providers.tokens`; at least 0.

    Returns:
        A context whose `tokens` never exceeds `budget`; empty when nothing was found or nothing fits.
    """
    chosen: list[_Line] = []
    left_out = False
    spent = 0
    heads = {kind: count_tokens(f"{head}:\n\n") for kind, head in _HEADS.items()}
    for line in _by_rank(question, finds, budget):
        head = 0 if any(other.kind == line.kind for other in chosen) else heads[line.kind]
        cost = count_tokens(line.text) + _MARK_TOKENS * max(1, len(line.sources)) + head
        if spent + cost > budget:
            left_out = True
            continue
        chosen.append(line)
        spent += cost
    return _fitted(chosen, budget, left_out=left_out)


def shown_edge(edge: Edge) -> str:
    """Return a fact with when it held, such as `Ana works at Birch. (since 2023-06-01)`.

    A fact that ended, or is known to end, says from when until when; an open one since when. Days are those
    of its zone. What stands in the fact itself is not said again.
    """
    start = _unsaid_start(edge)
    end = local(edge.valid_to, edge.zone).strftime("%Y-%m-%d") if edge.valid_to else ""
    if end and f"until {end}" not in edge.fact:
        return f"{edge.fact} (from {start} until {end})" if start else f"{edge.fact} (until {end})"
    return f"{edge.fact} (since {start})" if start else edge.fact


def _unsaid_start(edge: Edge) -> str:
    """Return the start as it is shown; empty for an unknown one, and for one that the fact itself says."""
    if edge.valid_from is None:
        return ""
    form = _DATES.get(edge.precision, "%Y-%m-%d")
    moment = local(edge.valid_from, edge.zone)
    said = moment.strftime(form) in edge.fact or (edge.precision == "month" and f"{moment:%B %Y}" in edge.fact)
    return "" if said else moment.strftime(form)


def shown_time(episode: Episode) -> str:
    """Return when an episode was written, in its own zone; `undated` where that is unknown."""
    if episode.occurred_at is None:
        return "undated"
    moment = local(episode.occurred_at, episode.zone).strftime("%a %Y-%m-%d %H:%M")
    return f"{moment} {episode.zone}" if episode.zone not in (None, "UTC") else moment


def _fitted(chosen: list[_Line], budget: int, *, left_out: bool) -> Context:
    """Lay the lines out, the last chosen left out until the whole fits."""
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


def _by_rank(question: str, finds: Finds, budget: int) -> Iterator[_Line]:
    """Yield a quote, a fact and, every other time, an entity, rank by rank, each text once."""
    seen: set[tuple[str, str]] = set()
    most = max(_LEAST_QUOTE, int(budget * _QUOTE_SHARE))
    known = {found.item.uuid for found in finds.episodes} | set(finds.backing)
    rounds = max(len(finds.episodes), len(finds.edges), len(finds.categories), 2 * len(finds.entities))
    for rank in range(rounds):
        lines = [
            *(_quote(question, found.item, most) for found in finds.episodes[rank : rank + 1]),
            *(_fact(found.item, found.sources, known) for found in finds.edges[rank : rank + 1]),
            *(_summary(question, found, most, known) for found in finds.categories[rank : rank + 1]),
            *(_thing(found.item) for found in finds.entities[rank // 2 : rank // 2 + 1] if rank % 2 == 0),
        ]
        for line in lines:
            key = (line.kind, line.sources[0] if line.kind == "quote" else line.text)
            if line.text and key not in seen:
                seen.add(key)
                yield line


def _quote(question: str, episode: Episode, most: int) -> _Line:
    who = episode.speaker or (episode.source if episode.role == "document" else None) or episode.role
    return _Line("quote", f"{shown_time(episode)}, {who}: {around(episode.content, question, most)}", (episode.uuid,))


def _fact(edge: Edge, sources: Sequence[str], known: set[str]) -> _Line:
    return _Line("fact", shown_edge(edge), tuple(uuid for uuid in sources if uuid in known)[:3])


def _summary(question: str, found: Found[Category], most: int, known: set[str]) -> _Line:
    """Show what an inner node says; one without content, a category by name alone, is not shown."""
    text = around(found.item.content, question, most) if found.item.content.strip() else ""
    return _Line("summary", text, tuple(uuid for uuid in found.sources if uuid in known)[:3])


def _thing(entity: Entity) -> _Line:
    """Show an entity that there is something to say of; others would only repeat a name."""
    about = entity.summary or ", ".join(entity.tags)
    names = f"{entity.name} (also {', '.join(entity.aliases)})" if entity.aliases else entity.name
    return _Line("entity", f"{names}: {about}" if about else "", ())
