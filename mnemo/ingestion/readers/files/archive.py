"""Zip archives as programs deliver their exports: read in place, nothing is written to disk.

Sizes are bounded before anything is unpacked, entries with paths that lead outside are left out, archives in
archives are not opened.
"""

import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from zipfile import ZipFile, ZipInfo

from mnemo.ingestion.readers.files.folder import SUFFIXES
from mnemo.ingestion.readers.files.source import FileSource, Source, format_error
from mnemo.ingestion.readers.report import Findings

if TYPE_CHECKING:
    from mnemo.errors import ReaderError

__all__ = ["Archive", "ZipSource"]

_MOST_ENTRIES = 200_000
_MOST_BYTES = 2 * 2**30
_MOST_IN_ALL = 16 * 2**30
_RATIO = 200
_RATIO_FROM = 20 * 2**20
"""Bytes from which an entry must not unpack to more than 200 times its packed size."""
_ENCRYPTED = 0x1


class ZipSource(Source):
    """A file of an archive."""

    def __init__(self, archive: "Archive", entry: ZipInfo, path: PurePosixPath, findings: Findings) -> None:
        """Keep where it is; nothing is unpacked yet."""
        super().__init__(f"{archive.path}/{path}", path.with_suffix("").as_posix(), findings, archive.shared)
        self._archive = archive
        self._entry = entry
        self._inside = path

    def open(self) -> BinaryIO:
        """Open the entry."""
        return cast("BinaryIO", self._archive.zip.open(self._entry))

    def neighbour(self, name: str, up: int = 0) -> Source | None:
        """Return the entry of that name in the same folder, or `up` levels above."""
        folder = self._inside.parent
        for _ in range(up):
            if folder == folder.parent:
                return None
            folder = folder.parent
        return self._archive.source(folder / name)

    @property
    def folders(self) -> tuple[str, ...]:
        """Names of the folders that it is in, the archive's own name first."""
        return (self._archive.stem, *self._inside.parent.parts)


class Archive:
    """One zip archive; closed when it is no longer used."""

    def __init__(self, source: FileSource) -> None:
        """Open the archive.

        Raises:
            ReaderError: It is damaged, or holds more files than any export.
        """
        self.path = source.path
        self.stem = Path(source.path).stem
        self.shared: dict[Any, Any] = {}
        self.errors: list[ReaderError] = []
        """Entries that are left out for what they are."""
        with source.mapped_errors():
            self.zip = ZipFile(source.path)
        self._entries: dict[PurePosixPath, ZipInfo] = {}
        infos = self.zip.infolist()
        if len(infos) > _MOST_ENTRIES:
            raise format_error(self.path, f"is an archive of more than {_MOST_ENTRIES:,} files")
        total = 0
        for info in infos:
            if info.is_dir() or stat.S_ISLNK(info.external_attr >> 16):
                continue
            path = PurePosixPath(info.filename.replace("\\", "/"))
            total += info.file_size if path.suffix.lower() in SUFFIXES else 0
            if reason := _refusal(info, path, total):
                self.errors.append(format_error(f"{self.path}/{path}", reason))
            else:
                self._entries.setdefault(path, info)

    def paths(self) -> Iterator[PurePosixPath]:
        """Yield the paths of its files."""
        yield from self._entries

    def source(self, path: PurePosixPath, findings: Findings | None = None) -> ZipSource | None:
        """Return the file of a path, None if there is none."""
        info = self._entries.get(path)
        return None if info is None else ZipSource(self, info, path, findings or Findings(path.as_posix()))


def _refusal(info: ZipInfo, path: PurePosixPath, total: int) -> str | None:
    """Return why an entry is not read."""
    if path.is_absolute() or ".." in path.parts or (path.parts and path.parts[0].endswith(":")):
        return "has a path that leads outside the archive"
    if info.flag_bits & _ENCRYPTED:
        return "is protected by a password"
    if path.suffix.lower() == ".zip":
        return "is an archive inside an archive; unpack it and read the folder"
    bomb = info.file_size > _RATIO_FROM and info.file_size > _RATIO * max(info.compress_size, 1)
    if bomb or info.file_size > _MOST_BYTES or total > _MOST_IN_ALL:
        return f"unpacks to {info.file_size / 2**20:,.0f} MB, more than is safe to read from an archive"
    return None
