"""Finds the phone numbers, mail addresses and handles that speakers give as their own."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Contact", "contacts"]

_MAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_PHONE = r"\+?\(?\d[\d ()/-]{5,}\d"
_HANDLE = r"@?[a-z][\w.]*[_\d.][\w.]*\w|@\w{2,}"
_NOUN = (
    r"(?P<noun>(?:work |home |new |old |current |private |personal )*"
    r"(?:(?:phone|mobile|cell|work|home) )?(?:number|phone|mobile|cell|e-?mail(?: address)?|handle|"
    r"username|user name|gamertag))"
)
_MINE = re.compile(
    rf"(?:\b(?:my|our)\s+|^(?=new )){_NOUN}\s*(?:['’]s|\bis|:|=|changed to|has changed to|will be)?\s*(?:now\s+|"
    rf"is\s+)?(?P<value>{_MAIL}|{_PHONE}|(?<=handle is )(?:{_HANDLE}))",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"\b(?:mine(?:['’]s| is)|(?:i'?m|i am) (?:on|at)|(?:reach|text|call|ring|mail|email) me (?:on|at)|"
    rf"(?:use|it's now|its now|it is now))\s+(?P<value>{_MAIL}|{_PHONE})",
    re.IGNORECASE,
)
_NEAR = re.compile(
    rf"(?:^|[,.;:!?(]\s*|\b(?:my|the|our|and|new|old) ){_NOUN}\b[^.!?]{{0,60}}?[\s:,;](?P<value>{_MAIL}|{_PHONE})"
    rf"|\b(?:change|changed|changing|got|have|lost)\b[^.!?]{{0,20}}\b(?:my |a new )(?P<noun2>number|phone|e-?mail)\b"
    rf".{{0,60}}?\b(?:it['\u2019]?s|its|it is|is|to|:) (?P<value2>{_MAIL}|{_PHONE})",
    re.IGNORECASE,
)
"""A number or address near its noun: `cell is the same, 416 555 0132`, `my email changes to …`."""
_OTHERS = re.compile(
    r"\b(?:your|his|her|their|the (?:office|shop|school|plumber|doctor|landlord)|(?!it['\u2019])\w+['\u2019]s) ",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:new|now|changed?|changes|changing|from now on|instead|updated?|not any ?more)\b", re.IGNORECASE
)
_PHONES = frozenset(["number", "phone", "mobile", "cell"])


@dataclass(frozen=True, slots=True)
class Contact:
    """A phone number, address or handle of the speaker."""

    relation: str
    """`phone_number_is`, `email_is` or `handle_is`; the first two may start with `work_` or `home_`."""
    noun: str
    value: str
    span: tuple[int, int]
    replaces: bool
    """Whether the text says that it is new."""


def contacts(text: str) -> Iterator[Contact]:
    """Yield the speaker's own contacts in a message, in order."""
    sure = [*_MINE.finditer(text), *_BARE.finditer(text)]
    near = [
        found for found in _NEAR.finditer(text) if not _OTHERS.search(text, max(0, found.start() - 12), found.end())
    ]
    end = 0
    for match in sorted((*sure, *near), key=lambda match: match.start()):
        groups = match.groupdict()
        value = (groups["value"] or groups.get("value2") or "").strip(" .,;:-")
        if match.start() < end or any(value in other[0] for other in sure if other is not match):
            continue
        end = match.end()
        named = groups.get("noun") or groups.get("noun2") or ""
        noun = _noun(named, value)
        around = text[max(0, match.start() - 30) : match.end() + 30]
        changed = bool(_CHANGED.search(named) or _CHANGED.search(around))
        yield Contact(f"{noun.replace(' ', '_')}_is", noun, value, match.span(), changed)


def _noun(named: str, value: str) -> str:
    words = named.lower().split()
    use = next((f"{word} " for word in words if word in {"work", "home"}), "")
    if "@" in value and "." in value:
        return f"{use}email"
    if not words or _PHONES & set(words):
        return f"{use}phone number"
    return "handle"
