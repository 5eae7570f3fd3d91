"""Replays recorded replies to mnemo's prompts about the sample conversation.

They are in `tests/cases/replies/<kind>.json`: `instructions` is the digest of the system message that
they were written for, `replies` the replies. Replies of extraction and reflection are found by the digest
of the user message. Replies that depend on ranks or random uuids are stored in a neutral form and
adapted to each prompt; see `support.replies_by_meaning`. `scripts/replies.py` lists prompts that have
changed and records new replies.
"""

import hashlib
import json
import re
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.llm_server import Reply, Request
from support.paths import CASES
from support.replies_by_meaning import BY_MEANING

__all__ = ["FOLDER", "KINDS", "Missing", "Recorded", "digest", "kind_of"]

FOLDER = CASES / "replies"
_BY_TEXT = ("extract", "reflect")
KINDS = (*_BY_TEXT, *BY_MEANING)
_SCHEMAS = {shape.schema: kind for kind, shape in BY_MEANING.items()}
_FIRST = re.compile(r"^\[1\] (.*?): ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Missing:
    """A prompt, or part of one, without a recorded reply."""

    kind: str
    what: str
    """The user message, or the part without a reply."""
    stale: bool = False
    """Whether replies exist only for other instructions."""


class Recorded:
    """A handler for `LlmServer` that answers from the files."""

    def __init__(self, folder: Path = FOLDER) -> None:
        """Read all files; a missing file means no replies."""
        self.folder = folder
        self.files = {kind: _read(folder / f"{kind}.json") for kind in KINDS}
        self.missing: list[Missing] = []
        self.used: dict[str, int] = dict.fromkeys(KINDS, 0)
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Reply:
        """Return the recorded reply; without one, return 400 and note it as missing."""
        with self._lock:
            value = self._found(request)
        if value is None:
            return Reply.error(400, message="no reply is recorded for this prompt; see scripts/replies.py")
        tokens = (len(request.system) + len(request.user)) // 4, len(json.dumps(value)) // 4
        return Reply.json(value, usage=tokens)

    def learn(self, request: Request, value: Any) -> None:
        """Record a reply to a request, replacing an earlier one about the same subject."""
        kind = kind_of(request)
        if kind is None:
            return
        with self._lock:
            file = self.files[kind]
            file["instructions"] = digest(request.system)
            if kind in BY_MEANING:
                file["replies"] = BY_MEANING[kind].learnt(request.user, file["replies"], value)
                return
            about = _about(request.user)
            kept = [each for each in file["replies"] if each["about"] != about]
            file["replies"] = [*kept, {"about": about, "user": digest(request.user), "reply": value}]

    def accept(self, request: Request) -> bool:
        """Keep the reply for a prompt that was reworded; return whether there is one."""
        kind = kind_of(request)
        if kind is None:
            return False
        with self._lock:
            self.files[kind]["instructions"] = digest(request.system)
            if kind in BY_MEANING:
                return True
            same = [each for each in self.files[kind]["replies"] if each["about"] == _about(request.user)]
            for each in same:
                each["user"] = digest(request.user)
            return bool(same)

    def save(self) -> None:
        """Write all files."""
        for kind, file in self.files.items():
            text = json.dumps(file, ensure_ascii=False, indent=1) + "\n"
            (self.folder / f"{kind}.json").write_text(text, encoding="utf-8")

    def _found(self, request: Request) -> Any:
        kind = kind_of(request)
        if kind is None:
            self.missing.append(Missing("unknown", request.user))
            return None
        file = self.files[kind]
        stale = file["instructions"] != digest(request.system)
        value, gaps = (None, [request.user]) if stale else _looked_up(kind, request.user, file["replies"])
        self.missing += [Missing(kind, gap, stale) for gap in gaps]
        self.used[kind] += value is not None
        return value


def kind_of(request: Request) -> str | None:
    """Return the recorded kind of a request by the name of its schema, or None."""
    if request.schema_name == "ExtractReply":
        return "reflect" if "\n\nNotes:\n" in request.user else "extract"
    return _SCHEMAS.get(request.schema_name)


def digest(text: str) -> str:
    """Return 16 hex digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _looked_up(kind: str, user: str, replies: list[dict[str, Any]]) -> tuple[Any, list[str]]:
    if kind in BY_MEANING:
        return BY_MEANING[kind].replied(user, replies)
    value = next((each["reply"] for each in replies if each["user"] == digest(user)), None)
    return value, [] if value is not None else [user]


def _about(user: str) -> str:
    """Return the speaker and time of the first message of a window."""
    found = _FIRST.search(user)
    return found[1] if found else ""


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {"instructions": "", "replies": []}
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
