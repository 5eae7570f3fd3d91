from datetime import UTC, datetime

import pytest

from mnemo.bench.facts import EntityLine, FactLine, HeldEntity, HeldFact, parse
from mnemo.bench.facts.matching import (
    closed_within,
    expected,
    is_dated_event,
    is_named,
    kind_of,
    matches,
    reports_end,
    time_is_right,
    vocabulary,
    words,
)

HEAD = "== one\n@ 2025-03-09 18:30 Europe/Brussels\nPetra: hi\n"


def line(text: str) -> FactLine:
    ((said,),) = (scene.messages for scene in parse(f"{HEAD}fact: {text}\n"))
    return said.facts[0]


def held(subject: str, relation: str, target: str, fact: str, **times: object) -> HeldFact:
    names = (target,) if target else ()
    return HeldFact(subject=(subject,), relation=relation, object=names, fact=fact, sources=(0,), **times)  # type: ignore[arg-type]  # datetimes and a precision


def test_words_are_normalised() -> None:
    assert words("João's cat_name DOESN’T eat nine fish, can't") == [
        *("joao", "s", "cat", "name", "does", "not", "eat", "9", "fish", "ca", "not"),
    ]


@pytest.mark.parametrize(
    ("fact", "expected_line", "right"),
    [
        (("Petra", "lives_in", "Ghent", "Petra lives in Ghent"), "Petra | live,move | Ghent", True),
        (("PETRA", "move_to", "ghent", "Petra moved to ghent"), "Petra | live,move | Ghent/Gent", True),
        (("Petra", "lives_in", "Leeds", "Petra lives in Leeds"), "Petra | live | Ghent", False),
        (("Petra's sister", "lives_in", "Ghent", "Petra's sister lives in Ghent"), "Petra | live | Ghent", False),
        (("Petra", "has", "", "Petra has two cats"), "Petra | has | cats", True),
        (("Petra", "has", "", "Petra has two cats"), "Petra | has | 2 cats", True),
        (("Petra", "has", "", "Petra has 12 cats"), "Petra | has | 1", False),
        (("Petra", "has_cat", "Momo", "Momo is Petra's cat"), "Petra | cat | Momo", True),
        (("Momo", "is", "", "Momo is Petra's cat"), "Petra | cat | Momo", True),
        (("Petra's cat", "is", "Momo", "Petra's cat is Momo"), "Petra | cat | Momo", True),
        (("Momo", "likes", "Petra", "Momo likes Petra"), "Petra | like | Momo", True),
        (("Momo", "is", "", "Momo is Wout's cat"), "Petra | cat | Momo", False),
        (("netflix", "ghost", "Petra", "Netflix ghosted Petra so Petra works in a bar"), "Petra | work | bar", False),
        (("Petra", "not_likes", "tea", "Petra does not like tea"), "Petra | like | tea", False),
        (("Petra", "likes", "tea", "Petra likes tea"), "Petra | not like | tea", False),
        (("Petra", "not_likes", "tea", "Petra does not like tea"), "Petra | not like,hate | tea", True),
        (("Petra", "hates", "tea", "Petra hates tea"), "Petra | not like,hate | tea", True),
        (("Petra", "move_to", "Ghent", "Petra moved to Ghent since Leeds was no fun"), "Petra | move | Ghent", True),
        (("Petra", "is_vegan", "", "Petra is vegan"), "Petra | vegan |", True),
        (("Petra", "is_vegan", "", "Petra is vegan"), "Petra/Wout | vegan |", True),
    ],
)
def test_a_fact_matches_by_subject_stem_and_object(
    fact: tuple[str, str, str, str], expected_line: str, *, right: bool
) -> None:
    assert matches(held(*fact), line(expected_line)) is right


def test_an_alias_counts_as_a_name() -> None:
    fact = HeldFact(subject=("Nguyễn Văn An", "An"), relation="is", object=(), fact="He bakes", sources=(0,))
    assert matches(fact, line("An | bak |"))
    assert matches(fact, line("Nguyen Van An | bak |"))


def test_end_at_midnight_also_counts_for_the_day_before() -> None:
    ((said,),) = (scene.messages for scene in parse(f"{HEAD}ends: Petra | live | Leeds | 2025-03-08\n"))
    days = said.ends[0].days
    midnight = datetime(2025, 3, 8, 23, 0, tzinfo=UTC)  # the start of 9 March in Brussels
    assert closed_within(held("Petra", "lives_in", "Leeds", "x", valid_to=midnight), days, "Europe/Brussels")
    assert not closed_within(held("Petra", "lives_in", "Leeds", "x", valid_to=midnight), days, "Asia/Tokyo")
    assert not closed_within(held("Petra", "lives_in", "Leeds", "x"), days, "Europe/Brussels")


def test_days_of_a_time_are_days_in_the_writers_zone() -> None:
    ((said,),) = (scene.messages for scene in parse(f"{HEAD}fact: Petra | live | Ghent | from 2025-03-08\n"))
    late = held("Petra", "lives_in", "Ghent", "x", valid_from=datetime(2025, 3, 7, 23, 30, tzinfo=UTC))
    assert time_is_right(late, said.facts[0], said)
    early = held("Petra", "lives_in", "Ghent", "x", valid_from=datetime(2025, 3, 7, 22, 30, tzinfo=UTC))
    assert not time_is_right(early, said.facts[0], said)
    assert not time_is_right(held("Petra", "lives_in", "Ghent", "x"), said.facts[0], said)


def test_recurring_fact_has_no_date_except_that_of_its_message() -> None:
    ((said,),) = (scene.messages for scene in parse(f"{HEAD}fact: Petra | swim | | recurring\n"))
    assert time_is_right(held("Petra", "swim", "", "x"), said.facts[0], said)
    assert time_is_right(held("Petra", "swim", "", "x", valid_from=said.at), said.facts[0], said)
    tuesday = datetime(2025, 3, 11, 12, tzinfo=UTC)
    assert not time_is_right(held("Petra", "swim", "", "x", valid_from=tuesday), said.facts[0], said)


def test_open_fact_has_no_end_unless_a_later_message_ends_it() -> None:
    ((said,),) = (scene.messages for scene in parse(f"{HEAD}fact: Petra | smoke | | open\n"))
    closed = held("Petra", "smokes", "", "x", valid_to=datetime(2025, 3, 11, tzinfo=UTC))
    assert not time_is_right(closed, said.facts[0], said)
    assert time_is_right(closed, said.facts[0], said, ends_later=True)


def test_a_dated_event_ends_with_its_own_date() -> None:
    day, next_day = datetime(2025, 3, 8, tzinfo=UTC), datetime(2025, 3, 9, tzinfo=UTC)
    assert is_dated_event(held("Petra", "buy", "", "x", valid_from=day, valid_to=next_day, precision="day"))
    assert not is_dated_event(held("Petra", "buy", "", "x", valid_from=day, valid_to=next_day))
    later = datetime(2025, 3, 19, tzinfo=UTC)
    assert not is_dated_event(held("Petra", "live", "", "x", valid_from=day, valid_to=later, precision="day"))
    assert is_dated_event(held("Petra", "live", "", "x", valid_from=day, valid_to=later, precision="month"))


@pytest.mark.parametrize(
    ("fact", "right"),
    [
        (held("Petra", "left", "Acme", "Petra left Acme"), True),
        (held("Petra", "works_at", "Acme", "Petra no longer works at Acme"), True),
        (held("Petra", "works_at", "Acme", "Petra works at Acme", valid_to=datetime(2025, 3, 9, tzinfo=UTC)), True),
        (held("Petra", "works_at", "Acme", "Petra works at Acme"), False),
        (held("Petra", "left", "Birch", "Petra left Birch"), False),
    ],
)
def test_fact_may_report_an_end(fact: HeldFact, *, right: bool) -> None:
    ((said,),) = (scene.messages for scene in parse(f"{HEAD}ends: Petra | work | Acme | 2025-03-09\n"))
    assert reports_end(fact, said.ends[0]) is right


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("Petra", True),
        ("Radio Tyne", True),
        ("the radio", True),
        ("cats", True),
        ("Petra's cat", True),
        ("Radio Tyne on weekends", False),
        ("excellent taste", False),
        ("27th", False),
        ("may", False),
        ("the", False),
    ],
)
def test_entity_is_named_if_one_expected_linehas_all_its_words(name: str, *, right: bool) -> None:
    (scene,) = parse(f"{HEAD}fact: Petra | work | Radio Tyne\nalso: Petra | has | cat/excellent\nalso: Petra | | may\n")
    assert is_named(HeldEntity(name=name), vocabulary(scene), scene.speakers) is right


def test_every_stored_entity_with_an_expected_name_is_found() -> None:
    kept = [HeldEntity(name="JOÃO DA SILVA"), HeldEntity(name="Rita"), HeldEntity(name="x", aliases=("Joao da Silva",))]
    expected_line = EntityLine(names=("João da Silva",), kind="person")
    assert expected(expected_line, kept) == [kept[0], kept[2]]


def test_kind_is_the_first_tag_that_is_a_kind() -> None:
    assert kind_of(HeldEntity(name="Ghent", tags=("city", "place", "thing"))) == "place"
    assert kind_of(HeldEntity(name="Ghent", tags=("city",))) is None
