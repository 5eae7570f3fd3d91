"""What changes, as rules read it: values of which one has one, posts, partners, homes, and what is given up."""

from dataclasses import replace

import pytest

from mnemo.ingestion.extraction import Extraction, Window
from mnemo.ingestion.local.extractor import LocalExtractor
from support.builders import episode

LOCAL = LocalExtractor()


def read(content: str) -> Extraction:
    """What Ana says."""
    return LOCAL.read(Window(group="g", episodes=(replace(episode(content, 1), speaker="Ana"),), context=()))


@pytest.mark.parametrize(
    ("content", "relation", "target", "state"),
    [
        ("I no longer work at Acme.", "works_at", "Acme", "ends"),
        ("I'm now a software engineer at Birch.", "works_at", "Birch", "holds"),
        ("I'm a junior developer.", "works_as", "junior developer", "holds"),
        ("I was promoted to director last week.", "works_as", "director", "begins"),
        ("I stepped down as treasurer.", "works_as", "treasurer", "ends"),
        ("I retired last year.", "works_as", None, "ends"),
        ("I transferred to Yale.", "studies_at", "Yale", "begins"),
        ("I graduated from Oxford University in May.", "studies_at", "Oxford University", "ends"),
        ("I'm based in Paris.", "lives_in", "Paris", "holds"),
        ("My new home is in Faro.", "lives_in", "Faro", "holds"),
        ("I moved out of Berlin last month.", "lives_in", "Berlin", "ends"),
        ("My boyfriend is Max.", "dating", "Max", "holds"),
        ("Maria is my fiancée.", "engaged_to", "Maria", "holds"),
        ("I'm in a relationship with Max.", "dating", "Max", "holds"),
        ("Tom and I got divorced last month.", "divorced_from", "Tom", "begins"),
        ("We called off the engagement.", "engaged_to", None, "ends"),
        ("Maria and I broke up.", "dating", "Maria", "ends"),
        ("My manager is Carla.", "manager_is", "Carla", "holds"),
        ("Dev is my new manager.", "manager_is", "Dev", "holds"),
        ("My new phone number is 555-9876.", "phone_number_is", None, "begins"),
        ("My lucky number is 7.", "lucky_number_is", None, "holds"),
        ("My car is a BMW.", "car_is", "BMW", "holds"),
        ("I moved from Rome to Oslo last year.", "lives_in", "Oslo", "begins"),
        ("My email changed to ana@y.org.", "email_is", None, "begins"),
        ("The project deadline is 10 May.", "project_deadline_is", None, "holds"),
        ("I have three children now.", "number_of_children_is", None, "holds"),
        ("I weigh 75 kg.", "weight_is", None, "holds"),
        ("I drive a Tesla now.", "drives", "Tesla", "holds"),
        ("I'm not a vegetarian anymore.", "is_vegetarian", None, "ends"),
        ("I stopped being vegan.", "is_vegan", None, "ends"),
        ("I quit playing the violin.", "play", "violin", "ends"),
        ("I'm not allergic to nuts.", "not_is_allergic_to", "nuts", "holds"),
        ("I can't stand cilantro.", "dislikes", "cilantro", "holds"),
        ("I'm no longer a fan of Tesla.", "dislikes", "Tesla", "holds"),
        ("I've gone off opera.", "dislikes", "opera", "holds"),
        ("I've come to love tea.", "likes", "tea", "holds"),
        ("I'm sick of chess.", "dislikes", "chess", "holds"),
        ("I gave away my dog yesterday.", "gave_up", "dog", "happened"),
        ("I got rid of the piano.", "gave_up", "piano", "happened"),
        ("My parrot died in May.", "gave_up", "parrot", "happened"),
        ("I left the choir.", "quit", "choir", "happened"),
    ],
)
def test_a_change_is_named_so_that_it_ends_what_was(
    content: str, relation: str, target: str | None, state: str
) -> None:
    *_, fact = read(content).facts
    subject = "project deadline" if "deadline" in relation else "Ana"
    assert (fact.subject, fact.relation, fact.object, fact.state) == (subject, relation, target, state)


@pytest.mark.parametrize(
    "content",
    [
        "My brother is Tom.",
        "My friend is Max.",
        "My hobby is chess.",
        "My passion is music.",
        "My dream is Paris.",
        "My sister is tired.",
        "The best part is Paris.",
        "I'm also a painter.",
        "I speak French.",
        "I have a son named Leo.",
        "I visited Rome.",
        "I'm learning Korean.",
        "I'm moving to Oslo next month.",
        "I might move to Oslo.",
    ],
)
def test_what_one_may_have_several_of_names_no_single_value(content: str) -> None:
    single = ("lives_in", "works_at", "works_as", "studies_at", "dating", "married_to", "drives")
    assert [f.relation for f in read(content).facts if f.relation.endswith("_is") or f.relation in single] == []


@pytest.mark.parametrize(
    ("content", "old", "new"),
    [
        ("I switched from Vim to Emacs last week.", "Vim", "Emacs"),
        ("I switched from Acme to Birch.", "Acme", "Birch"),
        ("I switched from piano to guitar.", "piano", "guitar"),
    ],
)
def test_what_is_switched_to_is_told_beside_what_is_left(content: str, old: str, new: str) -> None:
    assert [(f.relation, f.object, f.state) for f in read(content).facts] == [
        ("switched_from", old, "happened"),
        ("switched_to", new, "begins"),
    ]


def test_a_control_character_hides_nothing() -> None:
    (fact,) = read("I live\x00 in Leeds.").facts
    assert (fact.relation, fact.object, fact.quote) == ("lives_in", "Leeds", "I live\x00 in Leeds")


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("I closed Ticket 4712.", "Ticket 4712"),
        ("I booked Room 21.", "Room 21"),
        ("I use Python 3.12.", "Python 3.12"),
        ("We upgraded to Version 1.20 of the app.", "Version 1.20"),
        ("I use GPT-4o.", "GPT-4o"),
        ("I watched Apollo 13.", "Apollo 13"),
        ("I live at 21 Oak Street.", "21 Oak Street"),
        ("I know Ms. Brown.", "Ms. Brown"),
        ("I bought an iPhone 13 yesterday.", "iPhone 13"),
    ],
)
def test_a_name_keeps_its_number_and_its_title(content: str, name: str) -> None:
    assert name in [mention.name for mention in read(content).mentions]


@pytest.mark.parametrize("content", ["In 2019 I left.", "I met Tom on May 3.", "Acme hired 12 people.", "At 5 I eat."])
def test_a_number_beside_a_word_is_not_always_a_name(content: str) -> None:
    assert [m.name for m in read(content).mentions if any(c.isdigit() for c in m.name)] == []


@pytest.mark.parametrize(
    ("content", "fact", "start"),
    [
        ("I work at Birch from next Monday.", "Ana works at Birch (2023-05-15)", "2023-05-15"),
        ("I live in Oslo starting next month.", "Ana lives in Oslo (June 2023)", "2023-06-01"),
        ("I'm getting married to Max next year.", "Ana is getting married to Max (2024)", "2024-01-01"),
        ("I start at Birch next week.", "Ana starts at Birch (week of 2023-05-15)", "2023-05-15"),
    ],
)
def test_what_is_to_come_does_not_hold_before(content: str, fact: str, start: str) -> None:
    (found,) = read(content).facts
    assert found.valid_from is not None
    assert (found.fact, f"{found.valid_from:%Y-%m-%d}") == (fact, start)
