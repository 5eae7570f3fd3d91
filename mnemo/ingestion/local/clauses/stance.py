"""How a clause relates to earlier statements: certain or not, an addition, a replacement or a correction."""

from __future__ import annotations  # importing spaCy takes a second

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Span

    from mnemo.ingestion.local.clauses.clause import Clause
    from mnemo.ingestion.local.clauses.predicates import Link

__all__ = ["corrected", "corrected_value", "denied_after", "is_certain", "is_replacing"]

_HEDGES = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|might|apparently|supposedly|allegedly|presumably|i think|i guess|i suppose|"
    r"i believe|i reckon|not sure|if i remember|afaik|iirc|kind of|sort of|hopefully|likely)\b",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"(?:(?:sorry|oops|whoops|argh|correction|no|wait|edit|er|um|ugh)[,:.! ]+)*(?:i meant?|"
    r"i mean to say|meant)\s+(?:to say\s+)?"
    r"(?P<value>[\w'’-]+(?: [\w'’-]+){0,2}?)(?:,? not [^,.!?]+)?[.!]*$|\*(?P<starred>[\w'’-]+)$",
    re.IGNORECASE,
)
_ADDING = frozenset(
    ["also", "too", "another", "second", "besides", "both", "part-time", "extra", "additional", "weekends", "side"]
)
_REPLACING = frozenset(["now", "instead", "new", "changed", "correction", "actually", "nowadays"])
_ONE_BY_NATURE = ("aged", "weight_is", "number_of_")


def is_certain(clause: Clause) -> bool:
    """Return whether nothing in a clause's sentence hedges it (maybe, I think)."""
    first, last = clause.tokens[0].i, clause.tokens[-1].i
    around = clause.verb.doc[max(clause.verb.sent.start, first - 3) : min(clause.verb.sent.end, last + 4)]
    return not _HEDGES.search(around.text)


def is_replacing(clause: Clause, link: Link) -> bool:
    """Return whether a clause says that its value replaces the former one."""
    words = {token.lower_ for token in clause.verb.sent if token.pos_ != "PROPN"}
    if link.relation.startswith(_ONE_BY_NATURE):
        return True
    if words & _ADDING or ("as" in words and "well" in words):
        return False
    if link.state == "begins":
        return True
    return link.state == "holds" and bool(words & _REPLACING)


def corrected_value(text: str) -> str | None:
    """Return the value that corrects the one just given: `York` in `Sorry, I meant York`."""
    found = _MEANT.match(text.strip())
    return (found["value"] or found["starred"]).strip() if found is not None else None


def denied_after(sentence: Span) -> tuple[str, ...]:
    """Return the name that a sentence denies: `Biscuit` in `called Bruno, not Biscuit`."""
    found = re.search(r"[,(–—-] ?not ([A-Z][\w'-]+)", sentence.text)
    return (found[1],) if found is not None else ()


def corrected(clause: Clause) -> tuple[Clause, tuple[str, ...]]:
    """Return a clause without the value denied at its end, and that value (`Bruno, not Biscuit`)."""
    tokens = clause.tokens
    for place, token in enumerate(tokens):
        opens = token.lower_ == "not" and place > 1 and tokens[place - 1].text in {",", "-", "—", "("}
        rest = tokens[place + 1 :]
        if opens and 0 < len(rest) <= 4 and all(t.pos_ not in {"VERB", "AUX"} for t in rest):  # noqa: PLR2004  # a short value
            denied = " ".join(t.text for t in rest if t.is_alpha or t.like_num or t.pos_ in {"NUM", "PROPN"})
            return replace(clause, tokens=tokens[: place - 1], negated=False), (denied,)
    return clause, ()
