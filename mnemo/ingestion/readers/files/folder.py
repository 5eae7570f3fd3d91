"""Lists the files of a folder: which to read, which to skip, in which order."""

import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from mnemo.errors import ReaderError

__all__ = ["SUFFIXES", "Listing", "is_part_of_export", "listing", "order", "skipped_kind"]

SUFFIXES = frozenset(
    (
        *(".txt", ".text", ".md", ".markdown", ".mdown", ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".log"),
        *(".html", ".htm", ".xhtml", ".pdf", ".docx", ".eml", ".mbox", ".mbx", ".zip"),
    )
)
"""Suffixes of files that are read."""
_IMAGES = {".jpg", ".jpeg", ".png", ".gif", ".webp", ".heic", ".heif", ".bmp", ".tiff", ".svg", ".ico", ".avif"}
_MEDIA = {
    *(
        ".mp3",
        ".mp4",
        ".m4a",
        ".wav",
        ".ogg",
        ".oga",
        ".opus",
        ".flac",
        ".aac",
        ".mov",
        ".webm",
        ".mkv",
        ".avi",
        ".3gp",
    ),
    *(".amr", ".m4v", ".tgs"),
}
_NO_SUFFIX = {"mbox"}
_SKIPPED_FOLDERS = {"__MACOSX", "__pycache__", "node_modules"}
_VAULT = {".obsidian", ".logseq"}
_META = re.compile(r"message_(\d+)\.json")
_NUMBERS = re.compile(r"(\d+)")
_PARTS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(main), re.compile(parts))
    for main, parts in (
        (
            r"conversations(?:-\d+)?\.json",
            (
                r"(?:user|users|user_settings|message_feedback|model_comparisons|shared_conversations|projects|memories|"
                r"group_chats|shopping|sora|export_manifest|conversation_asset_file_names|library_files)\.json|chat\.html"
            ),
        ),
        (r"result\.json", r"(?:messages\d*|export_results)\.html"),
        (
            r"(?:channels|groups|dms|mpims)\.json",
            (
                r"(?:users|org_users|channels|groups|dms|mpims|integration_logs|canvases|huddle_transcripts|lists|"
                r"file_conversations|external_members)\.json"
            ),
        ),
        (r"messages\.json", r"group_info\.json"),
        (r"user_info\.json", r"user_info\.json"),
    )
)
"""Names of an export's main file, and of files beside it that hold no messages."""


@dataclass(slots=True)
class Listing:
    """What a folder holds."""

    files: list[Path] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    vault: bool = False
    """Whether a program for notes keeps it."""
    errors: list[ReaderError] = field(default_factory=list)
    """Folders that cannot be listed."""


def listing(folder: Path) -> Listing:
    """List the files below a folder in order of their paths; hidden ones are counted and not looked into."""
    found = Listing()

    def failed(error: OSError) -> None:
        place = str(error.filename or folder)
        found.errors.append(ReaderError(f"cannot be listed: {error.strerror or error}", place=place))

    for root, folders, names in os.walk(folder, onerror=failed):
        found.vault = found.vault or not _VAULT.isdisjoint(folders)
        hidden = [name for name in (*folders, *names) if name.startswith(".")]
        found.skipped["hidden"] += len(hidden)
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED_FOLDERS)
        siblings = set(names)
        for name in names:
            file = Path(root, name)
            if name.startswith(".") or not file.is_file():
                continue
            if kind := skipped_kind(name, siblings):
                found.skipped[kind] += 1
            else:
                found.files.append(file)
    found.files.sort(key=lambda file: order(file.relative_to(folder).as_posix()))
    found.skipped = +found.skipped
    return found


def skipped_kind(name: str, siblings: Iterable[str]) -> str | None:
    """Return the kind of a file that is skipped because of its name; None for one that is read.

    Args:
        name: Its name without folders.
        siblings: Names of the files in its folder.
    """
    suffix = PurePosixPath(name).suffix.lower()
    if is_part_of_export(name, siblings):
        return "other parts of an export"
    if suffix in SUFFIXES or name in _NO_SUFFIX:
        return None
    return "images" if suffix in _IMAGES else "sounds and videos" if suffix in _MEDIA else "of other kinds"


def is_part_of_export(name: str, siblings: Iterable[str]) -> bool:
    """Whether a file lies beside the main file of an export and holds no messages, such as its list of users."""
    beside = [parts for _, parts in _PARTS if parts.fullmatch(name)]
    return bool(beside) and any(
        main.fullmatch(sibling) for main, parts in _PARTS if parts in beside for sibling in siblings
    )


def order(path: str) -> tuple[tuple[str | int, ...], ...]:
    """Return a key that sorts paths as a person would: page 2 before page 10, and Meta's oldest file first."""
    keys: list[tuple[str | int, ...]] = []
    for part in path.split("/"):
        meta = _META.fullmatch(part)
        name = f"message_{10**9 - int(meta[1])}.json" if meta and len(meta[1]) < 9 else part  # noqa: PLR2004  # digits
        pieces = _NUMBERS.split(name.lower())
        keys.append(tuple(int(piece) if index % 2 else piece for index, piece in enumerate(pieces)))
    return tuple(keys)
