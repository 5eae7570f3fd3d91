import pytest

from mnemo.errors import GroupError
from mnemo.models.group import MAX_GROUP_CHARS, checked_group, text_key


@pytest.mark.parametrize("group", ["*", "' OR 1=1", "ana", "ana/benches", "日本", "👩‍👧 home", "x" * MAX_GROUP_CHARS])
def test_group_names_are_literal(group: str) -> None:
    assert checked_group(group) == group


@pytest.mark.parametrize(
    ("group", "message"),
    [
        (None, "must be a string, got NoneType"),
        (7, "must be a string, got int"),
        ("", "must not be empty"),
        (" ana", "have blanks at its ends"),
        ("ana\n", "have blanks at its ends"),
        ("\u200b", "at least one visible character"),
        ("\u200b\u2060\u0301", "at least one visible character"),
        ("a\x00b", "control characters"),
        ("a\ud800b", "control characters"),
        ("x" * (MAX_GROUP_CHARS + 1), "at most 200 characters, got 201"),
    ],
)
def test_an_invalid_name_is_refused(group: object, message: str) -> None:
    with pytest.raises(GroupError, match=message):
        checked_group(group)


def test_the_key_of_a_text_has_24_digits() -> None:
    assert (len(text_key("ana")), text_key("ana").isdecimal()) == (24, True)
    assert text_key("ana") != text_key("an")
