"""Evidence recall of the tree over episodes beside flat retrieval, at equal tokens, on LoCoMo. No database, no LLM.

Flat ranks turns by cosine to the question. Collapsed ranks turns and inner nodes alike, and reports an
inner node above another result once, with that one. Both are given to the reader best first while they
fit the budget. A turn counts as found when it is given itself, or when all of its sentences stand in a
summary that is given.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mnemo.bench.memtree.growth import ROOT, Grown
from mnemo.bench.recall.locomo_data import LocomoQuestion
from mnemo.providers.base import Vectors
from mnemo.providers.tokens import count_tokens
from mnemo.text.sentences import sentences

__all__ = ["Recall", "Shelf", "recalls", "shelf"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """Of one question at one budget."""

    flat: float
    collapsed: float
    """By turns given themselves."""
    collapsed_covered: float
    """By these and by summaries that hold the whole turn."""
    summaries: int
    """Inner nodes given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """All nodes of a tree, ready to be ranked."""

    names: tuple[str, ...]
    """Turns by number, then inner nodes."""
    texts: tuple[str, ...]
    tokens: tuple[int, ...]
    matrix: Vectors
    turns: int
    above: Mapping[str, frozenset[str]]


def shelf(texts: Sequence[str], vectors: Vectors, grown: Grown) -> Shelf:
    """Return the nodes of a tree that was grown from some texts."""
    inner = [name for name in grown.contents if name in grown.tree]
    names = (*(str(number) for number in range(len(texts))), *inner)
    all_texts = (*texts, *(grown.contents[name] for name in inner))
    parents = {child: parent for parent, children in grown.tree.items() for child in children}
    return Shelf(
        names=names,
        texts=all_texts,
        tokens=tuple(count_tokens(text) for text in all_texts),
        matrix=np.vstack([vectors, *(grown.vectors[name][None] for name in inner)]),
        turns=len(texts),
        above={name: frozenset(_above(name, parents)) for name in names},
    )


def recalls(
    books: Shelf, question: LocomoQuestion, vector: Vectors, ids: Sequence[str], budgets: Sequence[int]
) -> dict[int, Recall]:
    """Return what both ways find of a question's evidence within each budget of tokens.

    Args:
        books: The nodes.
        question: With its evidence.
        vector: Of the question.
        ids: Of the turns, in order.
        budgets: In tokens, by the offline counter.
    """
    cosines = books.matrix @ vector
    ranked = [int(place) for place in np.argsort(-cosines, kind="stable")]
    wanted = {ids.index(each) for each in question.evidence if each in ids}
    found = {}
    for budget in budgets:
        flat = _fitting(books, [place for place in ranked if place < books.turns], budget)
        tree = _fitting(books, _folded(books, ranked, budget), budget)
        turns = {place for place in tree if place < books.turns}
        inner = [place for place in tree if place >= books.turns]
        covered = turns | {turn for turn in wanted if any(_holds(books, place, turn) for place in inner)}
        found[budget] = Recall(
            flat=_share(wanted, set(flat)),
            collapsed=_share(wanted, turns),
            collapsed_covered=_share(wanted, covered),
            summaries=len(inner),
        )
    return found


def _share(wanted: set[int], given: set[int]) -> float:
    return len(wanted & given) / len(wanted) if wanted else 0.0


def _holds(books: Shelf, inner: int, turn: int) -> bool:
    return all(line in books.texts[inner] for line in sentences(books.texts[turn]))


def _fitting(books: Shelf, ranked: Sequence[int], budget: int) -> list[int]:
    given, spent = [], 0
    for place in ranked:
        if spent + books.tokens[place] > budget:
            break
        spent += books.tokens[place]
        given.append(place)
    return given


def _folded(books: Shelf, ranked: Sequence[int], budget: int) -> list[int]:
    """Return ranked nodes of which none is above another, as many as a budget can hold."""
    kept: list[int] = []
    covered: set[str] = set()
    for place in ranked:
        name = books.names[place]
        if name in covered:
            continue
        kept = [other for other in kept if books.names[other] not in books.above[name]]
        if sum(books.tokens[other] for other in kept) > budget:
            break
        kept.append(place)
        covered |= books.above[name]
    return kept


def _above(name: str, parents: Mapping[str, str]) -> list[str]:
    found = []
    while (name := parents[name]) != ROOT:
        found.append(name)
    return found
