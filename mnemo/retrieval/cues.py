"""What the wording of a question and of a message gives away: pure.

Cues are weak hints, each with a weight of its own in `mnemo.retrieval.ranking`; a language that they
do not know simply gives none.
"""

import re

__all__ = [
    "asks_name",
    "asks_number",
    "asks_when",
    "has_name",
    "has_number",
    "has_time",
    "is_question",
    "length",
    "speaks_of_self",
]

_WHEN = re.compile(
    r"^\W*(?:when|since when|until when|how long|how often|how (?:many|much) (?:time|days|weeks|months|years)"
    r"|(?:in|on|at|during|around|by|for|since)? ?(?:what|which) (?:date|day|month|year|time|week|season)"
    r"|wann|seit wann|wie lange|quand|cu[aá]ndo|quando|wanneer)\b|いつ|何[年月日]|什么时候|何时|언제",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow (?:many|much|old|often|long|far|big|tall)\b|\bwie ?viele?\b|\bcombien\b|\bcu[aá]nt[oa]s?\b"
    r"|いくつ|何[人回個]|多少|几"
)
_NAME = re.compile(
    r"^\W*(?:who|whom|whose|where)\b|\b(?:called|named?|title[ds]?|name of)\b"
    r"|\b(?:what|which)\b(?: \w+){0,2} (?:book|movie|film|game|song|city|country|state|place|band|artist|author|brand"
    r"|company|restaurant|team|school|series|show|pet|dog|cat|app|language)s?\b"
    r"|^\W*(?:wer|wo|qui|où|qui[eé]n|d[oó]nde|chi|dove|quem|onde|wie)\b|誰|どこ|谁|哪里",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this (?:week|month|year|morning|weekend|summer|winter)|since"
    r"|recently|just|weeks?|weekends?|months?|years?|days?|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|january|february|march|april|june|july|august|september|october|november|december|summer|winter|spring"
    r"|gestern|heute|morgen|letzte[nrs]?|vor|seit|hier|aujourd'hui|demain|dernier|dernière|depuis"
    r"|ayer|hoy|mañana|pasad[oa]|ieri|oggi|domani|scors[oa]|ontem|hoje|amanhã)\b"
    r"|\b(?:19|20)\d\d\b|\b\d{1,2}(?:st|nd|rd|th)\b|昨日|今日|明日|先週|先月|去年|今年|来週|来月|昨天|今天|明天|上周|上个月|어제|오늘|내일|\d+[年月日]",
    re.IGNORECASE,
)
_DIGITS = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|couple"
    r"|first|second|third|fourth|fifth)\b|[一二三四五六七八九十百千]",
    re.IGNORECASE,
)
_PROPER = re.compile(r"(?<=[\w,;:] )[^\W\d_a-z][^\W\d_]*[a-zà-ÿ]|[\"“«「『]")
_SELF = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine|myself|we|we're|we've|our|us|ich|mein\w*|mir|mich|wir|unser\w*|je|j'|moi|mon|ma|mes|nous"
    r"|yo|mi|mis|nosotros|io|mio|mia|noi|eu|meu|minha)\b|私|僕|俺|我|나는|저는|제가",
    re.IGNORECASE,
)
_TRAILER = re.compile(r"\s*\[[^\]]*\]\s*$")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_LONG = 60


def asks_when(question: str) -> bool:
    """Tell whether a question asks for a time."""
    return bool(_WHEN.search(question))


def asks_number(question: str) -> bool:
    """Tell whether a question asks for a number."""
    return bool(_NUMBER.search(question.lower()))


def asks_name(question: str) -> bool:
    """Tell whether a question asks for a person, a place or a thing by name."""
    return bool(_NAME.search(question))


def has_time(content: str) -> bool:
    """Tell whether a message says a time."""
    return bool(_TIME.search(content))


def has_number(content: str) -> bool:
    """Tell whether a message says a number."""
    return bool(_DIGITS.search(content))


def has_name(content: str) -> bool:
    """Tell whether a message has a capitalised word after another word, or a quoted one."""
    return bool(_PROPER.search(content))


def is_question(content: str) -> bool:
    """Tell whether a message ends by asking, what stands in brackets at its end left aside."""
    return _TRAILER.sub("", content).rstrip().endswith(("?", "？", "؟"))  # noqa: RUF001  # full width and Arabic


def length(content: str) -> float:
    """Return a message's length in words, at most 60; two letters of a script without blanks are one."""
    wide = len(_WIDE.findall(content))
    return float(min(_LONG, len(content.split()) + wide // 2))


def speaks_of_self(content: str) -> bool:
    """Tell whether a message speaks in the first person."""
    return bool(_SELF.search(content))
