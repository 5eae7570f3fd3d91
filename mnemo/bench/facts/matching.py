"""Whether what a memory holds is what a case expects: pure."""

import calendar
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from types import MappingProxyType
from zoneinfo import ZoneInfo

from mnemo.bench.facts.cases import CaseMessage, CaseScene, Days, EndLine, EntityLine, FactLine
from mnemo.bench.facts.held import HeldEntity, HeldFact
from mnemo.models.graph import Precision

__all__ = [
    "closed_within",
    "ended_by",
    "is_dated_event",
    "is_named",
    "kind_of",
    "matches",
    "named_like",
    "time_is_right",
    "vocabulary",
]

_NUMBERS = MappingProxyType(
    {
        word: str(number)
        for number, word in enumerate(
            ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 2
        )
    }
)
_NEGATORS = frozenset(["not", "never", "no", "nor", "neither", "without"])
_ENDING = frozenset(
    re.findall(
        r"\w+",
        "no not never stopped quit left gave ended former formerly ex cancelled over died sold was were had used lost "
        "dropped instead anymore",
    )
)
"""Words that make a sentence say that something is over."""
_BEFORE = 3
"""Words before a stem in which a negation counts."""
_ARTICLES = frozenset(["the", "a", "an"])
_PALE = _ARTICLES | {"of", "my", "our", "his", "her", "their", "and", "in", "at", "s", "new", "old"}
"""Words that make no entity and spoil none."""
_DATE_WORDS = frozenset(
    name.casefold() for names in (calendar.day_name, calendar.month_name, calendar.month_abbr) for name in names if name
)
_KINDS = ("person", "place", "organisation", "event", "thing", "topic")
_SHORT = 3
"""Shorter words must be equal; longer ones may go on."""
_LENGTHS: Mapping[Precision, timedelta] = MappingProxyType(
    {
        "minute": timedelta(days=1),
        "day": timedelta(days=1, hours=1),
        "week": timedelta(days=7, hours=1),
        "month": timedelta(days=31, hours=1),
        "season": timedelta(days=93, hours=1),
        "year": timedelta(days=366, hours=1),
    }
)
"""Longest time that a date of each precision stands for; an hour more for the clocks."""


def words(text: str) -> list[str]:
    """Return a text's words: lower case, without accents, `n't` as not, numbers up to twelve as digits."""
    folded = unicodedata.normalize("NFKD", text.replace("’", "'")).casefold()
    plain = "".join(char for char in folded if not unicodedata.combining(char))
    spaced = re.sub(r"n't\b", " not", plain).replace("cannot", "can not").replace("_", " ")
    return [_NUMBERS.get(word, word) for word in re.findall(r"\w+", spaced)]


def matches(held: HeldFact, line: FactLine) -> bool:
    """Return whether a held fact says what a line says, its time aside.

    The line's subject is the fact's subject and an alternative's words are in its object or sentence; or the
    subject is the fact's object and those words are in its subject; or one of the two says whose the other is:
    `Petra's cat is Momo` and `Momo is Petra's cat` both say that Petra has the cat Momo.
    A stem counts where it is not negated just before, and `not` before a stem asks for that.
    """
    return _is_about(held, line) and _has_stem(held, line.stems)


def ended_by(held: HeldFact, end: EndLine, place: int) -> bool:
    """Return whether a held fact is one that a message ends: it was stated there or before.

    Args:
        held: The fact.
        end: What ends.
        place: Of the message that ends it.
    """
    return held.sources[:1] <= (place,) and matches(held, end.fact)


def tells_the_end(held: HeldFact, end: EndLine) -> bool:
    """Return whether a held fact says that something ended: `Petra left Acme`, or the former state, closed."""
    if not _is_about(held, end.fact):
        return False
    if matches(held, end.fact):
        return held.valid_to is not None or bool(_ENDING.intersection(words(held.fact)))
    return True


def closed_within(held: HeldFact, days: Days, zone: str) -> bool:
    """Return whether a fact ended on one of some days, in a zone; an end at midnight is the day before too."""
    if held.valid_to is None:
        return False
    last = held.valid_to - timedelta(microseconds=1)
    return _day(held.valid_to, zone) in days or _day(last, zone) in days


def time_is_right(held: HeldFact, line: FactLine, said: CaseMessage, *, ends_later: bool = False) -> bool:
    """Return whether a held fact has the times of a line.

    Args:
        held: The fact.
        line: With a time or without.
        said: The message of the line: days are days in its zone.
        ends_later: Whether a later message ends it, so that an end is no mistake.
    """
    for days in (line.begins, line.on):
        if days is not None and (held.valid_from is None or _day(held.valid_from, said.zone) not in days):
            return False
    if line.until is not None and not closed_within(held, line.until, said.zone):
        return False
    if line.recurring and held.valid_from is not None and _day(held.valid_from, said.zone) != said.at.date():
        return False
    return not line.open or held.valid_to is None or ends_later


def is_dated_event(held: HeldFact) -> bool:
    """Return whether a fact's end is the end of its own date: it happened on a day, in a week, in a year."""
    longest = _LENGTHS.get(held.precision)
    if longest is None or held.valid_from is None or held.valid_to is None:
        return False
    return held.valid_to - held.valid_from <= longest


def named_like(entity: HeldEntity, names: Iterable[str]) -> bool:
    """Return whether one of an entity's names is one of some names; case, accents and articles aside."""
    wanted = {_name(name) for name in names}
    return any(_name(name) in wanted for name in entity.names)


def kind_of(entity: HeldEntity) -> str | None:
    """Return the kind that an entity's tags name first; None where none does."""
    return next((tag for tag in entity.tags if tag in _KINDS), None)


def vocabulary(scene: CaseScene) -> list[frozenset[str]]:
    """Return the words in which each line of a conversation names its things, for `is_named`."""
    named = [frozenset(words(speaker)) for speaker in scene.speakers]
    for message in scene.messages:
        lines = (*message.facts, *(end.fact for end in message.ends))
        named += [frozenset(words(" ".join((*line.subjects, *line.objects)))) for line in lines]
        named += [frozenset(words(" ".join(entity.names))) for entity in message.entities]
    return named


def is_named(entity: HeldEntity, named: Sequence[frozenset[str]], speakers: Iterable[str]) -> bool:
    """Return whether an entity is one that a conversation's lines name.

    All words of its name, but for articles and a speaker's name, are in one line. A date alone is no entity.
    """
    own = frozenset(word for speaker in speakers for word in words(speaker))
    told = words(entity.name)
    bare = [word for word in told if word not in _PALE]
    if not bare or all(word in _DATE_WORDS or word.isdigit() for word in bare):
        return False
    rest = [word for word in bare if word not in own] or bare
    return any(all(_occurs(word, line) or _occurs_back(word, line) for word in rest) for line in named)


def expected(entity: EntityLine, held: Iterable[HeldEntity]) -> list[HeldEntity]:
    """Return the held entities that bear a name of an expected one; more than one where it was split."""
    return [each for each in held if named_like(each, entity.names)]


def _is_about(held: HeldFact, line: FactLine) -> bool:
    subjects = {_name(name) for name in line.subjects}
    shown = f"{' '.join(held.object)} {held.fact}"
    if any(_name(name) in subjects for name in held.subject):
        return _has_object(words(shown), line.objects)
    if line.objects and any(_name(name) in subjects for name in held.object):
        return _has_object(words(" ".join(held.subject)), line.objects)
    return _is_of(held, line, shown)


def _is_of(held: HeldFact, line: FactLine, shown: str) -> bool:
    """Whether the fact's subject is a thing of the line's subject, or the line's object, said to be such a thing."""
    owners = [[*words(name), "s"] for name in line.subjects]
    things = [stem for stem in line.stems if not stem.startswith("not ")]
    for name in held.subject:
        told = words(name)
        for owner in owners:
            rest = told[len(owner) :]
            if told[: len(owner)] == owner and any(_contains(words(thing), rest) for thing in things):
                return _has_object(words(shown), line.objects)
    sentence = words(held.fact)
    is_object = any(_name(name) == _name(each) for name in held.subject for each in line.objects)
    return is_object and any(_contains(owner, sentence) for owner in owners)


def _has_object(text: Sequence[str], objects: Sequence[str]) -> bool:
    return not objects or any(all(_occurs(word, text) for word in words(each)) for each in objects)


def _has_stem(held: HeldFact, stems: Sequence[str]) -> bool:
    if not stems:
        return True
    relation, sentence = words(held.relation), words(held.fact)
    return any(_has_one(stem, relation, sentence) for stem in stems)


def _has_one(stem: str, relation: Sequence[str], sentence: Sequence[str]) -> bool:
    """Look for one stem, of one word or several in a row, with the polarity it asks for."""
    negative = stem.startswith("not ")
    sought = words(stem.removeprefix("not "))
    for text, whole in ((relation, True), (sentence, False)):
        for place in _places(sought, text):
            before = text[:place] if whole else text[max(0, place - _BEFORE) : place]
            if bool(_NEGATORS.intersection(before)) == negative:
                return not (text is sentence and _refused(relation) and not negative)
    return False


def _refused(relation: Sequence[str]) -> bool:
    return relation[:1] == ["not"]


def _contains(sought: Sequence[str], text: Sequence[str]) -> bool:
    return next(iter(_places(sought, text)), None) is not None


def _places(sought: Sequence[str], text: Sequence[str]) -> Iterable[int]:
    for place in range(len(text) - len(sought) + 1):
        if all(_begins(word, text[place + offset]) for offset, word in enumerate(sought)):
            yield place


def _occurs(word: str, text: Iterable[str]) -> bool:
    return any(_begins(word, other) for other in text)


def _occurs_back(word: str, text: Iterable[str]) -> bool:
    """Whether a word goes on from one of the text: dogs from dog."""
    return any(len(other) >= _SHORT and word in {f"{other}s", f"{other}es"} for other in text)


def _begins(word: str, other: str) -> bool:
    return word == other or (len(word) >= _SHORT and not word.isdigit() and other.startswith(word))


def _name(name: str) -> str:
    told = words(name)
    while len(told) > 1 and told[0] in _ARTICLES:
        told = told[1:]
    return " ".join(told)


def _day(moment: datetime, zone: str) -> date:
    return moment.astimezone(ZoneInfo(zone)).date()
