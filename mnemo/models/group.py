"""The group: whose memory it is. Checked once, at every way in."""

import hashlib
import unicodedata

from mnemo.errors import GroupError

__all__ = ["MAX_GROUP_CHARS", "checked_group", "text_key"]

MAX_GROUP_CHARS = 200


def checked_group(group: object) -> str:
    """Return the group as it is stored, or refuse it.

    A group is taken literally: `*` or `' OR 1=1` name a group of that name and no other.

    Raises:
        GroupError: It is no string, empty, blank at an end, over `MAX_GROUP_CHARS` characters, has nothing to
            be seen, or has control, surrogate or unassigned characters.
    """
    if not isinstance(group, str):
        message = f"wanted a group name as a string, got {type(group).__name__}"
        raise GroupError(message)
    if not group or group != group.strip():
        message = "wanted a group name with no blanks at its ends and at least one character"
        raise GroupError(message)
    if len(group) > MAX_GROUP_CHARS:
        message = f"wanted a group name of at most {MAX_GROUP_CHARS} characters, got {len(group)}"
        raise GroupError(message)
    if all(unicodedata.category(character).startswith(("C", "M", "Z")) for character in group):
        message = "wanted a group name with at least one character that can be seen"
        raise GroupError(message)
    if any(unicodedata.category(character) in {"Cc", "Cs", "Cn"} for character in group):
        message = "wanted a group name without control characters"
        raise GroupError(message)
    return group


def text_key(text: str) -> str:
    """Return one token that stands for any text in a full-text index: 24 decimal digits.

    Digits only, so that no analyzer splits, stems or drops it. Source: the first 80 bits of SHA-256.
    """
    return f"{int.from_bytes(hashlib.sha256(text.encode()).digest()[:10], 'big'):024d}"
