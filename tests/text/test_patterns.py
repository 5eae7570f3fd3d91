"""Patterns that are compiled when they are first used."""

import re

import pytest

from mnemo.text.patterns import lazy_pattern


def test_lazy_pattern_behaves_as_a_compiled_one() -> None:
    found = lazy_pattern(r"(?P<word>b\w+)", re.IGNORECASE)
    match = found.search("a Bee")
    assert match is not None
    assert match["word"] == "Bee"
    assert [each[0] for each in found.finditer("be, by")] == ["be", "by"]
    assert found.sub("-", "a bee") == "a -"
    assert (found.pattern, found.flags & re.IGNORECASE) == (r"(?P<word>b\w+)", re.IGNORECASE)


def test_pattern_is_compiled_at_its_first_use() -> None:
    broken = lazy_pattern("(")
    with pytest.raises(re.error, match="unterminated"):
        broken.search("x")
