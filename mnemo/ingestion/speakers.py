"""Who speaks in a window, and to whom."""

from collections.abc import Sequence

from mnemo.ingestion.extraction import Window
from mnemo.ingestion.resolution.names import name_key
from mnemo.models.graph import Episode

__all__ = ["addressee_of", "readable", "speaker_of", "speakers_of"]

_UNNAMED = {"user": "User", "assistant": "Assistant"}


def speaker_of(episode: Episode) -> str | None:
    """Return the name of who wrote an episode: `User` or `Assistant` for one without a name, None for documents."""
    name = (episode.speaker or "").strip()
    return name or _UNNAMED.get(episode.role)


def speakers_of(window: Window) -> tuple[str, ...]:
    """Return who speaks in a window and its context, each once, in order, the context's first."""
    names: dict[str, str] = {}
    for episode in (*window.context, *window.episodes):
        name = speaker_of(episode)
        if name is not None:
            names.setdefault(name_key(name), name)
    return tuple(names.values())


def addressee_of(window: Window, place: int) -> str | None:
    """Return whom an episode speaks to: the other one of two, else who spoke last before, in its session.

    Args:
        window: The window that contains it.
        place: Its index in `window.episodes`.
    """
    episode = window.episodes[place]
    own = speaker_of(episode)
    others = [name for name in speakers_of(window) if own is None or name_key(name) != name_key(own)]
    if len(others) == 1:
        return others[0]
    before = [e for e in (*window.context, *window.episodes[:place]) if e.session == episode.session]
    return _last_other(before, own)


def _last_other(before: Sequence[Episode], own: str | None) -> str | None:
    for episode in reversed(before):
        name = speaker_of(episode)
        if name is not None and (own is None or name_key(name) != name_key(own)):
            return name
    return None


def readable(window: Window, *, extract_system: bool) -> tuple[Episode, ...]:
    """Return the episodes to extract from; system messages only on request."""
    return tuple(e for e in window.episodes if e.role != "system" or extract_system)
