"""Rewrites chat English in standard spelling before parsing; every character keeps its offset in the message.

`Hey Mel, gonna quit!` parses badly; `I'm going to quit!` parses well.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from mnemo.ingestion.resolution.names import name_key
from mnemo.text.patterns import lazy_pattern

__all__ = ["NormalizedText", "nicknames", "normalize"]

_SENTENCE_START = r"(?:^|(?<=[.!?…:]\s)|(?<=\n))"
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
_OPTIONAL_ADVERB = r"(?:(?:just|also|even|actually|recently|finally|currently|still|so|well|yeah|anyway),?\s+)?"
_GREETING = (
    r"(?:\b(?:hey|hi|hello|thanks|thank you|wow|yeah|yep|yes|oh|woah|whoa|no|nope|congrats|absolutely|sure|well|so)"
    r"\b,?\s*)?"
)
_REQUEST = (
    rf"{_SENTENCE_START}(?:(?:please\s+)?(?:remember|note|keep in mind|just so you know|fyi)|guess what|"
    r"(?:i\s+)?(?:just\s+)?want(?:ed)? to (?:let you know|tell you)|i have to tell you),?\s*[-–—]?\s*"
    r"(?:that\s+)?(?=i\b|my\b|we\b)"
)
_LEAD_IN = (
    rf"{_SENTENCE_START}(?:in other news|meanwhile|for the record|by the way|btw|to be (?:honest|fair)|in fact|"
    r"fun fact|long story short|good news|bad news|speaking of which|on the plus side|for what it's worth|"
    r"as it happens|then again)\s*[,:–—-]?\s+(?=i\b|my\b|we\b|our\b|[A-Z])"
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
        (_LEAD_IN, ""),
        (r"(?<=\bI )(?:really|truly|actually|absolutely|totally|just|also) (?=like\b)", ""),
        (_IS_DOING, " is "),
        (_HAS_DONE, " has "),
        (
            rf"{_SENTENCE_START}(?:my\s+)?first\s+(?:\w+\s+)?day\s+(?:back\s+)?at\s+(?-i:(?=(?:the )?[A-Z]))",
            "I work at ",
        ),
        (
            rf"{_SENTENCE_START}{_YEARS}\s+years\s+at\s+(?=(?-i:[A-Z][\w&'-]*(?: [A-Z][\w&'-]*)*){_ENDS})",
            "I have worked at ",
        ),
        (r"\bgonna\b", "going to"),
        (r"\bwanna\b", "want to"),
        (r"(?:\bgot to\b|\bgotta\b)", "have to"),
        (r"(?:'ve|’ve) have to\b", " have to"),
        (r"\btryna\b", "trying to"),
        (r"(?:['’]cause|\bcuz|\bcoz)\b", "because"),
        (r"(?<=\w{2}in)['’](?=\s)", "g"),
        (r"\s*\b(?:lol|lmao|ha(?:ha)+|hehe|btw|tbh|omg|imho|imo|ngl|smh|rofl|fyi|xx+)\b(?=\s*(?:[.,!?;)]|$))", ""),
        (
            rf"{_SENTENCE_START}(?:(?:lol|lmao|ha(?:ha)+|hehe|btw|omg|oh|ok(?:ay)?|update|ha|anyway|so|nope|nah|yep|yeah|and|but)(?:[,:]\s*|\s+))+(?=\w)(?!far\b|much\b|many\b)",
            "",
        ),
        (r"[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]+", "."),
        (
            (
                rf"{_SENTENCE_START}((?:my |the |our )?\w+(?: \w+)?) (?=(?:done|cancelled|canceled|over|sold|sorted|"
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
_OMITTED_SUBJECT = tuple(
    (lazy_pattern(pattern, re.IGNORECASE), text)
    for pattern, text in (
        (rf"{_SENTENCE_START}{_OPTIONAL_ADVERB}(?=going to\b)(\w)", "I'm "),
        (rf"{_SENTENCE_START}(?={_OPTIONAL_ADVERB}been\b)(\w)", "I've "),
        (rf"{_SENTENCE_START}(?={_OPTIONAL_ADVERB}\w+ed (?:my|an?|the|some|our|this)\b(?![^.!?\n]*\?))(\w)", "I "),
        (rf"{_SENTENCE_START}(?=have to\b)(\w)", "I "),
        (rf"{_SENTENCE_START}(?={_OPTIONAL_ADVERB}(?:{_PAST})\b(?![^.!?\n]*\?))(\w)", "I "),
        (
            rf"{_SENTENCE_START}(?={_OPTIONAL_ADVERB}(?:{_DOING})\b(?![^.!?\n]*(?:\?|\b(?:is|are|was|has|have|can|will)\b)))(\w)",
            "I'm ",
        ),
    )
)
_CAPITALISED = lazy_pattern(r"\b[A-Z][a-z]{2,}\b")


@dataclass(frozen=True, slots=True)
class NormalizedText:
    """A text to parse, and the offset of each of its characters in the message."""

    text: str
    offsets: tuple[int, ...]
    """The offset in the message of each character; inserted text has offsets of the text it replaces."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the message of the non-empty `text[start:end]`."""
        return self.offsets[start], self.offsets[end - 1] + 1

    def replace(self, pattern: re.Pattern[str], text: str | Callable[[re.Match[str]], str]) -> "NormalizedText":
        """Return the text with every match replaced."""
        parts: list[str] = []
        offsets: list[int] = []
        done = 0
        for match in pattern.finditer(self.text):
            new = match.expand(text) if isinstance(text, str) else text(match)
            parts += [self.text[done : match.start()], new]
            offsets += self.offsets[done : match.start()]
            last = max(match.start(), match.end() - 1)
            offsets += [self._offset(min(match.start() + n, last)) for n in range(len(new) - 1)]
            offsets += [self._offset(last)] if new else []
            done = match.end()
        return NormalizedText("".join([*parts, self.text[done:]]), (*offsets, *self.offsets[done:]))

    def _offset(self, index: int) -> int:
        return self.offsets[index] if index < len(self.offsets) else len(self.offsets)


def normalize(text: str, names: Iterable[str], possessive: re.Pattern[str] | None = None) -> NormalizedText:
    """Return a text without vocatives, with chat forms spelled out and an omitted `I` added.

    Args:
        text: A message.
        names: Names of the speakers, including short forms.
        possessive: Matches a known name with an s but no apostrophe; group 1 is the name.
    """
    normalized = NormalizedText(text, tuple(range(len(text))))
    vocatives = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    if vocatives:
        normalized = normalized.replace(_vocative_pattern(vocatives), "")
    if possessive is not None:
        normalized = normalized.replace(possessive, r"\1's ")
    for pattern, new in _SPELLING:
        normalized = normalized.replace(pattern, new)
    for pattern, opening in _OMITTED_SUBJECT:
        normalized = normalized.replace(pattern, partial(_prepend_lowered, opening))
    return normalized


def _prepend_lowered(opening: str, match: re.Match[str]) -> str:
    """Return the opening words and the lower-cased first letter."""
    return f"{opening}{match.group(1).lower()}"


def _vocative_pattern(vocatives: str) -> re.Pattern[str]:
    """Return a pattern for a name that is addressed: after a greeting, or set off by punctuation."""
    end = r"(?=[.?!\-–—]|$)"
    return lazy_pattern(
        rf"{_SENTENCE_START}{_GREETING}(?:{vocatives})\s*(?:[,!]\s*|{end})|,\s*(?:{vocatives})\s*(?:{end}|(?=,))",
        re.IGNORECASE | re.MULTILINE,
    )


def nicknames(speakers: Sequence[str], texts: Iterable[str]) -> dict[str, str]:
    """Return the short forms of speakers' names that occur in texts, with the full names.

    A short form has three or more letters, starts with a capital, and begins the name of exactly one speaker. A
    speaker's full name is not a short form.
    """
    keys = {name_key(speaker): speaker for speaker in speakers}
    found: dict[str, str] = {}
    for word in {match.group() for text in texts for match in _CAPITALISED.finditer(text)}:
        key = name_key(word)
        fitting = [speaker for name, speaker in keys.items() if name.startswith(key)]
        if key not in keys and len(fitting) == 1:
            found[word] = fitting[0]
    return dict(sorted(found.items()))
