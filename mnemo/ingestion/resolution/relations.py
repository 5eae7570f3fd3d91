"""Relations: one name for each kind of fact, and which of them rule one another out.

Facts compete only when subject and family are the same; the table says how, and why.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mnemo.ingestion.extraction import State, Statement

__all__ = ["CANONICAL", "Family", "Scope", "canonical", "excludes", "family", "is_lasting", "releases", "snake"]

Scope: TypeAlias = Literal["subject", "object", "none"]
"""What holds one value at a time: the subject, the subject with that object, or nothing."""

MAX_RELATION_CHARS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Relations that answer one question about a subject."""

    name: str
    scope: Scope
    members: tuple[str, ...]
    """Canonical relations; two different ones differ in value even with the same object."""
    ending: str
    """Relation of the event that ends such a state."""
    past: str
    """Relation for a state that was long over when stated, so that it ends nothing that holds now."""
    by_text: bool = False
    """Whether a fact without an object has its value in the sentence (an age)."""
    by_nature: bool = False
    """Whether a newer value ends the older one without a word: an age, a weight, a number of children."""


_FAMILIES = (
    # A person has one home at a time; a holiday is `visited`.
    Family(name="home", scope="subject", members=("lives_in",), ending="moved_from", past="lived_in"),
    # A new employer takes the old one's place. Side jobs are `also_works_at`.
    Family(name="employer", scope="subject", members=("works_at",), ending="left", past="worked_at"),
    # A trade: the new one takes the old one's place.
    Family(name="trade", scope="subject", members=("works_as",), ending="stopped_working_as", past="worked_as"),
    # One school at a time.
    Family(name="school", scope="subject", members=("studies_at",), ending="left_school", past="studied_at"),
    # Married, engaged, dating, single: one of them holds.
    Family(
        name="relationship_status",
        scope="subject",
        members=("married_to", "engaged_to", "dating", "single", "divorced_from", "separated_from", "widowed"),
        ending="parted_from",
        past="was_together_with",
    ),
    # What someone drives now.
    Family(name="drives", scope="subject", members=("drives",), ending="stopped_driving", past="drove"),
    # An age holds for a year.
    Family(
        name="age", scope="subject", members=("aged",), ending="was_aged", past="was_aged", by_text=True, by_nature=True
    ),
    # One opinion about one thing: the newer one is the current one.
    Family(name="feels_about", scope="object", members=("likes", "dislikes"), ending="lost_interest_in", past="liked"),
    # Having and not having the same thing.
    Family(name="owns", scope="object", members=("owns", "not_owns"), ending="gave_up", past="owned"),
)
_STATUS = frozenset(["married_to", "engaged_to", "dating", "single", "divorced_from", "separated_from", "widowed"])
_ALONE = frozenset(["single", "divorced_from", "separated_from", "widowed"])
_OF_MEMBER = {member: family for family in _FAMILIES for member in family.members}
CANONICAL: tuple[str, ...] = tuple(_OF_MEMBER)
"""Relations that may rule one another out, for prompts and tests."""

_HAD = frozenset(["owns", "own", "has", "have", "drive", "ride", "keep", "use", "wear", "sail", "fly", "play"])
_BELONGING = frozenset(
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
_RELEASED = {
    "gave_up": _HAD,
    "quit": _BELONGING,
    "switched_from": _HAD | _BELONGING | {"works_at", "works_as", "studies_at", "eat", "drink", "learn", "speak"},
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


def family(relation: str) -> Family:
    """Return the family of a relation: its own where the table has none.

    A relation outside the table rules out only its own negation (`eats`, `not_eats`) about the same object.
    """
    known = _OF_MEMBER.get(relation)
    if known is not None:
        return known
    base = relation.removeprefix("not_")
    if base.startswith("favourite_") or base.endswith("_is"):  # the favourite colour, the phone number: one at a time
        return Family(
            name=base,
            scope="subject",
            members=(base,),
            ending=f"stopped_{base}",
            past=f"past_{base}",
            by_text=True,
            by_nature=base.startswith(("number_of_", "weight_")),
        )
    return Family(name=base, scope="object", members=(base, f"not_{base}"), ending=f"stopped_{base}", past=base)


def excludes(newer: Statement, older: Statement) -> bool:
    """Return whether a newer relationship status denies an older one: single, divorced, or married to who one dated."""
    if newer.relation not in _STATUS or older.relation not in _STATUS or newer.relation == older.relation:
        return False
    return newer.relation in _ALONE or newer.object == older.object


def is_lasting(relation: str) -> bool:
    """Return whether a date with this relation gives no start: canonical relations and single-valued ones."""
    return relation in _OF_MEMBER or relation.startswith("favourite_") or relation.endswith("_is")


def releases(event: str, relation: str) -> bool:
    """Whether an event (`gave_up`, `quit`, `switched_from`) ends what its subject had by a relation to its object.

    Verbs are compared without the ending of the third person: `drives` is `drive`.
    """
    ended = _RELEASED.get(event, frozenset())
    return relation in ended or relation.removesuffix("s") in ended


def canonical(relation: str, state: State) -> tuple[str, State]:
    """Return the canonical relation and the state that the given name implies, else the given state.

    `moved_to`, holds → `lives_in`, begins. A state that was long over leaves its family: `works_at`,
    happened → `worked_at`, happened.
    """
    name, told = _SYNONYMS.get(snake(relation), (snake(relation), None))
    state = told or state
    if state == "happened" and name in _OF_MEMBER:
        return _OF_MEMBER[name].past, "happened"
    return name, state


def snake(relation: str) -> str:
    """Return a relation in snake case: `Works At`, `worksAt` and `works-at` are `works_at`; `related_to` if empty."""
    text = unicodedata.normalize("NFKC", relation).replace("'", "").replace("’", "")
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    text = re.sub(r"[\W_]+", "_", text.lower()).strip("_")
    return text[:MAX_RELATION_CHARS].rstrip("_") or "related_to"
