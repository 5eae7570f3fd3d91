"""Which mention is which known entity, by rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.ingestion.extraction import Kind, Mention
from mnemo.ingestion.resolution.entities import MentionDecision, Referent, resolve_mentions
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.types import EntityCandidate


def candidate(name: str, *aliases: str, similarity: float = 0.0, speaker: bool = False) -> EntityCandidate:
    return EntityCandidate(uuid=name, name=name, aliases=aliases, similarity=similarity, speaker=speaker)


def decide(name: str, *known: EntityCandidate, kind: Kind = "thing", speaker: bool = False) -> MentionDecision:
    mention = Mention(name=name, kind=kind, speaker=speaker, episodes=("e",))
    return resolve_mentions([mention], [known])[0]


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("caroline's", "Caroline"),
        ("NYC", "New York City"),
        ("New York City", "NYC"),
        ("dogs", "dog"),
        ("adoption agencies", "adoption agency"),
        ("Ｂｉｒｃｈ", "Birch"),  # noqa: RUF001  # full width is the case
    ],
)
def test_forms_of_one_name_are_the_same(name: str, known: str) -> None:
    assert decide(name, candidate(known), candidate("Zebra")) == MentionDecision("same", Referent(candidate(known)))


def test_an_alias_counts_as_a_name() -> None:
    known = candidate("New York City", "Big Apple")
    assert decide("Big Apple", known) == MentionDecision("same", Referent(known))


@pytest.mark.parametrize(
    ("name", "known", "kind"),
    [
        ("Ticket 4512", "Ticket 4513", "thing"),
        ("Sam Lee", "Sam Jones", "person"),
        ("Room 7", "Room 07", "place"),
        ("Gate B12", "Gate B2", "place"),
    ],
)
def test_names_that_differ_in_a_number_or_surname_are_never_one(name: str, known: str, kind: Kind) -> None:
    assert decide(name, candidate(known, similarity=0.999), kind=kind) == MentionDecision("new")


@given(
    st.text("0123456789", min_size=1, max_size=6),
    st.text("0123456789", min_size=1, max_size=6),
    st.floats(0, 1),
)
def test_similarity_never_merges_or_doubts_different_numbers(one: str, other: str, similarity: float) -> None:
    decision = decide(f"Ticket {one}", candidate(f"Ticket {other}", similarity=similarity))
    assert decision.kind == ("same" if one == other else "new")


def test_first_name_means_the_one_person_of_that_name() -> None:
    assert decide("Sam", candidate("Sam Lee"), candidate("Ann Lee"), kind="person").referent == Referent(
        candidate("Sam Lee")
    )


def test_first_name_of_two_people_is_uncertain() -> None:
    decision = decide("Sam", candidate("Sam Lee"), candidate("Sam Jones"), kind="person")
    assert (decision.kind, {option.entity.uuid for option in decision.options}) == (
        "uncertain",
        {"Sam Lee", "Sam Jones"},
    )


def test_first_name_that_became_an_alias_is_uncertain_once_there_are_two() -> None:
    assert decide("Sam", candidate("Sam Lee", "Sam"), candidate("Sam Jones"), kind="person").kind == "uncertain"


def test_first_name_rule_is_for_people_only() -> None:
    assert decide("Paris", candidate("Paris Hilton"), kind="place").kind == "new"


def test_full_name_after_a_bare_first_name_is_uncertain() -> None:
    assert decide("Sam Lee", candidate("Sam"), kind="person").kind == "uncertain"


def test_near_vector_and_likely_typing_error_are_only_uncertain() -> None:
    assert decide("physician", candidate("doctor", similarity=0.97)).kind == "uncertain"
    assert decide("Kathrine", candidate("Katherine")).kind == "uncertain"


def test_far_vector_is_new() -> None:
    assert decide("pottery", candidate("poetry slam", similarity=0.85)).kind == "new"


def test_two_speakers_are_two_whatever_their_vectors() -> None:
    assert decide("Jon", candidate("John", similarity=0.99, speaker=True), kind="person", speaker=True).kind == "new"


def test_initials_of_two_letters_are_uncertain() -> None:
    assert decide("ML", candidate("Machine Learning")).kind == "uncertain"


def test_mentions_of_one_window_merge_too() -> None:
    mentions = [
        Mention(name="New York City", kind="place", episodes=("1",)),
        Mention(name="NYC", kind="place", episodes=("2",)),
        Mention(name="N.Y.C.", kind="place", episodes=("3",)),
    ]
    decisions = resolve_mentions(mentions, [(), (), ()])
    assert [(each.kind, each.referent and each.referent.mention) for each in decisions] == [
        ("new", None),
        ("same", 0),
        ("same", 0),
    ]


@given(st.lists(st.text("abAB 1é'", min_size=1, max_size=8), max_size=8))
def test_equal_keys_are_always_one(names: list[str]) -> None:
    mentions = [Mention(name=name, episodes=("e",)) for name in names]
    decisions = resolve_mentions(mentions, [()] * len(names))
    owner: dict[str, int] = {}
    for place, (name, decision) in enumerate(zip(names, decisions, strict=True)):
        if name_key(name) in owner:
            assert decision.kind in {"same", "uncertain"}
        owner.setdefault(name_key(name), place)
