"""Set phrases that say that something is over, with or without a verb: `no more gym for me`, `single again`.

They are read from the words alone, since the parser is unsure of lower-case chat. A topic may begin with `@kind`: only
facts of that kind end. See `mnemo.ingestion.resolution.topics`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["EndingPhrase", "ending_phrases", "is_passing", "statement_parts"]

_CUT = re.compile(
    r"[.!?;,:…()\n]+|\s[-–—]+\s|\b(?:and then|but|so|because|cos|since my|which|though|tho)\b", re.IGNORECASE
)
_PASSING = re.compile(
    r"\b(?:early|late|for (?:the|a|an|one|two) (?:day|week|weekend|night|evening|term|afternoon|moment|bit|while|while)"
    r"|for (?:now|today|dinner|lunch|tea)|at (?:noon|midnight|\d\S*|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve)|without (?:my|the|any)|almost|nearly|dreamt|dreamed|in my (?:dream|head)|kidding|joking|pretend"
    r"|wish|imagine|if|should|could|would|might"
    r"|(?<!in )(?<!since )(?<!last )may|never"
    r"|about to|trying|tried|hope|hoping|want|thinking|going to"
    r")\b|\bstopped working\b(?! at| for| in| with)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:today|yesterday|tonight|now|finally|again|already|lol|tbh|haha|btw|for good|for me|for us|at last"
    r"|as of today|last (?:night|week|month|year|\w+day)|on \w+day|this (?:morning|week|month|year)|since .*"
    r"|in (?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"|(?:\w+ )?(?:days|weeks|months|years) ago"
    r"|thank god|too|either|anyway|completely)$|[^\w)]+$",
    re.IGNORECASE,
)
_LEAD = (
    r"^(?:(?:guess who|it'?s|phew|welp|sadly|sad news|good news|update"
    r"|yep|and|but|so|ok|okay|well"
    r"|yay|omg|oh|yes|finally|just|also|actually|today|yesterday"
    r"|i|we|i'?ve|we'?ve|i'?m|im"
    r"|we'?re|am|are|have|had to|had|have|finally|only|recently|officially|totally|now|that'?s me|me)\s+)*"
)
_MINE = r"(?:(?:the|my|our|all(?: the| my)?|that|this)\s+)?"
_WORD = r"[\w&+-]+(?:['’](?!s\b)\w+)?"
_THING = rf"{_MINE}(?P<x>{_WORD}(?:\s+{_WORD}){{0,4}}?)"
_NAME = r"(?P<x>[\w'’-]+)"
_END = r"(?:\s+anymore|\s+any ?more|\s+any longer|\s+these days)?$"
_WHO = r"^(?P<who>(?:my |our )?\w+)(?:['’]?s| has| is| had)?(?: just| finally| already)* "
_IS = r"(?:['’]?s|\s+is|\s+are|\s+was|\s+were|\s+has|\s+have|\s+has been|\s+have been|\s+got|\s+just)?"
_VERY = r"(?:\s+(?:finally|all|officially|totally|now|completely|already|been|just|is|got))*"
_GONE = (
    "over|gone|off|done|finished|healed(?: up)?|cured|cleared up|paid off|sold|scrapped|went away|called off|expired"
)
_PARTED = (
    r"broke up|split(?: up)?|separated|divorced|are divorced|have separated|have split(?: up)?|(?:are|have) broken up"
)
_WORDS = {
    "@have {x}": (
        (
            rf"{_LEAD}(?:sold|swapped|binned|chucked|totall?ed"
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
            rf"{_LEAD}(?:finished|completed|done with|through with|finally beat|got through|stopped"
            r"|dropped|quit|gave up on|given up on|gave up|given up|ditched|kicked|bailed on|packed in)"
            r"\s+(?:with\s+)?(?:(?:reading|watching|playing|knitting|taking|writing|doing|making"
            rf"|learning)\s+)?{_THING}$"
        ),
        (
            r"^(?P<who>(?:my |our )?\w+)\s+(?:finished|completed|quit|gave up|dropped|stopped)"
            r"\s+(?:(?:the|his|her|their)\s+)?(?P<x>\w+(?: \w+)?)$"
        ),
        (
            rf"{_LEAD}(?:cancelled|canceled|axed|binned|ditched|unsubscribed from|deleted|came off|come off|went off"
            rf"|off(?! work| school| to\b| for\b))\s+{_THING}$"
        ),
        (
            r"^(?:the|my|our) (?P<x>band|choir|team|club|book club|group) (?:split up|broke up|disbanded"
            r"|folded|is no more)$"
        ),
    ),
    "@subscription {x}": (
        (
            rf"{_LEAD}(?:cancelled|canceled)\s+{_MINE}(?P<x>\w+(?: \w+)?) (?:membership|subscription"
            r"|account|plan)$"
        ),
        (
            r"^(?:my |our |the )?(?P<x>\w+(?: \w+)?) (?:membership|subscription|account) (?:ran out"
            r"|expired|ended|lapsed)"
        ),
    ),
    "@thing {x}": (
        rf"{_LEAD}no more\s+{_THING}$",
        rf"^{_THING}{_IS}{_VERY}\s+(?:{_GONE})$",
        rf"^{_THING}\s+done$",
        rf"{_WHO[:-1]}(?P<x>\w+) (?:came off|is off|is gone|healed)$",
        rf"{_LEAD}tested negative for\s+{_THING}$",
        rf"{_LEAD}(?:over|recovered from|rid of|kicked|shook off)\s+{_THING}$",
        rf"{_LEAD}got\s+(?:my|the)\s+(?P<x>\w+)\s+off$",
        rf"{_LEAD}(?:paid off|cleared|settled)\s+{_THING}$",
        (
            rf"{_LEAD}(?:no longer|not)\s+(?P<x>(?:\w+ing|vegan|vegetarian|on|in|at|with)\b.*?)"
            r"\s+(?:anymore|any more|any longer)$"
        ),
        rf"{_LEAD}no longer\s+(?P<x>(?:\w+ing|vegan|vegetarian|on|in)\b.*)$",
        rf"{_LEAD}not\s+(?P<x>\w+) (?:anymore|any more|any longer)$",
        rf"{_LEAD}(?:dont|don['’]t|do not)\s+(?P<x>\w+.*?)\s+(?:anymore|any more|any longer|these days)$",
        r"^(?:today|yesterday|\w+day) was my last day (?:at|in|with) (?P<x>.+)$",
    ),
    "@likes {x}": (
        (
            rf"{_LEAD}(?:can['’]?t|cannot) (?:stand|bear|abide)\s+{_THING}\s+(?:anymore|any more"
            r"|any longer|now)$"
        ),
    ),
    "@job {x}": (
        (
            rf"{_LEAD}(?:got |was |were |been |got myself )?(?:fired|sacked|laid off|let go"
            rf"|made redundant) (?:from|by|at) {_THING}$"
        ),
        rf"^{_THING} (?:laid me off|fired me|sacked me|let me go|made me redundant)$",
        rf"{_LEAD}(?:packed|jacked) it in at {_THING}$",
        rf"^they (?:let me go|laid me off|fired me|sacked me) from {_THING}$",
        rf"{_LEAD}(?:quit|left|resigned from|retired from) {_THING}$",
    ),
    "@job": (
        rf"{_LEAD}(?:got |was |were |been )?(?:fired|sacked|laid off|made redundant)$",
        r"^they (?:let me go|laid me off|fired me|sacked me)$",
        r"^(?P<who>(?:my |our )?\w+) (?:has |just |finally )*retired$",
    ),
    "@school": (
        rf"{_LEAD}graduated$",
        rf"{_LEAD}dropped out(?: of (?:uni|university|college|school|law school))?$",
        r"^(?P<who>(?:my |our )?\w+) (?:has |just |finally )*graduated$",
    ),
    "@partner {x}": (
        (
            rf"{_LEAD}(?:dumped|broke up with|split (?:up )?with|divorced|separated from|finished with"
            rf"|ended things with) {_NAME}$"
        ),
        (
            rf"^(?:me and )?{_NAME} (?:and (?:i|me) )(?:are|were|have been) (?:over|done|finished|through"
            r"|no more|history|exes)$"
        ),
        rf"^things with {_NAME} (?:fizzled out|ended|are over|didn't work out)$",
        rf"^(?:it'?s over (?:with|between me and)|over with) {_NAME}$",
        rf"^{_NAME} (?:dumped me|left me|divorced me|broke up with me|ended it|called it off)$",
        rf"^(?:me and )?{_NAME} (?:and (?:i|me) )?(?:{_PARTED})$",
        rf"^(?:i and |me and )?{_NAME} (?:and (?:i|me) )?(?:aren['’]?t|are not|are no longer) together$",
        rf"^(?:the |my |our )?divorce from {_NAME} (?:is final|came through|went through|is done)$",
    ),
    "@partner": (
        r"^(?:(?:i'?m|im|newly|back to being|being|so|and) )*single(?: life)? again$",
        r"^(?:the |my |our )?divorce (?:is final|came through|went through)$",
        rf"{_LEAD}got divorced$",
    ),
    "@single": (
        rf"{_LEAD}(?:got |have )(?:a |an )?(?:new )?(?:boyfriend|girlfriend|bf|gf|partner)$",
        rf"{_LEAD}got (?:engaged|married)$",
        rf"{_LEAD}(?:seeing|dating|going out with) (?:someone|somebody|a guy|a girl)\b.*$",
        rf"{_LEAD}(?:not|no longer) single\b.*$",
    ),
    "@pregnant": (
        r"^(?:the |our |my )?bab(?:y|ies)(?:['’]?s| is| are| has)? (?:finally )?(?:here|born|out|arrived)",
        rf"{_LEAD}gave birth",
        (
            r"^(?P<who>(?:my |our )?\w+) (?:gave birth|had (?:a|the|her|twin) ?(?:little |baby "
            r"|tiny )*(?:girl|boy|baby|girls|boys|twins|son|daughter))"
        ),
        rf"{_LEAD}had (?:a|our|the) (?:little |baby |tiny )*(?:girl|boy|baby|son|daughter)$",
    ),
    "@live {x}": (rf"{_LEAD}moved out of {_MINE}(?P<x>\w+)['’]?s?['’]? (?:place|house|flat|basement|home)$",),
    "@housemate": (rf"{_WHO}(?:moved (?:out|away|back)|went back|gone back|left for good)(?: to .*)?$",),
    "@visit": (rf"{_WHO}(?:went home|gone home|flew home|flown home|went back|left|gone)(?: to .*)?$",),
    "@pet {x}": (
        rf"{_LEAD}(?:put|have) {_NAME} (?:to sleep|down)$",
        rf"{_LEAD}(?:rehomed|lost) {_NAME}$",
        rf"{_LEAD}(?:gave|given) {_NAME} (?:away|to .*)$",
        (
            rf"^{_NAME} (?:went to|has gone to|lives with) (?:a |his |her |their )?new (?:home|family"
            r"|owners?).*$"
        ),
        rf"^{_NAME} (?:is|has) (?:gone|crossed the rainbow bridge)$",
    ),
    "@seek {x}": (rf"{_LEAD}found {_MINE}(?:a |an )?(?:new )?(?P<x>\w+)(?: (?:in|at|near|on) .*)?$",),
    "@value {x}": (rf"{_LEAD}(?:got|have) a new {_NAME}$",),
    "~{x}": (
        rf"{_LEAD}back (?:home )?from {_THING}$",
        rf"{_LEAD}(?:pushed|moved|postponed) {_THING} (?:to|until|till) .*$",
    ),
    "~{x} ": (
        (
            rf"^{_THING}{_IS}{_VERY}\s+(?:{_GONE}|postponed|pushed|cancelled|canceled|scrapped"
            r"|rescheduled|bumped)(?: back)?(?: (?:to|until|till) .*)?$"
        ),
        rf"^{_THING}\s+done$",
        (
            rf"^{_THING} (?:went (?:fine|ok|okay|well|great|badly|brilliantly|horribly|terribly)"
            r"|fell through|was (?:amazing|great|fun|lovely|a disaster|brilliant))$"
        ),
        (
            rf"{_LEAD}(?:handed in|turned in|sent off|submitted|passed|failed|aced|nailed|sat|survived"
            rf"|finished|called off|cancelled|canceled|skipped|missed|ran) {_THING}$"
        ),
    ),
    "~exam": (rf"{_LEAD}(?:passed|failed|aced it|nailed it)$",),
    "~test": (rf"{_LEAD}(?:passed|failed|aced it|nailed it)$",),
    "@home {x}": (rf"{_LEAD}(?:left|moved out of|moved away from|moved out from) {_THING}$",),
    "@membership {x}": (
        rf"{_LEAD}(?:left|quit|dropped|resigned from|out of|stepped down from) {_THING}$",
        rf"{_LEAD}not (?:in|on|at|with) {_THING} (?:anymore|any more|any longer)$",
    ),
    "~move": (rf"{_LEAD}(?:staying put|not moving)(?: after all)?{_END}",),
    **dict.fromkeys(
        ("missing", "~fly", "~come", "~arrive", "~visit"),
        (
            (
                rf"{_WHO[:-1]}(?:['’]?s| is| came| got| has| made it)? ?(?:back|home|safe|here|landed"
                r"|arrived)(?: safe| safely)?$"
            ),
        ),
    ),
}
_PHRASES = tuple((topic, re.compile(form, re.IGNORECASE)) for topic, forms in _WORDS.items() for form in forms)
_DIETS = {
    "meat": ("vegan", "vegetarian"),
    "fish": ("vegan", "vegetarian"),
    "dairy": ("vegan",),
    "cheese": ("vegan",),
    "eggs": ("vegan",),
}
_EATING = re.compile(rf"{_LEAD}(?:eating|eat|back to eating|back on) (?P<x>\w+) again", re.IGNORECASE)
_GIVEN_AWAY = re.compile(
    rf"{_LEAD}(?:(?:sold|scrapped|donated|pawned|replaced|rehomed) (?:it|her|him|them)"
    r"|(?:gave|given) (?:it|her|him|them) (?:away|to))\b",
    re.IGNORECASE,
)
_NO_THING = frozenset(
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
_NO_FIRST = _NO_THING - {"work"}
_PART = re.compile(
    r"\b(?:chapter|episode|half|level|page|part|bit|bits|piece|some|rest|of|cleaning|booking|packing|revising|by|dinner"
    r"|lunch|breakfast|tea|match|meeting|shift|class|his|their|your|\w+['’]s)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class EndingPhrase:
    """What one phrase says is over."""

    topics: tuple[str, ...]
    who: str | None
    """Whom it is about, as written; None for the speaker."""
    thing: str | None
    span: tuple[int, int]
    """Of the phrase in the text."""


def is_passing(text: str) -> bool:
    """Return whether the words are about one occasion, a wish or a thought, so nothing is over for good."""
    return bool(_PASSING.search(text))


def ending_phrases(text: str, before: str = "") -> Iterator[EndingPhrase]:
    """Yield the endings that a sentence states, in order; questions and quotes state none.

    Args:
        text: The sentence.
        before: What the message says before it, for `sold it`.
    """
    for start, end in statement_parts(text):
        part = text[start:end]
        if not is_passing(part):
            yield from _of_part(part, start)
            given = _GIVEN_AWAY.match(part.strip())
            topics = _named_before(before + text[:start]) if given is not None else ()
            if topics:
                yield EndingPhrase(topics, None, None, (start, end))


def statement_parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of a sentence's parts between commas, dashes and conjunctions; none of a question or quote."""
    if text.rstrip("'’) ").endswith("?") or re.search(r"\bif\b|[\"“”]", text, re.IGNORECASE):
        return
    start = 0
    for cut in (*_CUT.finditer(text), None):
        end = cut.start() if cut is not None else len(text)
        if text[start:end].strip():
            yield start, end
        start = cut.end() if cut is not None else end


def _of_part(part: str, offset: int) -> Iterator[EndingPhrase]:
    lead = len(part) - len(part.lstrip())
    words = part.strip()
    span = (offset + lead, offset + lead + len(words))
    eating = _EATING.match(words)
    if eating is not None and eating["x"].lower() in _DIETS:
        yield EndingPhrase(_DIETS[eating["x"].lower()], None, eating["x"], span)
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
            if who is not None and who.lower() in _NO_THING - {"he", "she"}:
                continue
            yield EndingPhrase((topic.strip().replace("{x}", (thing or "").lower()),), who, thing, span)
            break


def _named_before(text: str) -> tuple[str, ...]:
    """Return topics for the earlier words that `it`, `her`, `him` or `them` may refer to."""
    words = dict.fromkeys(re.findall(r"[^\W\d_]{3,}", text.lower()))
    return tuple(f"@have {word}" for word in words)


def _trimmed_forms(words: str) -> list[str]:
    """Return the words with and without the time phrases at their end, shortest first."""
    forms = [words]
    while (shorter := _TAIL.sub("", forms[-1])) != forms[-1] and shorter:
        forms.append(shorter)
    return forms[::-1]


def _is_thing(thing: str) -> bool:
    return thing.lower() not in _NO_THING and thing.lower().split()[0] not in _NO_FIRST and not _PART.search(thing)
