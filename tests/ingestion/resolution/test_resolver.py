"""From what a window says to what is written of it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from mnemo.ingestion.extraction import Extraction, Fact, Mention
from mnemo.ingestion.resolution.resolver import resolve_window
from mnemo.ingestion.resolution.types import EntityCandidate, JudgeQuestion, ResolvedFact, Verdict, Verdicts
from mnemo.models.results import Usage

MAY = datetime(2023, 5, 1, tzinfo=UTC)
SEP = datetime(2023, 9, 1, tzinfo=UTC)


class ScriptedJudge:
    """Answers by the pair of texts; everything else is different."""

    def __init__(self, said: dict[tuple[str, str], Verdict]) -> None:
        self.said = said
        self.asked: list[Sequence[JudgeQuestion]] = []

    async def decide(self, questions: Sequence[JudgeQuestion]) -> Verdicts:
        self.asked.append(questions)
        verdicts = tuple(self.said.get((question.new, question.known), "different") for question in questions)
        return Verdicts(verdicts=verdicts, usage=Usage(calls=1))


def mention(name: str, *episodes: str, speaker: bool = False) -> Mention:
    return Mention(name=name, kind="person" if speaker else "thing", speaker=speaker, episodes=episodes or ("e1",))


def fact(relation: str, target: str | None, episode: str = "e1", said: datetime = SEP) -> Fact:
    return Fact(
        subject="Ana",
        relation=relation,
        object=target,
        fact=f"Ana {relation} {target}",
        episode=episode,
        quote="it is so",
        start=0,
        end=8,
        said_at=said,
    )


def new_uuid(item: Mention | Fact) -> str:
    return f"new {item.name}" if isinstance(item, Mention) else f"edge {item.fact}"


def standing(relation: str, target: str | None, similarity: float = 0.0) -> ResolvedFact:
    return ResolvedFact(
        stored=True,
        uuid=f"old {relation} {target}",
        subject="ana",
        relation=relation,
        object=target,
        fact=f"Ana {relation} {target} of old",
        valid_from=None,
        valid_to=None,
        said_at=MAY,
        similarity=similarity,
    )


ANA = EntityCandidate(uuid="ana", name="Ana", speaker=True)


async def test_new_job_writes_its_edge_its_link_and_the_closing_of_the_old_one() -> None:
    joined = replace(fact("works_at", "Birch"), state="begins")
    extraction = Extraction(mentions=(mention("Ana", speaker=True), mention("Birch")), facts=(joined,))
    writes = await resolve_window(extraction, [(ANA,), ()], [standing("works_at", "acme")], None, new_uuid)
    assert [(each.uuid, each.new, each.key) for each in writes.entities] == [
        ("ana", False, "ana"),
        ("new Birch", True, "birch"),
    ]
    assert [(edge.subject, edge.object, edge.valid_from) for edge in writes.edges] == [("ana", "new Birch", SEP)]
    assert [(link.episode, link.edge, link.start, link.end) for link in writes.links] == [
        ("e1", "edge Ana works_at Birch", 0, 8)
    ]
    assert [(closing.edge, closing.valid_to) for closing in writes.closings] == [("old works_at acme", SEP)]


async def test_restated_fact_gets_a_link_and_no_edge() -> None:
    acme = EntityCandidate(uuid="acme", name="Acme")
    extraction = Extraction(mentions=(mention("Ana"), mention("ACME")), facts=(fact("works_at", "ACME"),))
    writes = await resolve_window(extraction, [(ANA,), (acme,)], [standing("works_at", "acme")], None, new_uuid)
    assert writes.edges == ()
    assert [link.edge for link in writes.links] == ["old works_at acme"]
    assert writes.entities[1].aliases == ("ACME",)


async def test_merged_mentions_are_one_entity_with_aliases_and_all_episodes() -> None:
    extraction = Extraction(mentions=(mention("New York City", "e1"), mention("NYC", "e2", "e3")))
    writes = await resolve_window(extraction, [(), ()], [], None, new_uuid)
    assert len(writes.entities) == 1
    assert writes.entities[0].name == "New York City"
    assert writes.entities[0].aliases == ("NYC",)
    assert writes.entities[0].episodes == ("e1", "e2", "e3")


async def test_without_a_judge_what_is_uncertain_is_kept_apart() -> None:
    near = EntityCandidate(uuid="doctor", name="doctor", similarity=0.99)
    writes = await resolve_window(Extraction(mentions=(mention("physician"),)), [(near,)], [], None, new_uuid)
    assert [(each.uuid, each.new) for each in writes.entities] == [("new physician", True)]


async def test_judge_is_asked_once_about_entities_and_facts_together() -> None:
    near = EntityCandidate(uuid="doctor", name="doctor", summary="heals", similarity=0.99)
    extraction = Extraction(mentions=(mention("Ana"), mention("physician")), facts=(fact("saw", "physician"),))
    judge = ScriptedJudge({("physician", "doctor (heals)"): "same"})
    old = [standing("met", "doctor", similarity=0.97)]
    writes = await resolve_window(extraction, [(ANA,), (near,)], old, judge, new_uuid)
    assert [[(q.kind, q.new, q.known) for q in questions] for questions in judge.asked] == [
        [
            ("entity", "physician", "doctor (heals)"),
            ("fact", "Ana saw physician", "Ana met doctor of old"),
        ],
    ]
    assert [each.uuid for each in writes.entities] == ["ana", "doctor"]
    assert writes.entities[1].aliases == ("physician",)
    assert writes.edges[0].object == "doctor"
    assert writes.usage.calls == 1


async def test_judge_is_not_asked_when_all_is_sure() -> None:
    judge = ScriptedJudge({})
    extraction = Extraction(mentions=(mention("Ana"), mention("Acme")), facts=(fact("works_at", "Acme"),))
    await resolve_window(extraction, [(ANA,), ()], [standing("works_at", "birch")], judge, new_uuid)
    assert judge.asked == []


async def test_contradiction_may_be_answered_only_for_the_same_relation() -> None:
    extraction = Extraction(mentions=(mention("Ana"), mention("Rex")), facts=(fact("walks", "Rex"),))
    judge = ScriptedJudge({})
    old = [standing("walks", "fido", similarity=0.97), standing("works_at", "acme", similarity=0.96)]
    await resolve_window(extraction, [(ANA,), ()], old, judge, new_uuid)
    assert [(q.known, q.may_contradict) for q in judge.asked[0]] == [
        ("Ana walks fido of old", True),
        ("Ana works_at acme of old", False),
    ]


async def test_empty_window_settles_to_nothing() -> None:
    writes = await resolve_window(Extraction(), [], [], None, new_uuid)
    assert (writes.entities, writes.edges, writes.links, writes.closings) == ((), (), (), ())


async def test_same_quote_of_one_edge_is_linked_once() -> None:
    extraction = Extraction(mentions=(mention("Ana"), mention("Acme")), facts=(fact("works_at", "Acme"),) * 2)
    writes = await resolve_window(extraction, [(ANA,), ()], [], None, new_uuid)
    assert (len(writes.edges), len(writes.links)) == (1, 1)
