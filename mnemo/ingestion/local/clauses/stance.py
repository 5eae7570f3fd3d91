"""How sure a clause is, and whether it adds to, replaces or corrects earlier statements."""

from __future__ import annotations  # importing spaCy takes a second

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Span

    from mnemo.ingestion.local.clauses.clause import Clause
    from mnemo.ingestion.local.clauses.predicates import Link

__all__ = ["corrected_value", "denied_names", "is_certain", "replaces_earlier", "without_denied_value"]

_HEDGES = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|might|apparently|supposedly|allegedly|presumably|i think|i guess|i suppose|"
    r"i believe|i reckon|not sure|if i remember|afaik|iirc|kind of|sort of|hopefully|likely)\b",
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"(?:(?:sorry|oops|whoops|argh|correction|no|wait|edit|er|um|ugh)[,:.! ]+)*(?:i meant?|"
    r"i mean to say|meant)\s+(?:to say\s+)?"
    r"(?P<value>[\w'’-]+(?: [\w'’-]+){0,2}?)(?:,? not [^,.!?]+)?[.!]*$|\*(?P<starred>[\w'’-]+)$",
    re.IGNORECASE,
)
_ADDITION_WORDS = frozenset(
    ["also", "too", "another", "second", "besides", "both", "part-time", "extra", "additional", "weekends", "side"]
)
_REPLACEMENT_WORDS = frozenset(["now", "instead", "new", "changed", "correction", "actually", "nowadays"])
_SINGLE_VALUED_PREFIXES = ("aged", "weight_is", "number_of_")


def is_certain(clause: Clause) -> bool:
    """Return whether no hedge (maybe, I think) stands near the clause."""
    first, last = clause.tokens[0].i, clause.tokens[-1].i
    around = clause.verb.doc[max(clause.verb.sent.start, first - 3) : min(clause.verb.sent.end, last + 4)]
    return not _HEDGES.search(around.text)


def replaces_earlier(clause: Clause, link: Link) -> bool:
    """Return whether a clause's value replaces an earlier one (now, instead) rather than adds to it (also)."""
    words = {token.lower_ for token in clause.verb.sent if token.pos_ != "PROPN"}
    if link.relation.startswith(_SINGLE_VALUED_PREFIXES):
        return True
    if words & _ADDITION_WORDS or ("as" in words and "well" in words):
        return False
    if link.state == "begins":
        return True
    return link.state == "holds" and bool(words & _REPLACEMENT_WORDS)


def corrected_value(text: str) -> str | None:
    """Return the corrected value of a correction: `York` in `Sorry, I meant York`; None for other texts."""
    found = _CORRECTION.match(text.strip())
    return (found["value"] or found["starred"]).strip() if found is not None else None


def denied_names(sentence: Span) -> tuple[str, ...]:
    """Return the name that a sentence denies, or nothing: `Biscuit` in `called Bruno, not Biscuit`."""
    found = re.search(r"[,(–—-] ?not ([A-Z][\w'-]+)", sentence.text)
    return (found[1],) if found is not None else ()


def without_denied_value(clause: Clause) -> tuple[Clause, tuple[str, ...]]:
    """Return a clause without the value denied at its end, and that value: `not Biscuit` in `Bruno, not Biscuit`."""
    tokens = clause.tokens
    for index, token in enumerate(tokens):
        opens = token.lower_ == "not" and index > 1 and tokens[index - 1].text in {",", "-", "—", "("}
        rest = tokens[index + 1 :]
        if opens and 0 < len(rest) <= 4 and all(t.pos_ not in {"VERB", "AUX"} for t in rest):  # noqa: PLR2004  # a short value
            denied = " ".join(t.text for t in rest if t.is_alpha or t.like_num or t.pos_ in {"NUM", "PROPN"})
            return replace(clause, tokens=tokens[: index - 1], negated=False), (denied,)
    return clause, ()
