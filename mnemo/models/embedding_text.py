"""What is embedded and what filters compare: the same wherever it is written, read or made again."""

from mnemo.models.group import text_key

__all__ = ["entity_text", "episode_text", "session_key", "speaker_key"]


def entity_text(name: str, summary: str) -> str:
    """Return the text that an entity is embedded by. Edges are by their fact."""
    return f"{name}: {summary}" if summary else name


def episode_text(content: str, speaker: str | None) -> str:
    """Return the text from which an episode is embedded: its speaker and its content.

    Measured on LoCoMo with e5-small-v2, recall@10 by cosine alone: 67.2 without the speaker, 70.6 with
    (the questions' own speaker names left out); whole questions 24.6 and 67.9.
    """
    return f"{speaker}: {content}" if speaker else content


def session_key(session: str) -> str:
    """Return the token that filters compare a session by: 24 digits."""
    return text_key(session)


def speaker_key(speaker: str | None) -> str:
    """Return the token that filters compare a speaker by: 24 digits, case and blanks folded; None is nobody."""
    return text_key(" ".join((speaker or "").split()).casefold())
