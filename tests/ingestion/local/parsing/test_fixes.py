"""Spelling that misleads the parser, quoted speech, fillers, places and who is meant."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mnemo.ingestion.extraction import Extraction, Fact, Window
from mnemo.ingestion.local.extractor import LocalExtractor
from mnemo.ingestion.resolution.facts import resolve_facts
from mnemo.ingestion.resolution.types import ResolvedFact
from support.builders import episode

LOCAL = LocalExtractor()


def read(*lines: str) -> Extraction:
    """What is said in `Name: words` lines."""
    episodes = []
    for place, line in enumerate(lines):
        speaker, _, content = line.partition(": ")
        episodes.append(replace(episode(content, place), speaker=speaker))
    return LOCAL.read(Window(group="g", episodes=tuple(episodes)))


def texts(*lines: str) -> list[str]:
    return [fact.fact for fact in read(*lines).facts]


def current(*lines: str) -> list[str]:
    """The facts that hold after several messages, each in a window of its own."""
    standing: list[ResolvedFact] = []
    for place, line in enumerate(lines):
        facts = [replace(fact, said_at=datetime(2024, 1 + place, 1, tzinfo=UTC)) for fact in read(line).facts]
        decided = resolve_facts([_placed(fact, place) for fact in facts], standing)
        ends = {each.edge: each.valid_to for each in decided.closings}
        standing = [replace(each, valid_to=ends.get(each.uuid, each.valid_to)) for each in standing]
        standing += [replace(edge, stored=True) for edge in decided.edges]
    return [each.fact for each in standing if each.valid_to is None]


def _placed(fact: Fact, place: int) -> ResolvedFact:
    return ResolvedFact.of(
        fact,
        uuid=f"{place} {fact.fact} {fact.state}",
        subject=fact.subject,
        target=fact.object and fact.object.casefold(),
    )


@pytest.mark.parametrize(
    ("line", "relation", "thing"),
    [
        ("Ana: I have always hated coffee.", "dislikes", "coffee"),
        ("Ana: I've hated olives since forever.", "dislikes", "olives"),
        ("Ana: I have always loved sailing.", "likes", "sailing"),
        ("Ana: I've always disliked olives.", "dislikes", "olives"),
    ],
)
def test_an_opinion_held_for_long_is_one(line: str, relation: str, thing: str) -> None:
    assert (relation, thing, "holds") in [(fact.relation, fact.object, fact.state) for fact in read(line).facts]


@pytest.mark.parametrize(
    ("before", "after", "now"),
    [
        ("I have always hated coffee.", "I love coffee.", "Ana loves coffee"),
        ("I hate coffee.", "I love coffee now.", "Ana loves coffee now"),
        ("I love running.", "I hate running.", "Ana hates running"),
        ("I can't stand olives.", "I really like olives.", "Ana likes olives"),
        ("I'm a big fan of jazz.", "I don't like jazz anymore.", "Ana does not like jazz anymore"),
        ("I live in Glasgow.", "I moved to Porto.", "Ana moved to Porto"),
        ("I work at Quillfeather.", "I started at IOM.", "Ana started at IOM"),
        ("I work at Acme.", "I joined Birch.", "Ana joined Birch"),
    ],
)
def test_what_is_said_last_is_current(before: str, after: str, now: str) -> None:
    assert current(f"Ana: {before}", f"Ana: {after}") == [now]


def test_what_was_disliked_once_is_not_disliked_now() -> None:
    assert [fact.relation for fact in read("Ana: I used to hate jazz.").facts] == ["used_to_hate"]


def test_who_is_counted_with_those_who_love_it_loves_it() -> None:
    (fact,) = read("Ana: I've become one of those people who love running.").facts
    assert (fact.relation, fact.object, fact.state) == ("likes", "running", "holds")


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("Ana: Tom is my neighbour. He's bought a bed.", "Tom has bought a bed"),
        ("Ana: My sister called. She's painted her kitchen.", "Ana's sister has painted her kitchen"),
        ("Ana: My sister called. She's been promoted to manager.", "Ana's sister has been promoted to manager"),
        ("Ana: My mum's moved to Cork.", "Ana's mum has moved to Cork"),
        ("Ana: My brother's broken his arm.", "Ana's brother has broken his arm"),
        ("Ana: I'm starting at the Met Office on Monday!", "Ana is starting at the Met Office (2023-05-15)"),
        ("Ana: I hurt my knee on Monday.", "Ana hurt their knee (2023-05-01)"),
        ("Ana: In other news I'm running the Leeds half.", "Ana is running the Leeds half"),
        ("Ana: Meanwhile, I adopted a cat.", "Ana adopted a cat"),
        ("Ana: For the record, I voted Green.", "Ana voted Green"),
        ("Ana: My neighbour Mrs Castellano knits and has threatened to walk the dog.", "Ana's neighbour"),
        ("Ana: Sam's retiring at Christmas.", "Sam is retiring (2023-12-25)"),
        ('Ana: He shouted "no". I quit Acme."', "Ana quit Acme"),
    ],
)
def test_a_sentence_stands_alone(line: str, fact: str) -> None:
    found = texts(line)
    assert any(each.startswith(fact) for each in found), found
    assert all("My " not in each and not each.endswith(('."', "“")) for each in found)


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ('Ana: Kei said, "I love camping."', "Kei loves camping"),
        ("Ana: Kei told us: “I work at Birch.”", "Kei works at Birch"),
        ('Ana: At last I said "I hate camping."', "Ana hates camping"),
    ],
)
def test_quoted_words_are_those_of_who_said_them(line: str, fact: str) -> None:
    assert fact in texts("Kei: hello", line)


@pytest.mark.parametrize("line", ['Ana: "I love camping." Ha.', 'Ana: The sign read "I work at Birch."'])
def test_quoted_words_of_nobody_are_no_facts(line: str) -> None:
    assert not [fact for fact in read(line).facts if fact.relation in {"likes", "works_at"}]


@pytest.mark.parametrize(
    "line",
    [
        "Ana: My sister had a racer, and he was afraid of the vacuum cleaner.",
        "Ana: My brother rang. She was in Bonn.",
        "Ana: I'm fine with blood, but put me on a ladder and I dissolve.",
        "Ana: Iceland's off, Azores it is, same dates.",
    ],
)
def test_what_cannot_be_told_of_anyone_is_left_out(line: str) -> None:
    wrong = ("sister was afraid", "brother was in", "Ana put Ana", "azore")
    assert not [fact for fact in read(line).facts if any(w in f"{fact.fact} {fact.relation}" for w in wrong)]


def test_you_among_three_is_only_who_is_called_by_name() -> None:
    three = ("Ben: hi", "Kei: hello")
    assert "Ben" not in " ".join(texts(*three, "Ana: I've got a parcel for you."))
    assert "Kei" not in " ".join(texts(*three, "Ana: I've got a parcel for you."))
    assert "Ana has got a parcel for Ben" in texts(*three, "Ana: Ben, I've got a parcel for you.")


@pytest.mark.parametrize(
    ("line", "name", "kind"),
    [
        ("Ana: The flat is in Rua das Taipas.", "Rua das Taipas", "place"),
        ("Ana: My suitcase went to Faro.", "Faro", "place"),
        ("Ana: We drove to Bergen in the rain.", "Bergen", "place"),
        ("Ana: Tell Sam I'm late.", "Sam", "person"),
        ("Ana: I left my job at Acme last month.", "Acme", "organisation"),
        ("Ana: Got engaged to Priya on New Year's Eve!!", "Priya", "person"),
    ],
)
def test_a_name_is_of_the_kind_that_its_place_shows(line: str, name: str, kind: str) -> None:
    assert (name, kind) in [(each.name, each.kind) for each in read(line).mentions]


@pytest.mark.parametrize("line", ["Ana: Nooo. Tickets are in my name.", "Ana: AAAAH. The whole city jumps over fires."])
def test_noise_is_no_entity(line: str) -> None:
    names = {mention.name.casefold() for mention in read(line).mentions}
    assert not names & {"nooo", "aaaah", "name", "city"}


def test_a_fragment_names_an_employer() -> None:
    found = read(
        "Ana: Four years at Quillfeather this week!", "Kei: First proper day back at the Birch Institute today."
    )
    assert [(fact.subject, fact.relation, fact.state, fact.valid_from) for fact in found.facts] == [
        ("Ana", "works_at", "holds", None),
        ("Kei", "works_at", "holds", None),
    ]


def test_who_leaves_a_job_had_it_until_then() -> None:
    held, left = read("Ana: I've resigned from St Brannock's.").facts
    assert (held.fact, held.state, held.valid_to) == ("Ana works at St Brannock's", "holds", left.said_at)
    assert (left.fact, left.state) == ("Ana has resigned from St Brannock's", "ends")


def test_who_is_fired_had_the_job_and_not_who_fires() -> None:
    facts = read("Ana: My boss fired me from Acme on Friday.").facts
    assert {(fact.subject, fact.relation, fact.object) for fact in facts} == {("Ana", "works_at", "Acme")}


@pytest.mark.parametrize("line", ["Ana: I left Porto on Monday.", "Ana: Five years at Google taught me a lot."])
def test_a_place_left_and_years_told_of_make_no_job(line: str) -> None:
    assert not [fact for fact in read(line).facts if (fact.relation, fact.state) == ("works_at", "holds")]


def test_a_job_that_was_over_when_told_ends_no_other() -> None:
    assert current("Ana: I work at Birch.", "Ana: I quit Acme.") == ["Ana works at Birch", "Ana quit Acme"]
