from datetime import UTC, datetime

from mnemo.bench.facts import HeldEntity, HeldFact, SceneScore, parse, score_scene, totals
from mnemo.bench.facts.report import listing, scores_rows

SCENE = """
== move
@ 2025-03-09 18:30 Europe/Brussels
Petra: I live in Leeds with my cat Momo.
fact: Petra | live | Leeds
fact: Petra | cat | Momo
entity: Leeds | place
Petra: if i were rich i'd live in Rome
none
@ 2025-05-01 09:00 Europe/Brussels
Petra: I moved to York yesterday.
fact: Petra | live,move | York | from 2025-04-30
ends: Petra | live | Leeds | 2025-04-30..2025-05-01
"""
MOVED = datetime(2025, 4, 29, 22, tzinfo=UTC)
LEEDS = {"relation": "lives_in", "object": ("Leeds",), "fact": "Petra lives in Leeds"}
YORK = {"relation": "lives_in", "object": ("York",), "fact": "Petra moved to York"}
CAT = {"relation": "has_cat", "object": ("Momo",), "fact": "Momo is Petra's cat"}
ROME = {"relation": "lives_in", "object": ("Rome",), "fact": "Petra lives in Rome"}
PLACES = (HeldEntity(name="Petra"), HeldEntity(name="Leeds", tags=("place",)), HeldEntity(name="York"))


def held(fields: dict[str, object], *sources: int, **times: object) -> HeldFact:
    return HeldFact(subject=("Petra",), sources=sources, **fields, **times)  # type: ignore[arg-type]  # fields of HeldFact


def scored(*facts: HeldFact, entities: tuple[HeldEntity, ...] = PLACES) -> SceneScore:
    (scene,) = parse(SCENE, "dev_x")
    return score_scene(scene, facts, entities)


def counts(score: SceneScore) -> dict[str, tuple[int, int]]:
    return {measure: (count.right, count.all) for measure, count in score.counts.items() if count.all}


def test_perfect_memory_scores_one() -> None:
    score = scored(held(LEEDS, 0, valid_to=MOVED), held(CAT, 0), held(YORK, 2, valid_from=MOVED, precision="day"))
    assert counts(score) == {
        "fact precision": (3, 3),
        "fact recall": (3, 3),
        "held facts that are true": (2, 2),
        "end recall": (1, 1),
        "end recall of facts held": (1, 1),
        "end precision": (1, 1),
        "times right": (1, 1),
        "entity precision": (3, 3),
        "entity recall": (1, 1),
        "entity kinds right": (1, 1),
    }
    assert not score.failures


def test_a_fact_from_a_message_that_states_none_is_false() -> None:
    score = scored(held(ROME, 1))
    assert counts(score)["fact precision"] == (0, 1)
    assert counts(score)["held facts that are true"] == (0, 1)
    assert [failure.expected for failure in score.failures if failure.kind == "false"] == ["no fact"]


def test_a_fact_that_an_earlier_message_stated_is_true_until_it_is_ended() -> None:
    assert counts(scored(held(CAT, 2)))["fact precision"] == (1, 1)
    assert counts(scored(held(LEEDS, 2)))["fact precision"] == (0, 1)
    assert counts(scored(held(CAT, 1)))["fact precision"] == (0, 1)


def test_ended_fact_that_is_open_or_missing_counts_as_missed() -> None:
    open_ = scored(held(LEEDS, 0))
    assert (counts(open_)["end recall"], counts(open_)["end recall of facts held"]) == ((0, 1), (0, 1))
    never = scored()
    assert counts(never)["end recall"] == (0, 1)
    assert "end recall of facts held" not in counts(never)
    assert [failure.got for failure in never.failures if failure.kind == "ends"] == [("never held",)]


def test_end_on_the_wrong_day_is_missed_but_not_a_false_end() -> None:
    early = scored(held(LEEDS, 0, valid_to=datetime(2025, 3, 10, tzinfo=UTC)))
    assert (counts(early)["end recall"], counts(early)["end precision"]) == ((0, 1), (1, 1))


def test_closed_duplicate_does_not_count_while_another_is_open() -> None:
    twin = {**LEEDS, "fact": "Petra lives in Leeds with Momo"}
    assert counts(scored(held(LEEDS, 0, valid_to=MOVED), held(twin, 0)))["end recall"] == (0, 1)


def test_fact_closed_without_reason_is_a_false_end() -> None:
    score = scored(held(CAT, 0, valid_to=MOVED))
    assert counts(score)["end precision"] == (0, 1)
    assert [failure.expected for failure in score.failures if "no end" in failure.expected] == [
        "no end: nothing in the conversation ends it"
    ]


def test_end_of_a_dated_event_is_not_counted() -> None:
    (scene,) = parse(
        "== a\n@ 2025-03-09 18:30 UTC\nAna: sold the car yesterday\nfact: Ana | sold | car | at 2025-03-08\n"
    )
    day, next_day = datetime(2025, 3, 8, tzinfo=UTC), datetime(2025, 3, 9, tzinfo=UTC)
    sold = {"relation": "sold", "object": ("car",), "fact": "Ana sold the car"}
    done = HeldFact(subject=("Ana",), sources=(0,), valid_from=day, valid_to=next_day, precision="day", **sold)  # type: ignore[arg-type]  # fields of HeldFact
    score = score_scene(scene, [done], [])
    assert (score.counts["end precision"].all, score.counts["times right"].right) == (0, 1)


def test_wrong_time_of_a_found_fact_is_counted() -> None:
    score = scored(held(YORK, 2, valid_from=datetime(2025, 5, 30, tzinfo=UTC)))
    assert (counts(score)["fact recall"], counts(score)["times right"]) == ((1, 3), (0, 1))
    (failure,) = [each for each in score.failures if each.kind == "times"]
    assert failure.got == ("Petra | lives_in | York | Petra moved to York | 2025-05-30 00:00 .. open (unknown)",)


def test_an_entity_that_is_split_or_of_another_kind_is_wrong() -> None:
    split = scored(entities=(HeldEntity(name="Leeds"), HeldEntity(name="leeds")))
    assert counts(split)["entity recall"] == (0, 1)
    other = scored(entities=(HeldEntity(name="Leeds", tags=("person",)), HeldEntity(name="Leeds on weekends")))
    assert (counts(other)["entity recall"], counts(other)["entity kinds right"]) == ((1, 1), (0, 1))
    assert counts(other)["entity precision"] == (1, 2)


def test_totals_are_by_the_first_part_of_the_files_name() -> None:
    kept = SceneScore("kept_y")
    kept.counts["fact recall"].add(right=False)
    rows = scores_rows([scored(held(CAT, 0)), kept])
    assert list(totals([kept, scored()])) == ["dev", "kept", "all"]
    assert [rows[group]["fact recall"] for group in ("dev", "kept", "all")] == [
        {"share": 0.3333, "right": 1, "all": 3},
        {"share": 0.0, "right": 0, "all": 1},
        {"share": 0.25, "right": 1, "all": 4},
    ]


def test_a_failure_is_listed_with_its_message_and_what_was_expected() -> None:
    (listed,) = listing([scored(held(ROME, 1))], ["false"])
    assert listed.splitlines() == [
        "[false] dev_x.txt:8 move Sun 2025-03-09 18:31 Europe/Brussels",
        "    Petra: if i were rich i'd live in Rome",
        "    expected: no fact",
        "    got:      Petra | lives_in | Rome | Petra lives in Rome | ? .. open (unknown)",
    ]
