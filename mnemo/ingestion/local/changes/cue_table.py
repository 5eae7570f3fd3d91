"""Patterns that end facts, each with the kinds of facts it ends and where the ended thing is named.

See `mnemo.ingestion.resolution.topics` for the kinds.
"""

from typing import TypeAlias

__all__ = ["BARE_CUES", "CUES", "EITHER", "OBJECT", "SUBJECT"]

_GONE = (
    r"gone(?! (?:to|for|back|out|off|on|in|into|up|down|through|well|badly|wrong|viral|mad|mental|crazy|quiet|over)\b)"
)
_IS = r"(?:is|are|was|were|has|have|'s|s|all|finally|now|just)"
_OBJECT_PRONOUN = r"(?:me|us|him|her|them)"
_ANYMORE = r"\b(?:anymore|any more|any longer)\b"
OBJECT, SUBJECT, EITHER = "object", "subject", "any"
"""Where the ended thing is named: sold the bike, the bike got nicked, Acme let me go.

A group `thing` in the pattern is searched too.
"""
Cue: TypeAlias = tuple[str, str, str]
"""Kinds of facts, separated by spaces; the side of the thing; the pattern."""
CUES: tuple[Cue, ...] = (
    # Things that are sold, given away or stolen.
    (
        "have pet",
        OBJECT,
        (
            r"\b(?:sold|rehomed|binned|chucked out|totall?ed|wrote off|donated|pawned|traded in|got rid of)\b"
            r"(?! (?:out|all|some|a lot|loads|\d|every|tickets|well)\b)"
        ),
    ),
    ("have pet", OBJECT, r"\b(?:gave|given|giving) (?:away )?(?:my|our|the)\b(?P<thing>.{1,40})\b(?:to|away)\b"),
    ("have pet", OBJECT, r"\b(?:found|got) (?=\w+ a new (?:home|owner|family)\b)"),
    (
        "have pet",
        SUBJECT,
        r"\b(?:got|been|was|were|is) (?:nicked|stolen|pinched|repossessed|written off|scrapped|sold|rehomed)\b",
    ),
    ("have pet", SUBJECT, r"\b(?:belongs?|belonged) to (?:someone|somebody|another|a new|them|him|her)\b"),
    ("have pet", SUBJECT, r"\bhas (?:\w+ )?a new (?:home|owner|family)\b"),
    ("have pet", SUBJECT, rf"\b{_IS} (?:\w+ )?{_GONE}"),
    # Jobs.
    ("job activity membership", OBJECT, r"\b(?:last|final) (?:day|shift|week) (?:at|with|in|for|as)\b"),
    (
        "job activity membership",
        EITHER,
        r"\b(?:handed|gave|put|turned) in my (?:notice|keys|badge|resignation|laptop|pass|apron|uniform)\b",
    ),
    ("job activity membership", OBJECT, r"\b(?:stepped|stepping|stood) down(?: as)?\b|\bresigned(?: as| from)?\b"),
    (
        "job",
        EITHER,
        (
            rf"\b(?:lets? {_OBJECT_PRONOUN} go|laid {_OBJECT_PRONOUN} off|(?:fired|sacked) {_OBJECT_PRONOUN}"
            rf"|made {_OBJECT_PRONOUN} redundant)\b"
        ),
    ),
    ("job", EITHER, r"\b(?:got|was|were|been) (?:fired|sacked|laid off|let go|made redundant)\b"),
    # Habits, classes, clubs, subscriptions.
    (
        "job activity membership subscription school",
        OBJECT,
        (
            r"\b(?:quit|stopped|packed in|jacked in|gave up|given up|dropped out of|dropped|ditched|bailed on)\b"
            r"(?! (?:by|in|on|off|round|my|me|us|him|her|them|it|at|for)\b)"
        ),
    ),
    ("job activity membership subscription school", OBJECT, r"\b(?:got|get|came) out of the\b"),
    ("activity membership subscription thing", OBJECT, r"\bno more\b(?! than\b| of\b| room| time| money)"),
    (
        "activity membership subscription thing partner",
        EITHER,
        rf"\b(?:not|\w+n'?t|never|no)\b(?P<thing>.{{0,40}}){_ANYMORE}",
    ),
    ("activity membership subscription thing", OBJECT, r"\bno longer\b"),
    ("activity", OBJECT, r"\b(?:haven't|havent|hasn't|have not|has not)\b(?= \w+.{0,30} since\b)"),
    (
        "activity school",
        OBJECT,
        (
            r"\b(?:finished|completed|graduated from|done with|through with|got to the end of)\b"
            r"(?! (?:work|school|for|at|early|late)\b)"
        ),
    ),
    (
        "job activity membership",
        EITHER,
        r"\b(?:last|final) (?:rehearsal|session|lesson|class|practice|training|appointment|gig)\b",
    ),
    ("subscription activity", OBJECT, r"\b(?:cancelled|canceled|unsubscribed from|uninstalled|deleted)\b"),
    ("activity", OBJECT, r"\bused to(?= \w+)\b(?! (?:it|that|this|the|my|being|having)\b)"),
    ("activity job", OBJECT, r"\b(?:switched|moved|changed)\b.{0,30}\bfrom\b"),
    # Illness and medicine.
    ("health", OBJECT, r"\b(?:recovered from|shaken(?: off)?|shook off|kicked|beaten|beat|got over|cured of|over)\b"),
    ("health", SUBJECT, r"\b(?:fine|better|okay|ok|normal|right) again\b|\bgood as new\b|\bback to normal\b"),
    ("health", SUBJECT, r"\b(?:healed|cleared up|went away|subsided|in remission)\b"),
    ("health", SUBJECT, rf"\b(?:came|come|comes|{_IS}) off\b(?! (?:to|for|work|school|sick)\b)"),
    ("health medicine", OBJECT, r"\b(?:took|taken|had|finished) the last of\b|\b(?:came|come|been|i'm|im) off\b"),
    # Anything that ends by itself.
    (
        "thing",
        SUBJECT,
        (
            rf"\b{_IS} (?:\w+ )?(?:over|{_GONE}|finished|history|called off|cancelled|canceled|paid off)\b"
            r"|\b(?:(?:ran|run) out(?! of\b)|expired|lapsed|came to an end|wound up|ended|fell through)\b"
        ),
    ),
    # People and pets.
    (
        "partner",
        EITHER,
        (
            r"\b(?:broke|broken|breaking) up\b|\b(?:dumped|divorced|separated|ended things|ended it)\b"
            r"|\b(?:aren't|arent|are not|are no longer|not)"
            r" (?:a thing|together|an item|a couple|seeing each other)\b"
            r"|\bcalled off (?:the|our|my) (?:engagement|wedding)\b|\bsplit(?: up)?\b(?! the| a| my| it)"
        ),
    ),
    (
        "pet",
        SUBJECT,
        r"\b(?:died|passed away|put down|put to sleep|didn't wake up|didnt wake up|crossed the rainbow)\b",
    ),
    ("pet", OBJECT, r"\b(?:put down|put|had to say goodbye to)\b"),
    # Homes and visitors.
    ("home rent", OBJECT, r"\b(?:moved out of|sold (?:the|our|my)|(?:gave|handed|returned)\b.{0,15}\bkeys)\b"),
    (
        "home rent",
        EITHER,
        r"\b(?:lease|tenancy)\b(?P<thing>.{0,30})\b(?:ran out|ended|expired|is up|was up|over|finished)\b",
    ),
)
BARE_CUES: tuple[tuple[str, str], ...] = (
    (
        "@pregnant",
        (
            r"\b(?:daughter|son|baby|boy|girl|twins|babies)\b.{0,20}"
            r"\b(?:arrived|(?:was|were) born|is here|came)\b"
            r"|\bgave birth\b"
        ),
    ),
    ("@housemate", r"\bmoved (?:out|away|back)\b"),
    ("@visit", r"\b(?:flown|gone|went|flew|headed|drove|driven) (?:back )?home\b"),
    ("@job", r"\bretired\b(?! (?:teacher|nurse|doctor|police))"),
    ("~move", r"\bstaying (?:in|put|here|where)\b|\bnot moving\b|\bchange of plans?\b"),
    ("@hospital", r"\b(?:out of hospital|home from (?:the )?hospital|discharged)\b|\blets? .{1,20} (?:come|go) home\b"),
)
"""Cues without a thing: the topic that ends, and the pattern."""
