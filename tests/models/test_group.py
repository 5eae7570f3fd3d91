import pytest

from mnemo.errors import GroupError
from mnemo.models.group import MAX_GROUP_CHARS, checked_group, text_key


@pytest.mark.parametrize("group", ["*", "' OR 1=1", "ana", "ana/benches", "日本", "👩‍👧 home", "x" * MAX_GROUP_CHARS])
def test_a_group_is_taken_literally(group: str) -> None:
    assert checked_group(group) == group


@pytest.mark.parametrize(
    ("group", "message"),
    [
        (None, "as a string, got NoneType"),
        (7, "as a string, got int"),
        ("", "at least one character"),
        (" ana", "no blanks at its ends"),
        ("ana\n", "no blanks at its ends"),
        ("\u200b", "that can be seen"),
        ("\u200b\u2060\u0301", "that can be seen"),
        ("a\x00b", "control characters"),
        ("a\ud800b", "control characters"),
        ("x" * (MAX_GROUP_CHARS + 1), "at most 200 characters, got 201"),
    ],
)
def test_what_is_no_name_is_refused(group: object, message: str) -> None:
    with pytest.raises(GroupError, match=message):
        checked_group(group)


def test_the_key_of_a_text_is_one_token_of_24_digits() -> None:
    assert (len(text_key("ana")), text_key("ana").isdecimal()) == (24, True)
    assert text_key("ana") != text_key("an")
