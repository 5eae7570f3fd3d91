import pytest

from mnemo.models.results import Found
from mnemo.retrieval.ranking.ranked_items import RankedItems
from mnemo.retrieval.request import SearchRequest
from mnemo.retrieval.search_results import search_result
from support.ranked_items import START, edge, entity, episode


def items() -> RankedItems:
    return RankedItems(
        episodes=tuple(
            Found(item=episode(f"m{n}", f"Rex {n}"), score=0.8 - n / 5, sources=(f"m{n}",)) for n in range(3)
        ),
        entities=(Found(item=entity("n", "Rex"), score=0.3),),
        edges=(Found(item=edge("f", "Rex barks"), score=0.7, sources=("m2",)),),
    )


def test_min_score_cuts_every_type() -> None:
    request = SearchRequest(group="g", question="Rex?", min_score=0.5)
    result = search_result(request, items(), "system1", START)
    assert [found.item.uuid for found in result.episodes] == ["m0", "m1"]
    assert (result.entities, [found.item.uuid for found in result.edges]) == ((), ["f"])
    assert "Rex 2" not in result.context.text


def test_without_min_score_k_items_are_kept() -> None:
    result = search_result(SearchRequest(group="g", question="Rex?", k=2), items(), "system1", START)
    assert [found.score for found in result.episodes] == pytest.approx([0.8, 0.6])
    assert len(result.entities) == 1


def test_items_beyond_k_can_be_cited() -> None:
    result = search_result(SearchRequest(group="g", question="Rex?", k=1), items(), "system1", START)
    assert [each.uuid for each in result.cited] == ["m2"]


def test_passages_are_chosen_only_when_asked_for() -> None:
    assert search_result(SearchRequest(group="g", question="Does Rex bark?"), items(), "system1", START).passages == ()
    asked = SearchRequest(group="g", question="Does Rex bark?", passages=True)
    assert search_result(asked, items(), "system1", START).passages[0].edge == "f"
