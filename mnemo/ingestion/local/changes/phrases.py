"""Finds set phrases that say something has ended, with or without a verb: `no more gym for me`, `single again`.

They are matched as text because the parser is unreliable on lower-case chat. A topic that starts with `@kind` ends only
facts of that kind. See `mnemo.ingestion.resolution.topics`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["EndingPhrase", "ending_phrases", "is_not_final", "statement_parts"]

_PART_BOUNDARY = re.compile(
    r"[.!?;,:…()\n]+|\s[-–—]+\s|\b(?:and then|but|so|because|cos|since my|which|though|tho)\b", re.IGNORECASE
)
_NOT_FINAL = re.compile(
    r"\b(?:early|late|for (?:the|a|an|one|two) (?:day|week|weekend|night|evening|term|afternoon|moment|bit|while|while)"
    r"|for (?:now|today|dinner|lunch|tea)|at (?:noon|midnight|\d\S*|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve)|without (?:my|the|any)|almost|nearly|dreamt|dreamed|in my (?:dream|head)|kidding|joking|pretend"
    r"|wish|imagine|if|should|could|would|might"
    r"|(?<!in )(?<!since )(?<!last )may|never"
    r"|about to|trying|tried|hope|hoping|want|thinking|going to"
    r")\b|\bstopped working\b(?! at| for| in| with)",
    re.IGNORECASE,
)
_TRAILING_TIME = re.compile(
    r"\s+(?:today|yesterday|tonight|now|finally|again|already|lol|tbh|haha|btw|for good|for me|for us|at last"
    r"|as of today|last (?:night|week|month|year|\w+day)|on \w+day|this (?:morning|week|month|year)|since .*"
    r"|in (?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"|(?:\w+ )?(?:days|weeks|months|years) ago"
    r"|thank god|too|either|anyway|completely)$|[^\w)]+$",
    re.IGNORECASE,
)
_LEAD_IN = (
    r"^(?:(?:guess who|it'?s|phew|welp|sadly|sad news|good news|update"
    r"|yep|and|but|so|ok|okay|well"
    r"|yay|omg|oh|yes|finally|just|also|actually|today|yesterday"
    r"|i|we|i'?ve|we'?ve|i'?m|im"
    r"|we'?re|am|are|have|had to|had|have|finally|only|recently|officially|totally|now|that'?s me|me)\s+)*"
)
_DETERMINER = r"(?:(?:the|my|our|all(?: the| my)?|that|this)\s+)?"
_WORD = r"[\w&+-]+(?:['’](?!s\b)\w+)?"
_THING = rf"{_DETERMINER}(?P<x>{_WORD}(?:\s+{_WORD}){{0,4}}?)"
_NAME = r"(?P<x>[\w'’-]+)"
_ANYMORE = r"(?:\s+anymore|\s+any ?more|\s+any longer|\s+these days)?$"
_SUBJECT = r"^(?P<who>(?:my |our )?\w+)(?:['’]?s| has| is| had)?(?: just| finally| already)* "
_AUXILIARY = r"(?:['’]?s|\s+is|\s+are|\s+was|\s+were|\s+has|\s+have|\s+has been|\s+have been|\s+got|\s+just)?"
_ADVERBS = r"(?:\s+(?:finally|all|officially|totally|now|completely|already|been|just|is|got))*"
_ENDED = (
    "over|gone|off|done|finished|healed(?: up)?|cured|cleared up|paid off|sold|scrapped|went away|called off|expired"
)
_SEPARATED = (
    r"broke up|split(?: up)?|separated|divorced|are divorced|have separated|have split(?: up)?|(?:are|have) broken up"
)
_FORMS_BY_TOPIC = {
    "@have {x}": (
        (
            rf"{_LEAD_IN}(?:sold|swapped|binned|chucked|totall?ed"
            r"|scrapped|wrecked|crashed|donated|pawned|gave away|given away"
            rf"|traded in|rehomed|got rid of|replaced)\s+{_THING}(?:\s+(?:with|for|to)\s.*)?$"
        ),
        (
            r"^(?:someone|somebody|they|thieves|some \w+)\s+(?:stole|nicked|pinched|robbed)\s+(?:my"
            r"|our)\s+(?P<x>\w+(?: \w+)?)$"
        ),
        (
            r"^(?:my|our)\s+(?P<x>\w+(?: \w+)?)\s+(?:was|got|has been|is|been)\s+(?:stolen|nicked"
            r"|scrapped|totall?ed|pinched)$"
        ),
        r"^(?:my|our|the)\s+(?P<x>\w+)\s+(?:died|broke|packed up) for good$",
        (
            r"^(?P<x>goldfish|hamster|budgie|guinea pig)\s+died$|^(?:my|our)\s+(?P<x2>\w+(?: \w+)?)"
            r"\s+(?:died|passed away)$"
        ),
    ),
    "@activity {x}": (
        (
            rf"{_LEAD_IN}(?:finished|completed|done with|through with|finally beat|got through|stopped"
            r"|dropped|quit|gave up on|given up on|gave up|given up|ditched|kicked|bailed on|packed in)"
            r"\s+(?:with\s+)?(?:(?:reading|watching|playing|knitting|taking|writing|doing|making"
            rf"|learning)\s+)?{_THING}$"
        ),
        (
            r"^(?P<who>(?:my |our )?\w+)\s+(?:finished|completed|quit|gave up|dropped|stopped)"
            r"\s+(?:(?:the|his|her|their)\s+)?(?P<x>\w+(?: \w+)?)$"
        ),
        (
            rf"{_LEAD_IN}(?:cancelled|canceled|axed|binned|ditched|unsubscribed from|deleted|came off|come off|went off"
            rf"|off(?! work| school| to\b| for\b))\s+{_THING}$"
        ),
        (
            r"^(?:the|my|our) (?P<x>band|choir|team|club|book club|group) (?:split up|broke up|disbanded"
            r"|folded|is no more)$"
        ),
    ),
    "@subscription {x}": (
        (
            rf"{_LEAD_IN}(?:cancelled|canceled)\s+{_DETERMINER}(?P<x>\w+(?: \w+)?) (?:membership|subscription"
            r"|account|plan)$"
        ),
        (
            r"^(?:my |our |the )?(?P<x>\w+(?: \w+)?) (?:membership|subscription|account) (?:ran out"
            r"|expired|ended|lapsed)"
        ),
    ),
    "@thing {x}": (
        rf"{_LEAD_IN}no more\s+{_THING}$",
        rf"^{_THING}{_AUXILIARY}{_ADVERBS}\s+(?:{_ENDED})$",
        rf"^{_THING}\s+done$",
        rf"{_SUBJECT[:-1]}(?P<x>\w+) (?:came off|is off|is gone|healed)$",
        rf"{_LEAD_IN}tested negative for\s+{_THING}$",
        rf"{_LEAD_IN}(?:over|recovered from|rid of|kicked|shook off)\s+{_THING}$",
        rf"{_LEAD_IN}got\s+(?:my|the)\s+(?P<x>\w+)\s+off$",
        rf"{_LEAD_IN}(?:paid off|cleared|settled)\s+{_THING}$",
        (
            rf"{_LEAD_IN}(?:no longer|not)\s+(?P<x>(?:\w+ing|vegan|vegetarian|on|in|at|with)\b.*?)"
            r"\s+(?:anymore|any more|any longer)$"
        ),
        rf"{_LEAD_IN}no longer\s+(?P<x>(?:\w+ing|vegan|vegetarian|on|in)\b.*)$",
        rf"{_LEAD_IN}not\s+(?P<x>\w+) (?:anymore|any more|any longer)$",
        rf"{_LEAD_IN}(?:dont|don['’]t|do not)\s+(?P<x>\w+.*?)\s+(?:anymore|any more|any longer|these days)$",
        r"^(?:today|yesterday|\w+day) was my last day (?:at|in|with) (?P<x>.+)$",
    ),
    "@likes {x}": (
        (
            rf"{_LEAD_IN}(?:can['’]?t|cannot) (?:stand|bear|abide)\s+{_THING}\s+(?:anymore|any more"
            r"|any longer|now)$"
        ),
    ),
    "@job {x}": (
        (
            rf"{_LEAD_IN}(?:got |was |were |been |got myself )?(?:fired|sacked|laid off|let go"
            rf"|made redundant) (?:from|by|at) {_THING}$"
        ),
        rf"^{_THING} (?:laid me off|fired me|sacked me|let me go|made me redundant)$",
        rf"{_LEAD_IN}(?:packed|jacked) it in at {_THING}$",
        rf"^they (?:let me go|laid me off|fired me|sacked me) from {_THING}$",
        rf"{_LEAD_IN}(?:quit|left|resigned from|retired from) {_THING}$",
    ),
    "@job": (
        rf"{_LEAD_IN}(?:got |was |were |been )?(?:fired|sacked|laid off|made redundant)$",
        r"^they (?:let me go|laid me off|fired me|sacked me)$",
        r"^(?P<who>(?:my |our )?\w+) (?:has |just |finally )*retired$",
    ),
    "@school": (
        rf"{_LEAD_IN}graduated$",
        rf"{_LEAD_IN}dropped out(?: of (?:uni|university|college|school|law school))?$",
        r"^(?P<who>(?:my |our )?\w+) (?:has |just |finally )*graduated$",
    ),
    "@partner {x}": (
        (
            rf"{_LEAD_IN}(?:dumped|broke up with|split (?:up )?with|divorced|separated from|finished with"
            rf"|ended things with) {_NAME}$"
        ),
        (
            rf"^(?:me and )?{_NAME} (?:and (?:i|me) )(?:are|were|have been) (?:over|done|finished|through"
            r"|no more|history|exes)$"
        ),
        rf"^things with {_NAME} (?:fizzled out|ended|are over|didn't work out)$",
        rf"^(?:it'?s over (?:with|between me and)|over with) {_NAME}$",
        rf"^{_NAME} (?:dumped me|left me|divorced me|broke up with me|ended it|called it off)$",
        rf"^(?:me and )?{_NAME} (?:and (?:i|me) )?(?:{_SEPARATED})$",
        rf"^(?:i and |me and )?{_NAME} (?:and (?:i|me) )?(?:aren['’]?t|are not|are no longer) together$",
        rf"^(?:the |my |our )?divorce from {_NAME} (?:is final|came through|went through|is done)$",
    ),
    "@partner": (
        r"^(?:(?:i'?m|im|newly|back to being|being|so|and) )*single(?: life)? again$",
        r"^(?:the |my |our )?divorce (?:is final|came through|went through)$",
        rf"{_LEAD_IN}got divorced$",
    ),
    "@single": (
        rf"{_LEAD_IN}(?:got |have )(?:a |an )?(?:new )?(?:boyfriend|girlfriend|bf|gf|partner)$",
        rf"{_LEAD_IN}got (?:engaged|married)$",
        rf"{_LEAD_IN}(?:seeing|dating|going out with) (?:someone|somebody|a guy|a girl)\b.*$",
        rf"{_LEAD_IN}(?:not|no longer) single\b.*$",
    ),
    "@pregnant": (
        r"^(?:the |our |my )?bab(?:y|ies)(?:['’]?s| is| are| has)? (?:finally )?(?:here|born|out|arrived)",
        rf"{_LEAD_IN}gave birth",
        (
            r"^(?P<who>(?:my |our )?\w+) (?:gave birth|had (?:a|the|her|twin) ?(?:little |baby "
            r"|tiny )*(?:girl|boy|baby|girls|boys|twins|son|daughter))"
        ),
        rf"{_LEAD_IN}had (?:a|our|the) (?:little |baby |tiny )*(?:girl|boy|baby|son|daughter)$",
    ),
    "@live {x}": (rf"{_LEAD_IN}moved out of {_DETERMINER}(?P<x>\w+)['’]?s?['’]? (?:place|house|flat|basement|home)$",),
    "@housemate": (rf"{_SUBJECT}(?:moved (?:out|away|back)|went back|gone back|left for good)(?: to .*)?$",),
    "@visit": (rf"{_SUBJECT}(?:went home|gone home|flew home|flown home|went back|left|gone)(?: to .*)?$",),
    "@pet {x}": (
        rf"{_LEAD_IN}(?:put|have) {_NAME} (?:to sleep|down)$",
        rf"{_LEAD_IN}(?:rehomed|lost) {_NAME}$",
        rf"{_LEAD_IN}(?:gave|given) {_NAME} (?:away|to .*)$",
        (
            rf"^{_NAME} (?:went to|has gone to|lives with) (?:a |his |her |their )?new (?:home|family"
            r"|owners?).*$"
        ),
        rf"^{_NAME} (?:is|has) (?:gone|crossed the rainbow bridge)$",
    ),
    "@seek {x}": (rf"{_LEAD_IN}found {_DETERMINER}(?:a |an )?(?:new )?(?P<x>\w+)(?: (?:in|at|near|on) .*)?$",),
    "@value {x}": (rf"{_LEAD_IN}(?:got|have) a new {_NAME}$",),
    "~{x}": (
        rf"{_LEAD_IN}back (?:home )?from {_THING}$",
        rf"{_LEAD_IN}(?:pushed|moved|postponed) {_THING} (?:to|until|till) .*$",
    ),
    "~{x} ": (
        (
            rf"^{_THING}{_AUXILIARY}{_ADVERBS}\s+(?:{_ENDED}|postponed|pushed|cancelled|canceled|scrapped"
            r"|rescheduled|bumped)(?: back)?(?: (?:to|until|till) .*)?$"
        ),
        rf"^{_THING}\s+done$",
        (
            rf"^{_THING} (?:went (?:fine|ok|okay|well|great|badly|brilliantly|horribly|terribly)"
            r"|fell through|was (?:amazing|great|fun|lovely|a disaster|brilliant))$"
        ),
        (
            rf"{_LEAD_IN}(?:handed in|turned in|sent off|submitted|passed|failed|aced|nailed|sat|survived"
            rf"|finished|called off|cancelled|canceled|skipped|missed|ran) {_THING}$"
        ),
    ),
    "~exam": (rf"{_LEAD_IN}(?:passed|failed|aced it|nailed it)$",),
    "~test": (rf"{_LEAD_IN}(?:passed|failed|aced it|nailed it)$",),
    "@home {x}": (rf"{_LEAD_IN}(?:left|moved out of|moved away from|moved out from) {_THING}$",),
    "@membership {x}": (
        rf"{_LEAD_IN}(?:left|quit|dropped|resigned from|out of|stepped down from) {_THING}$",
        rf"{_LEAD_IN}not (?:in|on|at|with) {_THING} (?:anymore|any more|any longer)$",
    ),
    "~move": (rf"{_LEAD_IN}(?:staying put|not moving)(?: after all)?{_ANYMORE}",),
    **dict.fromkeys(
        ("missing", "~fly", "~come", "~arrive", "~visit"),
        (
            (
                rf"{_SUBJECT[:-1]}(?:['’]?s| is| came| got| has| made it)? ?(?:back|home|safe|here|landed"
                r"|arrived)(?: safe| safely)?$"
            ),
        ),
    ),
}
_PHRASES = tuple((topic, re.compile(form, re.IGNORECASE)) for topic, forms in _FORMS_BY_TOPIC.items() for form in forms)
_DIETS_WITHOUT = {
    "meat": ("vegan", "vegetarian"),
    "fish": ("vegan", "vegetarian"),
    "dairy": ("vegan",),
    "cheese": ("vegan",),
    "eggs": ("vegan",),
}
_EATS_AGAIN = re.compile(rf"{_LEAD_IN}(?:eating|eat|back to eating|back on) (?P<x>\w+) again", re.IGNORECASE)
_GAVE_IT_AWAY = re.compile(
    rf"{_LEAD_IN}(?:(?:sold|scrapped|donated|pawned|replaced|rehomed) (?:it|her|him|them)"
    r"|(?:gave|given) (?:it|her|him|them) (?:away|to))\b",
    re.IGNORECASE,
)
_NOT_THINGS = frozenset(
    [
        *(
            "work",
            "school",
            "uni",
            "home",
            "bed",
            "job",
            "notice",
            "here",
            "there",
            "what",
            "and",
            "more",
            "less",
            "to",
        ),
        *("it", "that", "this", "them", "him", "her", "me", "us", "you", "i", "we", "they", "he", "she"),
        *("everything", "something", "anything", "one"),
    ]
)
_NOT_FIRST = _NOT_THINGS - {"work"}
_PART_OF_THING = re.compile(
    r"\b(?:chapter|episode|half|level|page|part|bit|bits|piece|some|rest|of|cleaning|booking|packing|revising|by|dinner"
    r"|lunch|breakfast|tea|match|meeting|shift|class|his|their|your|\w+['’]s)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class EndingPhrase:
    """The topics that one phrase ends."""

    topics: tuple[str, ...]
    who: str | None
    """The person it is about, as written; None for the speaker."""
    thing: str | None
    span: tuple[int, int]
    """Offsets of the phrase in the text."""


def is_not_final(text: str) -> bool:
    """Return whether the text is about one occasion, a wish or a thought, so that nothing ends for good."""
    return bool(_NOT_FINAL.search(text))


def ending_phrases(text: str, before: str = "") -> Iterator[EndingPhrase]:
    """Yield the endings that a sentence states, in order; questions and quotations give none.

    Args:
        text: The sentence.
        before: The message up to the sentence, to resolve `it` in `sold it`.
    """
    for start, end in statement_parts(text):
        part = text[start:end]
        if not is_not_final(part):
            yield from _endings_in_part(part, start)
            gave_away = _GAVE_IT_AWAY.match(part.strip())
            topics = _earlier_words(before + text[:start]) if gave_away is not None else ()
            if topics:
                yield EndingPhrase(topics, None, None, (start, end))


def statement_parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of a sentence's parts, split at commas, dashes and conjunctions.

    Questions, conditions and quotations give none.
    """
    if text.rstrip("'’) ").endswith("?") or re.search(r"\bif\b|[\"“”]", text, re.IGNORECASE):
        return
    start = 0
    for cut in (*_PART_BOUNDARY.finditer(text), None):
        end = cut.start() if cut is not None else len(text)
        if text[start:end].strip():
            yield start, end
        start = cut.end() if cut is not None else end


def _endings_in_part(part: str, offset: int) -> Iterator[EndingPhrase]:
    lead = len(part) - len(part.lstrip())
    words = part.strip()
    span = (offset + lead, offset + lead + len(words))
    eating = _EATS_AGAIN.match(words)
    if eating is not None and eating["x"].lower() in _DIETS_WITHOUT:
        yield EndingPhrase(_DIETS_WITHOUT[eating["x"].lower()], None, eating["x"], span)
    forms = _trimmed_forms(words)
    for topic, pattern in _PHRASES:
        for form in forms:
            found = pattern.match(form)
            if found is None:
                continue
            groups = found.groupdict()
            thing = groups.get("x") or groups.get("x2")
            if "{x}" in topic and (thing is None or not _is_thing(thing)):
                continue
            who = groups.get("who")
            if who is not None and who.lower() in _NOT_THINGS - {"he", "she"}:
                continue
            yield EndingPhrase((topic.strip().replace("{x}", (thing or "").lower()),), who, thing, span)
            break


def _earlier_words(text: str) -> tuple[str, ...]:
    """Return a topic for each earlier word that `it`, `her`, `him` or `them` may refer to."""
    words = dict.fromkeys(re.findall(r"[^\W\d_]{3,}", text.lower()))
    return tuple(f"@have {word}" for word in words)


def _trimmed_forms(words: str) -> list[str]:
    """Return the words with and without trailing time phrases, shortest first."""
    forms = [words]
    while (shorter := _TRAILING_TIME.sub("", forms[-1])) != forms[-1] and shorter:
        forms.append(shorter)
    return forms[::-1]


def _is_thing(thing: str) -> bool:
    return (
        thing.lower() not in _NOT_THINGS
        and thing.lower().split()[0] not in _NOT_FIRST
        and not _PART_OF_THING.search(thing)
    )
