"""Group names: checked once, at every entry point."""

import hashlib
import unicodedata

from mnemo.errors import GroupError

__all__ = ["MAX_GROUP_CHARS", "checked_group", "text_key"]

MAX_GROUP_CHARS = 200


def checked_group(group: object) -> str:
    """Return a group name if it is valid.

    The name is taken literally: `*` or `' OR 1=1` are names like any other.

    Raises:
        GroupError: The name is not a string, is empty, has blanks at an end, is longer than `MAX_GROUP_CHARS`, has no
            visible character, or has control, surrogate or unassigned characters.
    """
    if not isinstance(group, str):
        message = f"the group name must be a string, got {type(group).__name__}"
        raise GroupError(message)
    if not group or group != group.strip():
        message = "the group name must not be empty or have blanks at its ends"
        raise GroupError(message)
    if len(group) > MAX_GROUP_CHARS:
        message = f"the group name must have at most {MAX_GROUP_CHARS} characters, got {len(group)}"
        raise GroupError(message)
    if all(unicodedata.category(character).startswith(("C", "M", "Z")) for character in group):
        message = "the group name must have at least one visible character"
        raise GroupError(message)
    if any(unicodedata.category(character) in {"Cc", "Cs", "Cn"} for character in group):
        message = "the group name must not have control characters"
        raise GroupError(message)
    return group


def text_key(text: str) -> str:
    """Return a token for any text in a full-text index: 24 decimal digits.

    Digits only, so that no analyzer splits, stems or drops it. These are the first 80 bits of SHA-256.
    """
    return f"{int.from_bytes(hashlib.sha256(text.encode()).digest()[:10], 'big'):024d}"
