"""Measures evidence recall of System-1, System-2 and both on LoCoMo at equal context tokens, with local models.

    python scripts/bench/routes.py locomo10.json [--prefix NAME/] [--every N]

The conversations must be ingested, as `mnemo bench locomo` does, and have a hierarchy (`mnemo hierarchy build --group
bench/locomo/NAME`).
"""

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from mnemo.bench.recall.locomo_data import CATEGORIES, LocomoQuestion, questions
from mnemo.bench.recall.metrics import mean
from mnemo.config import load_settings
from mnemo.providers.factory import build_embedder
from mnemo.retrieval import context, hybrid
from mnemo.retrieval.candidates import CandidateGatherer
from mnemo.retrieval.ranking.ranked_items import RankedItems
from mnemo.retrieval.ranking.scoring import ScoredCandidates
from mnemo.retrieval.request import SearchRequest
from mnemo.retrieval.system2 import System2
from mnemo.store.driver import Database

BUDGETS = (200, 400, 800, 1_600)
CUTOFFS = (5, 10, 20, 50)


async def routes(system2: System2, request: SearchRequest) -> tuple[dict[str, RankedItems], dict[str, str]]:
    """Return the ranking of each route for a question, and the ids of episodes by uuid."""
    question, one = await system2.gatherer.gather(request)
    _, walk, two = await system2.gather(request)
    first = ScoredCandidates.of(question, request.group, one).ranked(request.k)
    ids = {row["uuid"]: row["source_id"] for row in (*one.episodes, *two.episodes)}
    if walk.empty:
        return {"system1": first, "system2": first, "both": first}, ids
    merged = hybrid.merged(question, request, one, two, walk)
    return {
        "system1": first,
        "system2": ScoredCandidates.of(question, request.group, two).ranked(request.k),
        "both": merged,
    }, ids


async def main() -> None:
    """Print a line per route: recall at cutoffs and budgets, over all questions and by category."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument(
        "--prefix", default="bench/locomo/", help="prefix of group names, before the id of the conversation"
    )
    parser.add_argument("--every", type=int, default=1, help="ask only every n-th question")
    options = parser.parse_args()
    settings = load_settings()
    embedder = build_embedder(settings)
    found: defaultdict[tuple[str, str, int], list[float]] = defaultdict(list)
    async with await Database.open(settings) as database:
        system2 = System2(CandidateGatherer(database, embedder))
        for question in questions(options.path)[:: options.every]:
            request = SearchRequest(group=f"{options.prefix}{question.conversation}", question=question.text, k=50)
            ranked, ids = await routes(system2, request)
            for name, items in ranked.items():
                _score(found, name, question, items, ids)
    await embedder.close()
    asked = {part for _, part, _ in found}
    _print(found, [name for name in CATEGORIES.values() if name in asked])


def _score(
    found: defaultdict[tuple[str, str, int], list[float]],
    route: str,
    question: LocomoQuestion,
    items: RankedItems,
    ids: dict[str, str],
) -> None:
    evidence = set(question.evidence)
    order = [each.item.source_id for each in items.episodes]
    shares = {cutoff: len(evidence & set(order[:cutoff])) / len(evidence) for cutoff in CUTOFFS}
    for budget in BUDGETS:
        shown = context.build(question.text, items, budget=budget, now=datetime.now(UTC))
        shares[budget] = len(evidence & {ids[uuid] for uuid in shown.sources if uuid in ids}) / len(evidence)
    for size, share in shares.items():
        for part in ("all", CATEGORIES[question.category]):
            found[route, part, size].append(share)


def _print(found: defaultdict[tuple[str, str, int], list[float]], parts: Sequence[str]) -> None:
    for part in ("all", *parts):
        for route in ("system1", "system2", "both"):
            recall = "  ".join(f"@{cutoff} {100 * mean(found[route, part, cutoff]):.1f}" for cutoff in CUTOFFS)
            tokens = "  ".join(f"{budget} tokens {100 * mean(found[route, part, budget]):.1f}" for budget in BUDGETS)
            print(f"{part:10} {route:8} n={len(found[route, part, CUTOFFS[0]])}  {recall}  {tokens}")


if __name__ == "__main__":
    asyncio.run(main())
