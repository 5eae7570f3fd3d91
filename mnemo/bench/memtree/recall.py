"""Evidence recall on LoCoMo of a memtree and of flat retrieval at equal tokens. No database, no LLM.

Flat retrieval ranks turns by cosine to the question. Collapsed retrieval ranks turns and inner nodes
together and drops an inner node above another result. Both take the best nodes that fit the budget. A turn
counts as found if it is taken itself, or if a taken summary contains all of its sentences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mnemo.bench.memtree.growth import ROOT, GrownMemtree
from mnemo.bench.recall.locomo_data import LocomoQuestion
from mnemo.providers.base import Vectors
from mnemo.providers.tokens import count_tokens
from mnemo.text.sentences import sentences

__all__ = ["Recall", "TreeNodes", "question_recalls", "tree_nodes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """Evidence recall of one question at one budget, 0 to 1."""

    flat: float
    collapsed: float
    """Counting only turns that are taken themselves."""
    collapsed_covered: float
    """Counting also turns contained in a summary."""
    summaries: int
    """Number of inner nodes taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeNodes:
    """All nodes of a tree, prepared for ranking."""

    names: tuple[str, ...]
    """Turns by number, then inner nodes."""
    texts: tuple[str, ...]
    tokens: tuple[int, ...]
    matrix: Vectors
    turns: int
    above: Mapping[str, frozenset[str]]


def tree_nodes(texts: Sequence[str], vectors: Vectors, built: GrownMemtree) -> TreeNodes:
    """Return the nodes of a tree built from texts."""
    inner = [name for name in built.contents if name in built.tree]
    names = (*(str(number) for number in range(len(texts))), *inner)
    all_texts = (*texts, *(built.contents[name] for name in inner))
    parents = {child: parent for parent, children in built.tree.items() for child in children}
    return TreeNodes(
        names=names,
        texts=all_texts,
        tokens=tuple(count_tokens(text) for text in all_texts),
        matrix=np.vstack([vectors, *(built.vectors[name][None] for name in inner)]),
        turns=len(texts),
        above={name: frozenset(_above(name, parents)) for name in names},
    )


def question_recalls(
    nodes: TreeNodes, question: LocomoQuestion, vector: Vectors, ids: Sequence[str], budgets: Sequence[int]
) -> dict[int, Recall]:
    """Return the evidence recall of both methods at each budget.

    Args:
        nodes: Nodes of the tree.
        question: Question with its evidence.
        vector: Vector of the question.
        ids: Ids of the turns, in order.
        budgets: In tokens, by the offline counter.
    """
    cosines = nodes.matrix @ vector
    ranked = [int(place) for place in np.argsort(-cosines, kind="stable")]
    evidence = {ids.index(each) for each in question.evidence if each in ids}
    found = {}
    for budget in budgets:
        flat = _fitting(nodes, [place for place in ranked if place < nodes.turns], budget)
        tree = _fitting(nodes, _collapsed(nodes, ranked, budget), budget)
        turns = {place for place in tree if place < nodes.turns}
        inner = [place for place in tree if place >= nodes.turns]
        covered = turns | {turn for turn in evidence if any(_contains(nodes, place, turn) for place in inner)}
        found[budget] = Recall(
            flat=_share(evidence, set(flat)),
            collapsed=_share(evidence, turns),
            collapsed_covered=_share(evidence, covered),
            summaries=len(inner),
        )
    return found


def _share(evidence: set[int], taken: set[int]) -> float:
    return len(evidence & taken) / len(evidence) if evidence else 0.0


def _contains(nodes: TreeNodes, inner: int, turn: int) -> bool:
    return all(line in nodes.texts[inner] for line in sentences(nodes.texts[turn]))


def _fitting(nodes: TreeNodes, ranked: Sequence[int], budget: int) -> list[int]:
    taken, spent = [], 0
    for place in ranked:
        if spent + nodes.tokens[place] > budget:
            break
        spent += nodes.tokens[place]
        taken.append(place)
    return taken


def _collapsed(nodes: TreeNodes, ranked: Sequence[int], budget: int) -> list[int]:
    """Return the best-ranked nodes such that none is above another, up to the budget."""
    kept: list[int] = []
    covered: set[str] = set()
    for place in ranked:
        name = nodes.names[place]
        if name in covered:
            continue
        kept = [other for other in kept if nodes.names[other] not in nodes.above[name]]
        if sum(nodes.tokens[other] for other in kept) > budget:
            break
        kept.append(place)
        covered |= nodes.above[name]
    return kept


def _above(name: str, parents: Mapping[str, str]) -> list[str]:
    found = []
    while (name := parents[name]) != ROOT:
        found.append(name)
    return found
