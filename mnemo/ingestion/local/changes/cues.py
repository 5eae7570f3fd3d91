"""Words that end something, wherever they are in a sentence: `got nicked`, `last day at`, `ran out`.

Each cue names the kinds of facts it can end; the nouns around it say which of them. See
`mnemo.ingestion.resolution.topics`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from mnemo.ingestion.local.changes.phrases import is_passing, statement_parts
from mnemo.ingestion.local.lexicon import KIN

__all__ = ["EndingCue", "ending_cues", "noun_phrases"]

_GONE = (
    r"gone(?! (?:to|for|back|out|off|on|in|into|up|down|through|well|badly|wrong|viral|mad|mental|crazy|quiet|over)\b)"
)
_IS = r"(?:is|are|was|were|has|have|'s|s|all|finally|now|just)"
_THEM = r"(?:me|us|him|her|them)"
_AGAIN = r"\b(?:anymore|any more|any longer)\b"
_OBJECT, _SUBJECT, _ANY = "object", "subject", "any"
_Cue: TypeAlias = tuple[str, str, str]
"""Kinds of facts; on which side of the cue the thing is; the cue."""
_CUES: tuple[_Cue, ...] = (
    # Things that are sold, given away or stolen.
    (
        "have pet",
        _OBJECT,
        r"\b(?:sold|rehomed|binned|chucked out|totall?ed|wrote off|donated|pawned|traded in|got rid of)\b"
        r"(?! (?:out|all|some|a lot|loads|\d|every|tickets|well)\b)",
    ),
    ("have pet", _OBJECT, r"\b(?:gave|given|giving) (?:away )?(?:my|our|the)\b.{1,40}\b(?:to|away)\b"),
    ("have pet", _OBJECT, r"\b(?:found|got) (?=\w+ a new (?:home|owner|family)\b)"),
    (
        "have pet",
        _SUBJECT,
        r"\b(?:got|been|was|were|is) (?:nicked|stolen|pinched|repossessed|written off|scrapped|sold|rehomed)\b",
    ),
    ("have pet", _SUBJECT, r"\b(?:belongs?|belonged) to (?:someone|somebody|another|a new|them|him|her)\b"),
    ("have pet", _SUBJECT, r"\bhas (?:\w+ )?a new (?:home|owner|family)\b"),
    ("have pet", _SUBJECT, rf"\b{_IS} (?:\w+ )?{_GONE}"),
    # Jobs.
    ("job activity membership", _OBJECT, r"\b(?:last|final) (?:day|shift|week) (?:at|with|in|for|as)\b"),
    (
        "job activity membership",
        _ANY,
        r"\b(?:handed|gave|put|turned) in my (?:notice|keys|badge|resignation|laptop|pass|apron|uniform)\b",
    ),
    ("job activity membership", _OBJECT, r"\b(?:stepped|stepping|stood) down(?: as)?\b|\bresigned(?: as| from)?\b"),
    ("job", _ANY, rf"\b(?:lets? {_THEM} go|laid {_THEM} off|(?:fired|sacked) {_THEM}|made {_THEM} redundant)\b"),
    ("job", _ANY, r"\b(?:got|was|were|been) (?:fired|sacked|laid off|let go|made redundant)\b"),
    # Habits, classes, clubs, subscriptions.
    (
        "job activity membership subscription school",
        _OBJECT,
        r"\b(?:quit|quitting|packed in|jacked in|gave up|given up|dropped out of|dropped|ditched|bailed on|stopped)\b"
        r"(?! (?:by|in|on|off|round|my|me|us|him|her|them|it|at|for)\b)",
    ),
    ("job activity membership subscription school", _OBJECT, r"\b(?:got|get|came) out of the\b"),
    ("activity membership subscription thing", _OBJECT, r"\bno more\b(?! than\b| of\b| room| time| money)"),
    ("activity membership subscription thing partner", _ANY, rf"\b(?:not|\w+n'?t|never|no)\b.{{0,40}}{_AGAIN}"),
    ("activity membership subscription thing", _OBJECT, r"\bno longer\b"),
    ("activity", _OBJECT, r"\b(?:haven't|havent|hasn't|have not|has not)\b(?= \w+.{0,30} since\b)"),
    (
        "activity school",
        _OBJECT,
        r"\b(?:finished|completed|graduated from|done with|through with|got to the end of)\b"
        r"(?! (?:work|school|for|at|early|late)\b)",
    ),
    (
        "job activity membership",
        _ANY,
        r"\b(?:last|final) (?:rehearsal|session|lesson|class|practice|training|appointment|gig)\b",
    ),
    ("subscription activity", _OBJECT, r"\b(?:cancelled|canceled|unsubscribed from|uninstalled|deleted)\b"),
    ("activity", _OBJECT, r"\bused to(?= \w+)\b(?! (?:it|that|this|the|my|being|having)\b)"),
    ("activity job", _OBJECT, r"\b(?:switched|moved|changed)\b.{0,30}\bfrom\b"),
    # Illness and medicine.
    ("health", _OBJECT, r"\b(?:recovered from|shaken(?: off)?|shook off|kicked|beaten|beat|got over|cured of|over)\b"),
    ("health", _SUBJECT, r"\b(?:fine|better|okay|ok|normal|right) again\b|\bgood as new\b|\bback to normal\b"),
    ("health", _SUBJECT, r"\b(?:healed|cleared up|went away|subsided|in remission)\b"),
    ("health", _SUBJECT, rf"\b(?:came|come|comes|{_IS}) off\b(?! (?:to|for|work|school|sick)\b)"),
    ("health medicine", _OBJECT, r"\b(?:took|taken|had|finished) the last of\b|\b(?:came|come|been|i'm|im) off\b"),
    # Anything that ends by itself.
    (
        "thing",
        _SUBJECT,
        rf"\b{_IS} (?:\w+ )?(?:over|{_GONE}|finished|history|called off|cancelled|canceled|paid off)\b"
        r"|\b(?:(?:ran|run) out(?! of\b)|expired|lapsed|came to an end|wound up|ended|fell through)\b",
    ),
    # People and pets.
    (
        "partner",
        _ANY,
        r"\b(?:broke|broken|breaking) up\b|\b(?:dumped|divorced|separated|ended things|ended it)\b"
        r"|\b(?:aren't|arent|are not|are no longer|not) (?:a thing|together|an item|a couple|seeing each other)\b"
        r"|\bcalled off (?:the|our|my) (?:engagement|wedding)\b|\bsplit(?: up)?\b(?! the| a| my| it)",
    ),
    (
        "pet",
        _SUBJECT,
        r"\b(?:died|passed away|put down|put to sleep|didn't wake up|didnt wake up|crossed the rainbow)\b",
    ),
    ("pet", _OBJECT, r"\b(?:put down|put|had to say goodbye to)\b"),
    # Homes and visitors.
    ("home rent", _OBJECT, r"\b(?:moved out of|sold (?:the|our|my)|(?:gave|handed|returned)\b.{0,15}\bkeys)\b"),
    ("home rent", _ANY, r"\b(?:lease|tenancy)\b.{0,30}\b(?:ran out|ended|expired|is up|was up|over|finished)\b"),
)
_BARE_CUES: tuple[tuple[str, str], ...] = (
    (
        "@pregnant",
        r"\b(?:daughter|son|baby|boy|girl|twins|babies)\b.{0,20}\b(?:arrived|was born|were born|is here|'s here|came)\b"
        r"|\bgave birth\b",
    ),
    ("@housemate", r"\bmoved (?:out|away|back)\b"),
    ("@visit", r"\b(?:flown|gone|went|flew|headed|drove|driven) (?:back )?home\b"),
    ("@job", r"\bretired\b(?! (?:teacher|nurse|doctor|police))"),
    ("~move", r"\bstaying (?:in|put|here|where)\b|\bnot moving\b|\bchange of plans?\b"),
    ("@hospital", r"\b(?:out of hospital|home from (?:the )?hospital|discharged)\b|\blets? .{1,20} (?:come|go) home\b"),
)
"""Cues that name no thing, each with the topic that it ends."""
_COMPILED = tuple((kinds.split(), side, re.compile(cue, re.IGNORECASE)) for kinds, side, cue in _CUES)
_BARE = tuple((kind, re.compile(cue, re.IGNORECASE)) for kind, cue in _BARE_CUES)
_PREPOSITION = re.compile(
    r"\b(?:on|in|at|from|outside|near|for|to|with|because|by|along|after|before|around)\b", re.IGNORECASE
)
_PART = re.compile(
    r"\b(?:chapters?|episodes?|half|levels?|pages?|parts?|bits?|pieces?|some|rest|match|meeting|shift)\b", re.IGNORECASE
)
"""Words for a part of something, which goes on without it."""
_NEGATION = re.compile(r"\b(?:not|never|\w+n['’]?t|nobody|no one|without)\b", re.IGNORECASE)
_SELF = re.compile(r"\b(?:me|us|my|our)\b", re.IGNORECASE)
_DONE = re.compile(r"\b(?:is|are|'s|s)(?: (?:all|finally|now))? (\w{3,}ed|built|written|sorted)\b", re.IGNORECASE)
"""What was planned is done: the kitchen's painted."""
_TODAY = re.compile(
    r"\b(?:cancelled|canceled|off|no)\b.{0,20}\b(?:today|tonight|this (?:week|morning|afternoon|evening))\b",
    re.IGNORECASE,
)
"""Cancelled once: the next time it takes place again."""
_WORD = re.compile(r"[^\W_][\w&+'’-]*")
_FUNCTION = frozenset(
    [
        "a",
        "an",
        "the",
        "my",
        "our",
        "your",
        "his",
        "her",
        "its",
        "their",
        "this",
        "that",
        "these",
        "those",
        "some",
        "any",
        "all",
        "no",
        "not",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "from",
        "with",
        "by",
        "as",
        "into",
        "onto",
        "over",
        "off",
        "out",
        "up",
        "down",
        "about",
        "after",
        "before",
        "since",
        "until",
        "till",
        "during",
        "along",
        "through",
        "and",
        "or",
        "but",
        "so",
        "because",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "isn't",
        "aren't",
        "wasn't",
        "has",
        "have",
        "had",
        "having",
        "do",
        "does",
        "did",
        "don't",
        "doesn't",
        "didn't",
        "i",
        "i'm",
        "i've",
        "we",
        "we're",
        "we've",
        "you",
        "he",
        "she",
        "it",
        "they",
        "me",
        "us",
        "him",
        "them",
        "who",
        "someone",
        "somebody",
        "anyone",
        "everyone",
        "mine",
        "ours",
        "myself",
        "finally",
        "just",
        "now",
        "today",
        "tonight",
        "yesterday",
        "tomorrow",
        "again",
        "already",
        "still",
        "ever",
        "never",
        "always",
        "also",
        "too",
        "only",
        "really",
        "very",
        "officially",
        "totally",
        "completely",
        "anymore",
        "more",
        "longer",
        "last",
        "final",
        "first",
        "new",
        "old",
        "half",
        "whole",
        "other",
        "another",
        "next",
        "previous",
        "morning",
        "afternoon",
        "evening",
        "night",
        "week",
        "weekend",
        "month",
        "year",
        "day",
        "days",
        "weeks",
        "months",
        "years",
        "ago",
        "time",
        "thing",
        "things",
        "stuff",
        "lot",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "outside",
        "inside",
        "near",
        "there",
        "here",
        "then",
        "than",
        "what",
        "when",
        "where",
        "which",
        "while",
        "got",
        "get",
        "gets",
        "getting",
        "gave",
        "given",
        "go",
        "goes",
        "went",
        "going",
        "gone",
        "take",
        "took",
        "taken",
        "make",
        "made",
        "keep",
        "kept",
        "let",
        "put",
        "came",
        "come",
        "told",
        "tell",
        "said",
        "say",
        "sold",
        "lol",
        "haha",
        "yay",
        "omg",
        "phew",
        "well",
        "oh",
        "ok",
        "okay",
        "yes",
        "yeah",
        "sadly",
        "thank",
        "god",
        "good",
        "great",
        "fine",
        "better",
        "us",
        "can",
        "can't",
        "could",
        "will",
        "won't",
        "would",
        "should",
        "if",
        "haven't",
        "hasn't",
        "havent",
        "hadn't",
        "not",
        "no",
        "never",
        "work",
        "works",
        "working",
        "job",
    ]
)
_OTHERS = re.compile(
    r"\b(?:his|her|their|your|(?:my |our )?(?:neighbou?r|friend|colleague|boss|mate|\w+ next door)['’]?s|"
    r"(?:neighbou?r|friend|colleague|boss|mate|guy|woman|man|bloke) (?:at|from|next|down|across|in))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class EndingCue:
    """What a cue says is over."""

    topics: tuple[str, ...]
    """Each a kind and one noun phrase near the cue, such as `@job zara`."""
    subject: str
    """The words before the cue, which name whom it is about."""
    span: tuple[int, int]
    """Offsets in the sentence of the part that contains the cue."""
    names_subject: bool = False
    """Whether nouns in `subject` are whom it is about, so that an unknown one is not the speaker."""


def ending_cues(text: str) -> Iterator[EndingCue]:
    """Yield the endings that cues in a sentence state, in order; questions and quotations state none.

    Args:
        text: The sentence, with straight apostrophes.
    """
    earlier: tuple[str, ...] = ()
    for start, end in statement_parts(text):
        part = text[start:end]
        if not (is_passing(part) or _PART.search(part) or _OTHERS.search(part) or _TODAY.search(part)):
            for kinds, side, cue in _COMPILED:
                found = cue.search(part)
                things = _things(part, found, side, earlier) if found is not None else ()
                topics = tuple(dict.fromkeys(f"@{kind} {thing}" for thing in things for kind in kinds))
                if found is not None and topics:
                    own = found[0] if _SELF.search(found[0]) else part[: found.start()]
                    yield EndingCue(topics, own, (start, end), names_subject=side == _OBJECT)
            for topic, cue in _BARE:
                found = cue.search(part)
                if found is not None and not _NEGATION.search(part[: found.start()]):
                    yield EndingCue((topic,), part[: found.end()], (start, end))
            done = _DONE.search(part)
            if done is not None:
                topics = tuple(f"~{done[1]} {thing}" for thing in noun_phrases(part[: done.start()]))
                yield EndingCue(topics, "", (start, end))
        earlier += noun_phrases(part)


def _things(part: str, found: re.Match[str], side: str, earlier: tuple[str, ...]) -> tuple[str, ...]:
    """Return the noun phrases that a cue may end: before it, after it, or those said earlier if it has none."""
    before, after = part[: found.start()], part[found.end() :]
    if _NEGATION.search(before):
        return ()
    within, subjects = noun_phrases(found[0]), noun_phrases(before)
    if side == _OBJECT:
        return within + _first_phrases(after)
    if side == _SUBJECT:
        return within + (subjects or earlier)
    return within + (subjects + _first_phrases(after) or earlier)


def _first_phrases(after: str) -> tuple[str, ...]:
    """Return the noun phrases up to the first preposition that follows one."""
    for cut in _PREPOSITION.finditer(after):
        if noun_phrases(after[: cut.start()]):
            return noun_phrases(after[: cut.start()])
    return noun_phrases(after)


def noun_phrases(text: str) -> tuple[str, ...]:
    """Return runs of content words, lower case, in order; each relative's word is left out."""
    phrases: list[list[str]] = [[]]
    after = 0
    for found in _WORD.finditer(text):
        word = found[0].lower().removesuffix("'s").removesuffix("’s")
        apart = text[after : found.start()].strip() != ""
        after = found.end()
        if apart or word in _FUNCTION or word in KIN:
            phrases.append([])
        if word not in _FUNCTION and word not in KIN:
            phrases[-1].append(word)
    return tuple(" ".join(words) for words in phrases if words)
