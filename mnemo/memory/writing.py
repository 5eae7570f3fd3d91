"""The calls that change a memory: add, process, retry, forget."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from mnemo.errors import ArgumentError, NotFoundError
from mnemo.memory.base import MemoryBase
from mnemo.memory.connection import Connection
from mnemo.memory.messages import Messages, as_messages
from mnemo.memory.run_totals import calls_left, with_memtree, with_renaming
from mnemo.models.progress import OnProgress, Progress, ignore_progress
from mnemo.models.results import Added, Forgotten, Processed
from mnemo.store import forget

__all__ = ["MemoryWriting"]


class MemoryWriting(MemoryBase):
    """Stores messages and files, makes entities and facts of them, and forgets them."""

    async def add(
        self,
        messages: Messages,
        *,
        group: str | None = None,
        when: Literal["now", "later"] = "now",
        on_progress: OnProgress = ignore_progress,
    ) -> Added:
        """Store messages and extract entities and facts from them.

        Stored messages are never lost: if processing fails, `processed` says so, and they stay pending for
        `process`, or failed for `retry`. A message whose id is already stored is skipped.

        Args:
            messages: One or several: strings, `Message` objects, or dicts as chat APIs take them, such as
                `{"role": "user", "content": "I moved to Porto", "name": "Ana"}`; in the order in which they were
                written. A string or dict is said now, so giving it again stores it again, unless the dict has an
                `id`. A `Message` keeps its own time; its `occurred_at=None` stays unknown.
            group: Group to write to; None is the memory's own.
            when: `later` only stores the messages (full-text search finds them); `process` does the rest.
            on_progress: Called with the stage `process` and the episodes done and known.

        Raises:
            ArgumentError: A message is invalid; nothing was stored.
            StoreError: The database failed; give the same messages again.
        """
        given = as_messages(messages, self._now())
        opened = await self._open(embeds=when == "now")
        added = await opened.pipeline.acknowledge(self._group_of(group), given)
        if when == "later":
            return added
        run = await opened.pipeline.process(added.group, _staged(on_progress))
        if run.done + run.failed + run.pending < added.new:  # another run processed some of them
            own = await opened.pipeline.outcome(added.group, added.uuids)
            run = replace(run, done=own.done, failed=own.failed, pending=own.pending, reasons=own.reasons)
        return replace(added, processed=await self._grown(opened, [added.group], run))

    async def process(
        self, groups: str | Iterable[str] | None = None, *, on_progress: OnProgress = ignore_progress
    ) -> Processed:
        """Process everything pending in one or more groups, concurrently; continues where a run was stopped.

        Args:
            groups: None is the memory's own group.
            on_progress: Called with the stage `process` and the episodes of all groups together.
        """
        opened = await self._open(embeds=True)
        several = [groups] if isinstance(groups, str) else [self._group] if groups is None else list(groups)
        return await self._grown(opened, several, await opened.pipeline.process(several, _staged(on_progress)))

    async def retry(self, *, group: str | None = None, on_progress: OnProgress = ignore_progress) -> Processed:
        """Process what failed and what is pending once more; progress as for `process`."""
        opened, name = await self._open(), self._group_of(group)
        return await self._grown(opened, [name], await opened.pipeline.retry(name, _staged(on_progress)))

    async def forget(
        self, uuid: str | Sequence[str] | None = None, *, session: str | None = None, group: str | None = None
    ) -> Forgotten:
        """Delete episodes, a session or a whole group, with all that rests on it alone.

        Args:
            uuid: One episode, by its uuid or a unique prefix of at least 4 characters; or several whole uuids.
            session: All episodes of this session.
            group: Group to delete from; given alone, everything in it is deleted.

        Raises:
            ArgumentError: Both a uuid and a session are given, or nothing at all.
            NotFoundError: The group has none of these episodes.
        """
        if (uuid is not None and session is not None) or (uuid is None and session is None and group is None):
            message = "give a uuid, a session, or a group alone; nothing was deleted"
            raise ArgumentError(message)
        opened, name = await self._open(), self._group_of(group)
        prelude = partial(opened.memtree.removal_calls, name)
        if uuid is None and session is None:
            return await forget.forget_group(opened.database, name)
        if uuid is None:
            done = await forget.forget_session(opened.database, name, session or "", prelude)
        else:
            uuids = [await self._whole_uuid(name, uuid)] if isinstance(uuid, str) else uuid
            done = await forget.forget_episodes(opened.database, name, uuids, prelude)
        await opened.maintenance.refresh(name, done.categories)
        if uuid is not None and not done.forgotten.episodes:
            message = "this group has no episode with that uuid"
            raise NotFoundError(message)
        return done.forgotten

    async def _grown(self, opened: Connection, groups: Sequence[str], run: Processed) -> Processed:
        """Update both hierarchies and add their counts to the result of a run."""
        ingestion = self._settings.ingestion
        run = with_renaming(run, await opened.maintenance.update(groups, calls_left(run, ingestion)))
        if not self._settings.memtree.enabled:
            return run
        return with_memtree(run, await opened.memtree.process_all(groups, at_once=ingestion.groups_at_once))


def _staged(on_progress: OnProgress) -> OnProgress:
    """Return a callback that reports every step of the pipeline as the one stage `process`."""

    def report(progress: Progress) -> None:
        on_progress(replace(progress, stage="process"))

    return report
