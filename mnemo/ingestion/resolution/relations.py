"""Canonical relations, and which of them exclude one another.

Facts compete only if they have the same subject and their relations the same family.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mnemo.ingestion.extraction import State, Statement

__all__ = ["CANONICAL", "Family", "Scope", "canonical", "ends_relation", "excludes", "family_of", "is_lasting", "snake"]

Scope: TypeAlias = Literal["subject", "object", "none"]
"""What has one value at a time: the subject, the pair of subject and object, or nothing."""

MAX_RELATION_CHARS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Relations that answer the same question about a subject."""

    name: str
    scope: Scope
    members: tuple[str, ...]
    """Canonical relations; two different ones are different values, even with the same object."""
    ending: str
    """Relation of the event that ends such a state."""
    past: str
    """Relation of a state that was already past when stated; it ends nothing that holds now."""
    by_text: bool = False
    """Whether the sentence is the value of a fact without an object (an age)."""
    always_replaces: bool = False
    """Whether a newer value always ends the older one: an age, a weight, a number of children."""


_FAMILIES = (
    # One home at a time; holidays use `visited`.
    Family(name="home", scope="subject", members=("lives_in",), ending="moved_from", past="lived_in"),
    # A new employer replaces the old one; side jobs use `also_works_at`.
    Family(name="employer", scope="subject", members=("works_at",), ending="left", past="worked_at"),
    # A new occupation replaces the old one.
    Family(name="trade", scope="subject", members=("works_as",), ending="stopped_working_as", past="worked_as"),
    # One school at a time.
    Family(name="school", scope="subject", members=("studies_at",), ending="left_school", past="studied_at"),
    # One relationship status at a time.
    Family(
        name="relationship_status",
        scope="subject",
        members=("married_to", "engaged_to", "dating", "single", "divorced_from", "separated_from", "widowed"),
        ending="parted_from",
        past="was_together_with",
    ),
    # The current vehicle.
    Family(name="drives", scope="subject", members=("drives",), ending="stopped_driving", past="drove"),
    # A new age replaces the old one.
    Family(
        name="age",
        scope="subject",
        members=("aged",),
        ending="was_aged",
        past="was_aged",
        by_text=True,
        always_replaces=True,
    ),
    # One opinion per thing: the newer one replaces the older.
    Family(name="feels_about", scope="object", members=("likes", "dislikes"), ending="lost_interest_in", past="liked"),
    # Owning and not owning the same thing.
    Family(name="owns", scope="object", members=("owns", "not_owns"), ending="gave_up", past="owned"),
)
_STATUS = frozenset(["married_to", "engaged_to", "dating", "single", "divorced_from", "separated_from", "widowed"])
_UNPARTNERED = frozenset(["single", "divorced_from", "separated_from", "widowed"])
_FAMILY_BY_RELATION = {member: family for family in _FAMILIES for member in family.members}
CANONICAL: tuple[str, ...] = tuple(_FAMILY_BY_RELATION)
"""Relations that may exclude one another, for prompts and tests."""

_POSSESSION_RELATIONS = frozenset(
    ["owns", "own", "has", "have", "drive", "ride", "keep", "use", "wear", "sail", "fly", "play"]
)
_MEMBERSHIP_RELATIONS = frozenset(
    [
        *(
            "join",
            "has",
            "have",
            "attend",
            "belong_to",
            "is_in",
            "is_on",
            "is_member_of",
            "is_part_of",
            "play",
            "play_in",
            "play_with",
        ),
        *("play_for", "sing_in", "sing_with", "take", "study", "volunteer_at", "train_at", "subscribe_to"),
    ]
)
_RELATIONS_ENDED_BY = {
    "gave_up": _POSSESSION_RELATIONS,
    "quit": _MEMBERSHIP_RELATIONS,
    "switched_from": _POSSESSION_RELATIONS
    | _MEMBERSHIP_RELATIONS
    | {"works_at", "works_as", "studies_at", "eat", "drink", "learn", "speak"},
}
_SYNONYMS: dict[str, tuple[str, State | None]] = {}
for _noun in (
    "phone_number",
    "email",
    "email_address",
    "address",
    "boss",
    "manager",
    "birthday",
    "nickname",
    "password",
):
    for _form in (_noun, f"has_{_noun}"):
        _SYNONYMS[_form] = (f"{_noun}_is", None)
for _relation, _state, _names in (
    ("lives_in", None, "lives_at lives resides_in resides_at living_in based_in home_is_in located_in_home"),
    ("lives_in", "begins", "moved_to relocated_to moves_to settled_in moved_into"),
    ("lives_in", "ends", "moved_from moved_out_of moved_away_from"),
    ("works_at", None, "works_for works_in_company employed_by employed_at working_at working_for job_at employer"),
    ("works_at", "begins", "joined_company started_working_at started_job_at started_at hired_by got_job_at"),
    ("works_at", "ends", "quit_job left_job left_job_at quit_job_at laid_off_from fired_from retired_from"),
    ("works_at", "ends", "resigned_from lost_job_at"),
    ("works_as", None, "works_as_a job_title occupation profession job_is has_job employed_as"),
    ("works_as", "begins", "became_a started_working_as"),
    ("studies_at", None, "attends_school attends_university student_at goes_to_school_at studying_at"),
    ("studies_at", "begins", "enrolled_at enrolled_in_school started_studying_at"),
    ("studies_at", "ends", "graduated_from dropped_out_of"),
    ("married_to", None, "is_married_to husband_of wife_of spouse_of"),
    ("married_to", "begins", "married got_married_to wed"),
    ("engaged_to", None, "is_engaged_to fiance_of"),
    ("dating", None, "is_dating in_a_relationship_with girlfriend_of boyfriend_of"),
    ("divorced_from", "begins", "divorced got_divorced_from"),
    ("drives", None, "drive"),
    ("aged", None, "age has_age is_aged"),
    ("likes", None, "loves enjoys adores is_fond_of fan_of is_into likes_to_do passionate_about keen_on"),
    ("dislikes", None, "hates detests cannot_stand does_not_like doesnt_like not_likes not_loves not_enjoys loathes"),
    ("likes", None, "not_dislikes not_hates"),
    ("owns", None, "has_pet possesses has_a owns_a"),
    ("not_owns", None, "does_not_own does_not_have not_has"),
):
    for _name in _names.split():
        _SYNONYMS[_name] = (_relation, _state)  # type: ignore[assignment]  # the tuple's literals widen to str


def family_of(relation: str) -> Family:
    """Return the family of a relation; a relation outside the table gets its own one.

    Such a relation excludes only its own negation (`eats`, `not_eats`) with the same object.
    """
    canonical_family = _FAMILY_BY_RELATION.get(relation)
    if canonical_family is not None:
        return canonical_family
    base = relation.removeprefix("not_")
    if base.startswith("favourite_") or base.endswith("_is"):  # favourite colour, phone number: one value at a time
        return Family(
            name=base,
            scope="subject",
            members=(base,),
            ending=f"stopped_{base}",
            past=f"past_{base}",
            by_text=True,
            always_replaces=base.startswith(("number_of_", "weight_")),
        )
    return Family(name=base, scope="object", members=(base, f"not_{base}"), ending=f"stopped_{base}", past=base)


def excludes(newer: Statement, older: Statement) -> bool:
    """Return whether a newer relationship status excludes an older one: single, or another one with the partner."""
    if newer.relation not in _STATUS or older.relation not in _STATUS or newer.relation == older.relation:
        return False
    return newer.relation in _UNPARTNERED or newer.object == older.object


def is_lasting(relation: str) -> bool:
    """Return whether a relation is a lasting state, canonical or single-valued, whose date need not be its start."""
    return relation in _FAMILY_BY_RELATION or relation.startswith("favourite_") or relation.endswith("_is")


def ends_relation(event: str, relation: str) -> bool:
    """Return whether an event (`gave_up`, `quit`, `switched_from`) ends a relation of its subject to its object.

    The third-person ending is ignored: `drives` is `drive`.
    """
    ended = _RELATIONS_ENDED_BY.get(event, frozenset())
    return relation in ended or relation.removesuffix("s") in ended


def canonical(relation: str, state: State) -> tuple[str, State]:
    """Return the canonical relation, and the state that the given name implies or else the given state.

    `moved_to`, holds → `lives_in`, begins. A past state gets the relation for the past: `works_at`, happened →
    `worked_at`, happened.
    """
    name, implied_state = _SYNONYMS.get(snake(relation), (snake(relation), None))
    state = implied_state or state
    if state == "happened" and name in _FAMILY_BY_RELATION:
        return _FAMILY_BY_RELATION[name].past, "happened"
    return name, state


def snake(relation: str) -> str:
    """Return a relation in snake case: `Works At`, `worksAt` and `works-at` are `works_at`; `related_to` if empty."""
    text = unicodedata.normalize("NFKC", relation).replace("'", "").replace("’", "")
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    text = re.sub(r"[\W_]+", "_", text.lower()).strip("_")
    return text[:MAX_RELATION_CHARS].rstrip("_") or "related_to"
