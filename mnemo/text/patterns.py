"""Regular expressions that are compiled when they are first used, so that importing them costs nothing."""

import re
from typing import Any, cast

__all__ = ["lazy_pattern"]


class _LazyPattern:
    """Behaves as the compiled pattern."""

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Compile the pattern and keep this attribute of it."""
        found = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, found)
        return found


def lazy_pattern(text: str, flags: int | re.RegexFlag = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled when one of its methods or attributes is first used.

    It is not an instance of `re.Pattern`: call its methods (`lazy.search(text)`), not `re.search(lazy, text)`.

    Args:
        text: The regular expression.
        flags: As for `re.compile`.
    """
    return cast("re.Pattern[str]", _LazyPattern(text, int(flags)))
