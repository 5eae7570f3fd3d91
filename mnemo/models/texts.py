"""What is embedded and what filters compare: the same wherever it is written, read or made again."""

from mnemo.models.group import text_key

__all__ = ["entity_text", "session_key", "speaker_key"]


def entity_text(name: str, summary: str) -> str:
    """Return the text that an entity is embedded by. Episodes are by their content, edges by their fact."""
    return f"{name}: {summary}" if summary else name


def session_key(session: str) -> str:
    """Return the token that filters compare a session by: 24 digits."""
    return text_key(session)


def speaker_key(speaker: str | None) -> str:
    """Return the token that filters compare a speaker by: 24 digits, case and blanks folded; None is nobody."""
    return text_key(" ".join((speaker or "").split()).casefold())
