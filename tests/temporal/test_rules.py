"""Every rule is reachable: each match contains one of its triggers, and it decides at least one case."""

import re
from collections.abc import Iterator
from datetime import datetime

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemo.temporal.grammar import Rule, TimeContext, TimeMatch, tokens
from mnemo.temporal.rules.registry import INDEX, RULES
from support.paths import CASES

LINES = [
    line
    for line in (CASES / "temporal.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
TEXTS = [line.split("|")[0].replace("[", "").replace("]", "").strip() for line in LINES]
SIGNS = {sign for rule in RULES for sign in rule.pattern.pattern if not sign.isascii()}
ALPHABET = "".join(sorted(SIGNS | set(map(chr, range(32, 127)))))


def test_every_match_in_the_cases_has_a_trigger_of_its_rule() -> None:
    missed = [
        (rule.pattern.pattern, text)
        for text in TEXTS
        for rule in RULES
        if not rule.triggers & tokens(text) and rule.pattern.search(text)
    ]
    assert missed == []


@settings(max_examples=60, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
@given(rule=st.sampled_from(RULES), data=st.data())
def test_any_match_of_a_rule_has_one_of_its_triggers(rule: Rule, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(re.compile(rule.pattern.pattern, rule.pattern.flags), alphabet=ALPHABET))
    assert rule.triggers & tokens(text)
    assert rule in INDEX.candidates(text)


def scenes() -> Iterator[TimeContext]:
    for text in TEXTS:
        yield TimeContext(text, datetime(2023, 5, 8, 13, 56), south=False, month_first=False)  # noqa: DTZ001  # local


def winners(scene: TimeContext) -> Iterator[int]:
    """Yield the indices of the rules with the leftmost longest match in a text."""
    found = [(one, RULES.index(rule)) for rule in INDEX.candidates(scene.text) for one in rule.matches(scene)]
    end = 0
    for one, place in sorted(found, key=lambda pair: (pair[0].start, -pair[0].end, pair[0].period is not None)):
        if one.start >= end:
            end = one.end
            yield place


def test_every_rule_decides_a_case() -> None:
    used = {place for scene in scenes() for place in winners(scene)}
    unused = [RULES[place].pattern.pattern for place in range(len(RULES)) if place not in used]
    assert unused == []


def test_text_without_a_trigger_tries_no_rule() -> None:
    assert INDEX.candidates("She likes green tea, and so do her cats.") == []


def test_rule_with_a_wrong_trigger_is_never_tried() -> None:
    rule = Rule(re.compile("soon"), lambda match, _: TimeMatch(*match.span()), frozenset(("later",)))
    assert not rule.triggers & tokens("See you soon")


def test_digits_and_east_asian_signs_are_separate_tokens() -> None:
    assert tokens("Room 12b, l'été, 昨日 OK") == {"room", "#", "b", "l", "été", "昨", "日", "ok"}
