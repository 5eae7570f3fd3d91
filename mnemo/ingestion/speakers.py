"""The speakers of a window, and whom they address."""

from collections.abc import Sequence

from mnemo.ingestion.extraction import Window
from mnemo.ingestion.resolution.names import name_key
from mnemo.models.graph import Episode

__all__ = ["addressee_of", "extractable", "speaker_of", "speakers_of"]

_UNNAMED = {"user": "User", "assistant": "Assistant"}


def speaker_of(episode: Episode) -> str | None:
    """Return an episode's speaker: `User` or `Assistant` for one without a name, None for documents."""
    name = (episode.speaker or "").strip()
    return name or _UNNAMED.get(episode.role)


def speakers_of(window: Window) -> tuple[str, ...]:
    """Return the distinct speakers of a window and its context, in order, the context's first."""
    names: dict[str, str] = {}
    for episode in (*window.context, *window.episodes):
        name = speaker_of(episode)
        if name is not None:
            names.setdefault(name_key(name), name)
    return tuple(names.values())


def addressee_of(window: Window, index: int) -> str | None:
    """Return whom an episode addresses: the only other speaker, else the previous other speaker in its session.

    Args:
        window: The window that contains it.
        index: Its index in `window.episodes`.

    Returns:
        None if there is no such speaker.
    """
    episode = window.episodes[index]
    speaker = speaker_of(episode)
    others = [name for name in speakers_of(window) if speaker is None or name_key(name) != name_key(speaker)]
    if len(others) == 1:
        return others[0]
    before = [e for e in (*window.context, *window.episodes[:index]) if e.session == episode.session]
    return _last_other(before, speaker)


def _last_other(before: Sequence[Episode], speaker: str | None) -> str | None:
    for episode in reversed(before):
        name = speaker_of(episode)
        if name is not None and (speaker is None or name_key(name) != name_key(speaker)):
            return name
    return None


def extractable(window: Window, *, extract_system: bool) -> tuple[Episode, ...]:
    """Return the window's episodes to extract from; system messages only if `extract_system`."""
    return tuple(e for e in window.episodes if e.role != "system" or extract_system)
