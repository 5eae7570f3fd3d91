"""Rewrites chat English as plain English before parsing; every character keeps its offset in the message.

`Hey Mel, gonna quit!` parses badly; `I'm going to quit!` parses well.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from mnemo.ingestion.resolution.names import name_key
from mnemo.text.patterns import lazy_pattern

__all__ = ["Plain", "nicknames", "plain"]

_OPENS = r"(?:^|(?<=[.!?…:]\s)|(?<=\n))"
_PAST = (
    "lost|went|got|had|started|finished|bought|took|met|saw|visited|joined|moved|adopted|signed|found|decided|tried|"
    "spent|did|came|gave|ran|began|learned|learnt|read|watched|attended|painted|wrote|quit|left|broke|won|sold|hosted|"
    "stopped|swam|passed|handed|cancelled|canceled|switched|used to|dropped|forgot|slept|flew|drove|"
    "rode|ate|drank|paid|caught|fell|felt|kept|heard|taught|worked|lived|tested|rebooked|resigned|"
    "retired|received|made|put|sent|built|cut|walked|woke|applied|accepted|borrowed|lent|stayed|"
    "changed|turned|traded|rented|hired|won|split|gave|stole|missed|told|wrote|"
    "celebrated|graduated|planted|cooked|baked|booked|played|picked|joined|volunteered|launched|opened|enjoyed"
)
_DOING = (
    "planning|thinking (?:about|of)|working (?:on|at|as)|looking (?:into|for|at)|trying to|researching|finishing|"
    "getting ready|hoping|studying|training|reading|living|learning|preparing|moving|borrowing|selling|buying|starting|"
    "leaving|flying|driving|staying|bringing|seeing|using|taking|playing|renting|switching|quitting|heading|visiting|"
    "working|running|applying|meeting|having|dating|seeing someone|teaching|doing|not (?:running|"
    "going|coming|moving|drinking|smoking|eating)"
)
_SOON = r"(?:(?:just|also|even|actually|recently|finally|currently|still|so|well|yeah|anyway),?\s+)?"
_GREETING = (
    r"(?:\b(?:hey|hi|hello|thanks|thank you|wow|yeah|yep|yes|oh|woah|whoa|no|nope|congrats|absolutely|sure|well|so)"
    r"\b,?\s*)?"
)
_REQUEST = (
    rf"{_OPENS}(?:(?:please\s+)?(?:remember|note|keep in mind|just so you know|fyi)|guess what|"
    r"(?:i\s+)?(?:just\s+)?want(?:ed)? to (?:let you know|tell you)|i have to tell you),?\s*[-–—]?\s*"
    r"(?:that\s+)?(?=i\b|my\b|we\b)"
)
_LEAD = (
    rf"{_OPENS}(?:in other news|meanwhile|for the record|by the way|btw|to be (?:honest|fair)|in fact|fun fact|"
    r"long story short|good news|bad news|speaking of which|on the plus side|for what it's worth|as it happens|"
    r"then again)\s*[,:–—-]?\s+(?=i\b|my\b|we\b|our\b|[A-Z])"
)
_NOUNS_IN_ING = (
    "wedding|meeting|building|painting|drawing|thing|string|king|ring|morning|evening|spring|wing|sibling|feeling|"
    "training|clothing|housing|opening|ceiling|earring|hearing|being|engagement|singing|writing|cooking|parking|"
    "something|anything|nothing|everything"
)
_IS_DOING = (
    rf"(?<=\w)['’]s (?!(?:{_NOUNS_IN_ING})\b)(?=\w{{3,}}ing(?:\s*[.!,;]|\s*$|"
    r"\s+(?:at|in|on|to|with|for|and|about|from|my|a|an|the|this|that|next|now|again|out|up)\b))"
)
_HAS_DONE = (
    r"(?<=\w)['’]s (?=(?:been|got|moved|started|bought|become|had|come|joined|decided|adopted|agreed|asked|told|said|"
    r"promised|invited|quit|learned|learnt|booked)\b|"
    r"(?:broken|sold|lost|taken|finished|written|made|found|given|painted)\s+"
    r"(?:his|her|their|my|our|a|an|the|up|it|me|us|him|them)\b)"
)
_ENDS = r"(?:\s+(?:this|today|now|already|and)\b|\s*[.,!;]|\s*$)"
_YEARS = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)"
_SPELLING = tuple(
    (lazy_pattern(pattern, re.IGNORECASE), text)
    for pattern, text in (
        (r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\ufeff]", " "),
        (_REQUEST, ""),
        (_LEAD, ""),
        (r"(?<=\bI )(?:really|truly|actually|absolutely|totally|just|also) (?=like\b)", ""),
        (_IS_DOING, " is "),
        (_HAS_DONE, " has "),
        (rf"{_OPENS}(?:my\s+)?first\s+(?:\w+\s+)?day\s+(?:back\s+)?at\s+(?-i:(?=(?:the )?[A-Z]))", "I work at "),
        (rf"{_OPENS}{_YEARS}\s+years\s+at\s+(?=(?-i:[A-Z][\w&'-]*(?: [A-Z][\w&'-]*)*){_ENDS})", "I have worked at "),
        (r"\bgonna\b", "going to"),
        (r"\bwanna\b", "want to"),
        (r"(?:\bgot to\b|\bgotta\b)", "have to"),
        (r"(?:'ve|’ve) have to\b", " have to"),
        (r"\btryna\b", "trying to"),
        (r"(?:['’]cause|\bcuz|\bcoz)\b", "because"),
        (r"(?<=\w{2}in)['’](?=\s)", "g"),
        (r"\s*\b(?:lol|lmao|ha(?:ha)+|hehe|btw|tbh|omg|imho|imo|ngl|smh|rofl|fyi|xx+)\b(?=\s*(?:[.,!?;)]|$))", ""),
        (
            rf"{_OPENS}(?:(?:lol|lmao|ha(?:ha)+|hehe|btw|omg|oh|ok(?:ay)?|update|ha|anyway|so|nope|nah|yep|yeah|and|but)(?:[,:]\s*|\s+))+(?=\w)(?!far\b|much\b|many\b)",
            "",
        ),
        (r"[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]+", "."),
        (
            (
                rf"{_OPENS}((?:my |the |our )?\w+(?: \w+)?) (?=(?:done|cancelled|canceled|over|sold|sorted|"
                rf"finished|postponed)(?:\s*[.!,]|$))(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bgot )(?<!\bbe )(?<!\bhas )"
            ),
            r"\1 is ",
        ),
        (r"\bim\b", "I'm"),
        (r"\bive\b", "I've"),
        (
            (
                r"\bill (?=(?:be|have|take|go|come|call|get|do|see|bring|pick|ask|tell|try|make|never|"
                r"probably|just|send|meet|buy|wait|start|stay|move|let|also|need|pay)\b)"
            ),
            "I'll ",
        ),
        (r"\b(he|she|that|what|there|who|where)s\b(?!')", r"\1's"),
        (
            (
                r"\bits (?=(?:a|an|the|not|ok|so|my|been|too|just|really|all|in|on|at|only|me|time|still|"
                r"now|no|gone|over|off|like|for|from|called|her|his|our|their|\w+ing|\d+)\b)"
            ),
            "it's ",
        ),
        (r"\b(they|we|you)(re|ve|ll)\b(?<!were)(?<!well)", r"\1'\2"),
        (r"\b(do|does|did|is|are|was|were|has|have|had|ca|wo|could|would|should)nt\b", r"\1n't"),
        (r"\bu\b(?!\.)", "you"),
        (r"\bur\b", "your"),
        (r"\b(?:bc|cos|cus)\b", "because"),
        (r"(?<=\w)\s*!{2,}(?=\s|$)", "!"),
        (r"\bi\b(?=\s|['’])", "I"),
    )
)
_LEFT_OUT = tuple(
    (lazy_pattern(pattern, re.IGNORECASE), text)
    for pattern, text in (
        (rf"{_OPENS}{_SOON}(?=going to\b)(\w)", "I'm "),
        (rf"{_OPENS}(?={_SOON}been\b)(\w)", "I've "),
        (rf"{_OPENS}(?={_SOON}\w+ed (?:my|an?|the|some|our|this)\b(?![^.!?\n]*\?))(\w)", "I "),
        (rf"{_OPENS}(?=have to\b)(\w)", "I "),
        (rf"{_OPENS}(?={_SOON}(?:{_PAST})\b(?![^.!?\n]*\?))(\w)", "I "),
        (rf"{_OPENS}(?={_SOON}(?:{_DOING})\b(?![^.!?\n]*(?:\?|\b(?:is|are|was|has|have|can|will)\b)))(\w)", "I'm "),
    )
)
_CAPITALISED = lazy_pattern(r"\b[A-Z][a-z]{2,}\b")


@dataclass(frozen=True, slots=True)
class Plain:
    """A text to parse, and the offset of each of its characters in the message."""

    text: str
    places: tuple[int, ...]
    """One offset in the message a character; an inserted one has that of the character after it."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the message of the non-empty `text[start:end]`."""
        return self.places[start], self.places[end - 1] + 1

    def replaced(self, pattern: re.Pattern[str], text: str | Callable[[re.Match[str]], str]) -> "Plain":
        """Return the text with every match replaced."""
        parts: list[str] = []
        places: list[int] = []
        done = 0
        for match in pattern.finditer(self.text):
            new = match.expand(text) if isinstance(text, str) else text(match)
            parts += [self.text[done : match.start()], new]
            places += self.places[done : match.start()]
            last = max(match.start(), match.end() - 1)
            places += [self._place(min(match.start() + n, last)) for n in range(len(new) - 1)]
            places += [self._place(last)] if new else []
            done = match.end()
        return Plain("".join([*parts, self.text[done:]]), (*places, *self.places[done:]))

    def _place(self, place: int) -> int:
        return self.places[place] if place < len(self.places) else len(self.places)


def plain(text: str, names: Iterable[str], possessive: re.Pattern[str] | None = None) -> Plain:
    """Remove vocatives, spell out chat forms, and add an omitted `I`.

    Args:
        text: A message.
        names: Names of the speakers, including short forms.
        possessive: Matches a known name with an s without its apostrophe; the name is its first group.
    """
    made = Plain(text, tuple(range(len(text))))
    called = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    if called:
        made = made.replaced(_calling(called), "")
    if possessive is not None:
        made = made.replaced(possessive, r"\1's ")
    for pattern, new in _SPELLING:
        made = made.replaced(pattern, new)
    for pattern, opening in _LEFT_OUT:
        made = made.replaced(pattern, partial(_opened, opening))
    return made


def _opened(opening: str, match: re.Match[str]) -> str:
    """Put words before the first letter and lower-case it."""
    return f"{opening}{match.group(1).lower()}"


def _calling(called: str) -> re.Pattern[str]:
    """Return a pattern for a name with a comma, a greeting or an end on both sides."""
    end = r"(?=[.?!\-–—]|$)"
    return lazy_pattern(
        rf"{_OPENS}{_GREETING}(?:{called})\s*(?:[,!]\s*|{end})|,\s*(?:{called})\s*(?:{end}|(?=,))",
        re.IGNORECASE | re.MULTILINE,
    )


def nicknames(speakers: Sequence[str], texts: Iterable[str]) -> dict[str, str]:
    """Return short forms of speakers' names that occur in texts, each with the one speaker it fits.

    A form is the capitalised beginning of one speaker's name only, three letters or more, and no speaker's own name.
    """
    keys = {name_key(speaker): speaker for speaker in speakers}
    found: dict[str, str] = {}
    for word in {match.group() for text in texts for match in _CAPITALISED.finditer(text)}:
        key = name_key(word)
        fitting = [speaker for name, speaker in keys.items() if name.startswith(key)]
        if key not in keys and len(fitting) == 1:
            found[word] = fitting[0]
    return dict(sorted(found.items()))
