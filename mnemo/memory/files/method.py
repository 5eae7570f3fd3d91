"""The call that adds files to a memory."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from mnemo.lazy_import import lazy_module
from mnemo.memory.reading import MemoryReading
from mnemo.memory.writing import MemoryWriting
from mnemo.models.files import FilesAdded
from mnemo.models.progress import OnProgress, ignore_progress

if TYPE_CHECKING:
    from mnemo.memory.files import add as adding
else:
    adding = lazy_module("mnemo.memory.files.add")

__all__ = ["MemoryFiles"]


class MemoryFiles(MemoryWriting, MemoryReading):
    """Adds files and folders."""

    async def add_file(  # noqa: PLR0913  # the options of one call, each by its name
        self,
        path: str | Path,
        *,
        group: str | None = None,
        format: str | None = None,  # noqa: A002  # the command's option has this name
        zone: str | None = None,
        dates: str | None = None,
        columns: Mapping[str, str] | None = None,
        session: str | None = None,
        when: Literal["now", "later"] = "now",
        on_progress: OnProgress = ignore_progress,
    ) -> FilesAdded:
        """Add the conversations and documents of a file, or of all files in a folder or zip archive.

        A file of a folder that cannot be read is left out; the report names it and the reason.

        Adding a file again stores only what is new: messages appended to a chat, or the changed passages of an
        edited document, whose former passages are then deleted. Times that a file does not state stay unknown.

        Args:
            path: A file, a folder or a zip archive.
            group: Group to write to; None is the memory's own. A conversation with its own memory (LoCoMo,
                LongMemEval) goes to a group below it: `group/name`, or `name` where None.
            format: Name of a format, such as `whatsapp`; None detects it from the content.
            zone: IANA zone of times without one; None is the one of the settings.
            dates: Order of day and month in dates such as 3/4/2025: `day-first`, `month-first`, or `auto`, as None.
            columns: Names of columns or JSON fields by what they hold: content, speaker, time, session, id, role, zone;
                for tables whose own names are not recognised.
            session: Session of the messages. Several sessions in one file, or several files, get
                `session/name`. None keeps the names found in the files.
            when: `later` only stores the messages; `process` does the rest.
            on_progress: Called with the stages `store` (conversations read and stored) and `process` (episodes).

        Raises:
            ReaderError: There is no such path, or the one file cannot be read.
            ArgumentError: There is no such format, zone or order of dates.
            StoreError: The database failed; add the same path again to continue.
        """
        start = perf_counter()
        name = None if group is None else self._group_of(group)
        options = adding.FileOptions(
            path=Path(path), group=name, format=format, zone=zone, dates=dates, columns=columns, session=session
        )
        added = await adding.add_files(self, options, self._settings.ingestion, on_progress)
        if when == "later":
            return added
        processed = await self.process(added.groups, on_progress=on_progress)
        return replace(added, processed=processed, elapsed_s=perf_counter() - start)
