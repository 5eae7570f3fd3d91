import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.providers.structured.lenient_json import NotJson, Truncated, decode

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(st.lists(values, max_size=4), st.booleans())
def test_valid_json_is_parsed_as_json(value: list[Any], ascii_only: bool) -> None:  # noqa: FBT001  # drawn by Hypothesis
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert decode(text) == (value, len(text))


@given(st.lists(values, max_size=4), st.data())
def test_prefix_of_json_is_truncated(value: list[Any], data: st.DataObject) -> None:
    text = json.dumps(value)
    with pytest.raises(Truncated):
        decode(text[: data.draw(st.integers(0, len(text) - 1))])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1,]", [1]),
        ("{'a': 'it\\'s'}", {"a": "it's"}),
        ("{'a': 'say \"hi\"'}", {"a": 'say "hi"'}),
        ("{a: True, b: None, c: -Infinity, $d: NaN}", {"a": True, "b": None, "c": None, "$d": None}),
        ('["a\nb\tc"]', ["a\nb\tc"]),
        (r'["\d \u00e9 \\"]', ["\\d é \\"]),
        ("[ // one\n 1, /* two */ 2]", [1, 2]),
        ("{}", {}),
    ],
)
def test_common_deviations_are_accepted(text: str, value: object) -> None:
    assert decode(text)[0] == value


@pytest.mark.parametrize("text", ["{name, age}", "[see above]", "[1 2]", "{1: 2}", r'["\u12"]', "[" * 200, "[1.2.3]"])
def test_text_that_is_not_json_is_rejected(text: str) -> None:
    with pytest.raises(NotJson) as caught:
        decode(text)
    assert not isinstance(caught.value, Truncated)


def test_value_is_parsed_from_an_offset() -> None:
    assert decode("see [1] and", 4) == ([1], 7)
