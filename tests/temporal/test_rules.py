"""Every rule can be reached: its triggers are in every match, and it decides at least one case."""

import re
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemo.temporal.grammar import Found, Rule, Scene, tokens
from mnemo.temporal.rules import INDEX, RULES
from support.paths import CASES

LINES = [
    line
    for line in (CASES / "temporal.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
TEXTS = [line.split("|")[0].replace("[", "").replace("]", "").strip() for line in LINES]
ALPHABET = st.characters(max_codepoint=0xD7A3, exclude_characters="\u0131\u0130\u017f\u212a", exclude_categories=("Cs",))
IDS = [f"{place} {rule.pattern.pattern[:60]}" for place, rule in enumerate(RULES)]


@pytest.mark.parametrize("rule", RULES, ids=IDS)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(data=st.data())
def test_every_match_of_a_rule_has_one_of_its_triggers(rule: Rule, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(rule.pattern, alphabet=ALPHABET))
    assert rule.triggers & tokens(text)
    assert rule in INDEX.candidates(text)


def scenes() -> Iterator[Scene]:
    for text in TEXTS:
        yield Scene(text, datetime(2023, 5, 8, 13, 56), south=False, month_first=False)  # noqa: DTZ001  # local


def winners(scene: Scene) -> Iterator[int]:
    """Yield the places of the rules whose finds are the leftmost and longest in a text."""
    found = [(one, RULES.index(rule)) for rule in INDEX.candidates(scene.text) for one in rule.finds(scene)]
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
    rule = Rule(re.compile("soon"), lambda match, _: Found(*match.span()), frozenset(("later",)))
    assert not rule.triggers & tokens("See you soon")


def test_digits_and_east_asian_signs_are_tokens_of_their_own() -> None:
    assert tokens("Room 12b, l'été, 昨日 OK") == {"room", "#", "b", "l", "été", "昨", "日", "ok"}
