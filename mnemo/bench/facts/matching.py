"""Compares stored facts and entities with the annotations of a case. Pure."""

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
"""Words that mark a sentence as saying that something ended."""
_BEFORE = 3
"""Number of words before a stem in which a negation counts."""
_ARTICLES = frozenset(["the", "a", "an"])
_IGNORED = _ARTICLES | {"of", "my", "our", "his", "her", "their", "and", "in", "at", "s", "new", "old"}
"""Words that are ignored in names of entities."""
_DATE_WORDS = frozenset(
    name.casefold() for names in (calendar.day_name, calendar.month_name, calendar.month_abbr) for name in names if name
)
_KINDS = ("person", "place", "organisation", "event", "thing", "topic")
_SHORT = 3
"""Shorter words must be equal; longer ones may have an ending."""
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
"""Longest duration of a date of each precision, plus an hour for daylight saving time."""


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without accents, `n't` as `not`, numbers up to twelve as digits."""
    folded = unicodedata.normalize("NFKD", text.replace("’", "'")).casefold()
    plain = "".join(char for char in folded if not unicodedata.combining(char))
    spaced = re.sub(r"n't\b", " not", plain).replace("cannot", "can not").replace("_", " ")
    return [_NUMBERS.get(word, word) for word in re.findall(r"\w+", spaced)]


def matches(held: HeldFact, line: FactLine) -> bool:
    """Return whether a stored fact matches a line, apart from its time.

    Either the line's subject is the fact's subject, and all words of one alternative object are in the fact's object
    or sentence; or the line's subject is the fact's object, and these words are in the fact's subject; or the fact
    expresses possession: `Petra's cat is Momo` and `Momo is Petra's cat` both say that Petra has the cat Momo.
    A stem counts only if it is not negated just before; a stem with `not` requires the negation.
    """
    return _is_about(held, line) and _has_stem(held, line.stems)


def ended_by(held: HeldFact, end: EndLine, place: int) -> bool:
    """Return whether a stored fact is one that a message ends; it must be stated there or earlier.

    Args:
        held: The fact.
        end: The fact that ends.
        place: Position of the message that ends it.
    """
    return held.sources[:1] <= (place,) and matches(held, end.fact)


def reports_end(held: HeldFact, end: EndLine) -> bool:
    """Return whether a stored fact reports the end: `Petra left Acme`, or the former state with an end."""
    if not _is_about(held, end.fact):
        return False
    if matches(held, end.fact):
        return held.valid_to is not None or bool(_ENDING.intersection(words(held.fact)))
    return True


def closed_within(held: HeldFact, days: Days, zone: str) -> bool:
    """Return whether a fact ended within a range of days; an end at midnight also counts for the day before."""
    if held.valid_to is None:
        return False
    last = held.valid_to - timedelta(microseconds=1)
    return _day(held.valid_to, zone) in days or _day(last, zone) in days


def time_is_right(held: HeldFact, line: FactLine, message: CaseMessage, *, ends_later: bool = False) -> bool:
    """Return whether a stored fact has the times of a line.

    Args:
        held: The fact.
        line: Line with or without a time.
        message: Message of the line; its zone defines the days.
        ends_later: Whether a later message ends the fact, so that an end is correct.
    """
    for days in (line.begins, line.on):
        if days is not None and (held.valid_from is None or _day(held.valid_from, message.zone) not in days):
            return False
    if line.until is not None and not closed_within(held, line.until, message.zone):
        return False
    if line.recurring and held.valid_from is not None and _day(held.valid_from, message.zone) != message.at.date():
        return False
    return not line.open or held.valid_to is None or ends_later


def is_dated_event(held: HeldFact) -> bool:
    """Return whether a fact is a dated event: its end is the end of its day, week, month or year."""
    longest = _LENGTHS.get(held.precision)
    if longest is None or held.valid_from is None or held.valid_to is None:
        return False
    return held.valid_to - held.valid_from <= longest


def named_like(entity: HeldEntity, names: Iterable[str]) -> bool:
    """Return whether an entity has one of the names, ignoring case, accents and articles."""
    normalised = {_name(name) for name in names}
    return any(_name(name) in normalised for name in entity.names)


def kind_of(entity: HeldEntity) -> str | None:
    """Return the first tag that is a kind, or None."""
    return next((tag for tag in entity.tags if tag in _KINDS), None)


def vocabulary(scene: CaseScene) -> list[frozenset[str]]:
    """Return the set of words of each annotation line of a conversation, for `is_named`."""
    named = [frozenset(words(speaker)) for speaker in scene.speakers]
    for message in scene.messages:
        lines = (*message.facts, *(end.fact for end in message.ends))
        named += [frozenset(words(" ".join((*line.subjects, *line.objects)))) for line in lines]
        named += [frozenset(words(" ".join(entity.names))) for entity in message.entities]
    return named


def is_named(entity: HeldEntity, named: Sequence[frozenset[str]], speakers: Iterable[str]) -> bool:
    """Return whether the lines of a conversation name an entity.

    One line must have all words of its name, apart from articles and a speaker's name. A date alone does not count.
    """
    own = frozenset(word for speaker in speakers for word in words(speaker))
    name_words = words(entity.name)
    bare = [word for word in name_words if word not in _IGNORED]
    if not bare or all(word in _DATE_WORDS or word.isdigit() for word in bare):
        return False
    rest = [word for word in bare if word not in own] or bare
    return any(all(_occurs(word, line) or _occurs_back(word, line) for word in rest) for line in named)


def expected(entity: EntityLine, held: Iterable[HeldEntity]) -> list[HeldEntity]:
    """Return the stored entities that have a name of an expected one; several if it was split."""
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
    """Return whether the fact says that something belongs to the line's subject."""
    owners = [[*words(name), "s"] for name in line.subjects]
    things = [stem for stem in line.stems if not stem.startswith("not ")]
    for name in held.subject:
        name_words = words(name)
        for owner in owners:
            rest = name_words[len(owner) :]
            if name_words[: len(owner)] == owner and any(_contains(words(thing), rest) for thing in things):
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
    """Return whether a stem of one or more words occurs with the required polarity."""
    negative = stem.startswith("not ")
    sought = words(stem.removeprefix("not "))
    for text, whole in ((relation, True), (sentence, False)):
        for place in _places(sought, text):
            before = text[:place] if whole else text[max(0, place - _BEFORE) : place]
            if bool(_NEGATORS.intersection(before)) == negative:
                return not (text is sentence and _is_negated(relation) and not negative)
    return False


def _is_negated(relation: Sequence[str]) -> bool:
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
    """Return whether a word extends one of the text, such as dogs and dog."""
    return any(len(other) >= _SHORT and word in {f"{other}s", f"{other}es"} for other in text)


def _begins(word: str, other: str) -> bool:
    return word == other or (len(word) >= _SHORT and not word.isdigit() and other.startswith(word))


def _name(name: str) -> str:
    name_words = words(name)
    while len(name_words) > 1 and name_words[0] in _ARTICLES:
        name_words = name_words[1:]
    return " ".join(name_words)


def _day(moment: datetime, zone: str) -> date:
    return moment.astimezone(ZoneInfo(zone)).date()
