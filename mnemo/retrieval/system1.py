"""System-1: items that are similar to a question, and their neighbours, in one round trip."""

from mnemo.models.results import SearchResult
from mnemo.providers.cosine_floors import cosine_floor
from mnemo.retrieval.candidates import CandidateGatherer
from mnemo.retrieval.ranking.ranked_items import RankedItems
from mnemo.retrieval.ranking.scoring import ScoredCandidates
from mnemo.retrieval.request import SearchRequest
from mnemo.retrieval.search_results import search_result

__all__ = ["find", "search"]


async def search(gatherer: CandidateGatherer, request: SearchRequest) -> SearchResult:
    """Answer with the best k episodes, 2k entities and 2k edges, and a context within the budget.

    Ties go by uuid. A group without memory gives an empty result.

    Raises:
        ProviderError: The embedder failed.
        StoreError: See its kinds.
    """
    moment = request.as_of or gatherer.clock.now()
    floor = cosine_floor(gatherer.embedder.model)
    return search_result(request, await find(gatherer, request), "system1", moment, floor)


async def find(gatherer: CandidateGatherer, request: SearchRequest) -> RankedItems:
    """Return the ranked items of each type without a context; see `search`."""
    question, rows = await gatherer.gather(request)
    floor = cosine_floor(gatherer.embedder.model)
    return ScoredCandidates.of(question, request.group, rows, floor).ranked(request.depth)
