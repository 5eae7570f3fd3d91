"""Checks of values that callers give: the same for every verb of the SDK, the command line and the server. Pure."""

from datetime import UTC, datetime

from mnemo.characters import half_character
from mnemo.errors import ArgumentError

__all__ = ["check_moment", "check_text"]


def check_text(name: str, value: object) -> None:
    """Check that a value is text that can be stored.

    Raises:
        ArgumentError: It is no string, or has half of a character.
    """
    if not isinstance(value, str):
        message = f"{name} must be a string, got {value!r}"
        raise ArgumentError(message)
    offset = half_character(value)
    if offset is not None:
        message = f"{name} must be valid Unicode, got half of a character (a lone surrogate) at character {offset + 1}"
        raise ArgumentError(message)


def check_moment(name: str, value: object) -> None:
    """Check that a value is a datetime with a zone, within the years that UTC can express.

    Raises:
        ArgumentError: It is not.
    """
    if not isinstance(value, datetime):
        message = f"{name} must be a datetime with a zone, got {value!r}"
        raise ArgumentError(message)
    if value.tzinfo is None:
        message = f"{name} must have a zone, got {value.isoformat()}"
        raise ArgumentError(message)
    try:
        value.astimezone(UTC)
    except OverflowError:
        message = f"{name} must be between the years 1 and 9999 in UTC, got {value.isoformat()}"
        raise ArgumentError(message) from None
