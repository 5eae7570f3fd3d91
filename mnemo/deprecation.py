"""Former names that still work: each use warns once a place, by the usual `DeprecationWarning`."""

import warnings

__all__ = ["FormerNameWarning", "warn_former_name"]


class FormerNameWarning(DeprecationWarning):
    """A former name was used; the message names the present one. The command line prints it as a notice."""


def warn_former_name(former: str, present: str, *, stacklevel: int = 3) -> None:
    """Warn that a name has changed.

    Args:
        former: The name that was used, as the caller wrote it.
        present: The name to use instead.
        stacklevel: As for `warnings.warn`; 3 is the caller of the function that calls this one.
    """
    warnings.warn(f"{former} is now {present}; the former name will go", FormerNameWarning, stacklevel=stacklevel)
