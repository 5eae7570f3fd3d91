"""The memory's verbs, asynchronous: the one implementation."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Literal, Self, TypeAlias, Unpack

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST, Clock, SystemClock
from mnemo.config import Settings, load_settings
from mnemo.errors import ArgumentError, NotFoundError
from mnemo.hierarchy.categories.builder import Built
from mnemo.hierarchy.categories.drift import Check, check
from mnemo.hierarchy.categories.layers import Told, untold
from mnemo.ingestion.progress import Report, silent
from mnemo.ingestion.recall_log import RecallLog
from mnemo.memory.connection import Connection, Providers, open_connection
from mnemo.memory.handed import note_answer, note_result
from mnemo.memory.looking import view
from mnemo.memory.planting import calls_left, with_leaves, with_names
from mnemo.memory.routes import checked_route, look
from mnemo.memory.structured import AsyncStructured
from mnemo.models.graph import Edge, Entity, Episode, EpisodeStatus, Message
from mnemo.models.group import checked_group
from mnemo.models.hierarchy import HierarchyKind, HierarchyView
from mnemo.models.results import Added, Answer, Counts, Forgotten, Page, Processed, SearchResult
from mnemo.providers.base import Embedder, Llm
from mnemo.retrieval import answer
from mnemo.retrieval.request import Looking, SearchRequest, refuse_unknown
from mnemo.store import forget, graph
from mnemo.store.reembed import reembed

__all__ = ["AsyncMemory", "Kind", "Messages"]

Messages: TypeAlias = str | Message | Iterable[str | Message]
"""One message or several; a text alone is a message of the user without speaker, session and time."""
Kind: TypeAlias = Literal["episodes", "entities", "edges"]


class AsyncMemory(AsyncStructured):
    """Long-term memory in Neo4j; use as an async context manager, within one event loop.

    Connects at the first call, and brings the database's schema up to date. Every verb takes a group; None
    is the one given here, else the setting's. Any verb may raise `GroupError`, `ConfigError`, `StoreError`.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        group: str | None = None,
        llm: Llm | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Keep how to connect; nothing is read or written yet.

        Args:
            settings: None reads them from the environment and `.env`.
            group: The group of verbs that are given none; None is the setting's.
            llm: Wins over the settings; stays open when the memory is closed.
            embedder: The same.
            clock: Tells when things were recorded; None is the machine's.

        Raises:
            ConfigError: A setting does not fit.
            GroupError: The group is refused.
        """
        self._settings = settings or load_settings()
        self._group = checked_group(group if group is not None else self._settings.group)
        self._providers = Providers(llm=llm, embedder=embedder)
        self._clock = clock or SystemClock()
        self._recalled = RecallLog()
        self._connection: Connection | None = None
        self._opening = asyncio.Lock()

    async def __aenter__(self) -> Self:
        """Return itself; connects at the first verb."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        await self.close()

    async def close(self) -> None:
        """Close the connections; may be called twice, and a later verb connects anew."""
        async with self._opening:
            if self._connection is not None:
                await self._connection.close()
            self._connection = None
        self._opening = asyncio.Lock()  # a later verb may run in another event loop

    async def add(
        self,
        messages: Messages,
        *,
        group: str | None = None,
        when: Literal["now", "later"] = "now",
        report: Report = silent,
    ) -> Added:
        """Store messages, and make entities and facts of them.

        Once stored they are never lost: should processing fail, `processed` says so and they stay
        pending for `process`, or failed for `retry`. Messages stored before are left as they are.

        Args:
            messages: In the order in which they were written.
            group: Whose memory.
            when: `later` only stores them, to be found by their words; `process` does the rest.
            report: Told of each step.

        Raises:
            ArgumentError: A message does not fit; nothing was stored.
        """
        open_ = await self._open()
        added = await open_.pipeline.acknowledge(self._of(group), _messages(messages))
        if when == "later":
            return added
        run = await open_.pipeline.process(added.group, report)
        if run.done + run.failed + run.pending < added.new:  # another run had some of them in hand
            own = await open_.pipeline.outcome(added.group, added.uuids)
            run = replace(run, done=own.done, failed=own.failed, pending=own.pending, reasons=own.reasons)
        return replace(added, processed=await self._planted(open_, [added.group], run))

    async def process(self, groups: str | Iterable[str] | None = None, *, report: Report = silent) -> Processed:
        """Process all that is pending in one or more groups, side by side; goes on where a run was stopped."""
        open_ = await self._open()
        several = [groups] if isinstance(groups, str) else [self._group] if groups is None else list(groups)
        return await self._planted(open_, several, await open_.pipeline.process(several, report))

    async def retry(self, *, group: str | None = None, report: Report = silent) -> Processed:
        """Process what failed, and what is pending, once more."""
        open_, name = await self._open(), self._of(group)
        return await self._planted(open_, [name], await open_.pipeline.retry(name, report))

    async def status(self, *, group: str | None = None) -> Counts:
        """Count a group's episodes by state; zeros for a group that is not there."""
        return await (await self._open()).pipeline.status(self._of(group))

    async def search(self, question: str, **wanted: Unpack[Looking]) -> SearchResult:
        """Find what answers a question: episodes, entities and facts, and a context within a token budget.

        Args:
            question: Taken as text, never as query syntax.
            wanted: The named arguments of `mnemo.Looking`: group, k, budget, route, as_of, session, speaker, since
                and until.

        Raises:
            ArgumentError: An argument does not fit.
            ProviderError: The embedder failed.
        """
        request, route = self._request(question, wanted), checked_route(wanted.get("route", "system1"))
        result = await look(await self._open(), request, route, self._settings, self._clock)
        note_result(self._recalled, result, self._clock.now())
        return result

    async def ask(self, question: str, **wanted: Unpack[Looking]) -> Answer:
        """Answer a question with its sources: by the LLM, or with none, the best facts and quotes as they are.

        Arguments and errors as for `search`, and `ProviderError` when the LLM fails.
        """
        result = await self.search(question, **wanted)
        answered = await answer.ask((await self._open()).llm, result)
        note_answer(self._recalled, answered, self._clock.now())
        return answered

    async def list(  # noqa: PLR0913  # the filters of one verb, each by its name
        self,
        kind: Kind = "episodes",
        *,
        group: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
        session: str | None = None,
        status: EpisodeStatus | None = None,
        entity: str | None = None,
        as_of: datetime | Literal["ever"] | None = None,
    ) -> Page[Episode] | Page[Entity] | Page[Edge]:
        """Return one page in a stable order, with the total.

        Args:
            kind: What to list.
            group: Whose memory.
            cursor: That of the page before; None is the first page.
            limit: Most items, 1 to 1,000.
            session: For episodes: of that session.
            status: For episodes: in that state.
            entity: For edges: with that entity, by uuid, as subject or object.
            as_of: For edges: those that held then, aware; `ever` is all, None those that hold now, are to come, or happened.

        Raises:
            ArgumentError: An argument does not fit, or not this kind.
        """
        name, database = self._of(group), (await self._open()).database
        _check_filters(kind, session=session, status=status, entity=entity, as_of=as_of)
        if kind == "episodes":
            return await graph.list_episodes(database, name, status=status, session=session, cursor=cursor, limit=limit)
        if kind == "entities":
            return await graph.list_entities(database, name, cursor=cursor, limit=limit)
        return await graph.list_edges(
            database, name, between=self._between(as_of), entity=entity, cursor=cursor, limit=limit
        )

    async def get(self, uuid: str, *, group: str | None = None) -> Episode | Entity | Edge:
        """Return one thing by its uuid.

        Raises:
            NotFoundError: There is none in this group.
        """
        name, database = self._of(group), (await self._open()).database
        found: tuple[Episode | Entity | Edge, ...] = (
            *await graph.episodes(database, name, [uuid]),
            *await graph.entities(database, name, [uuid]),
            *await graph.edges(database, name, [uuid]),
        )
        if not found:
            message = "wanted the uuid of an episode, entity or edge of this group, got one that it does not have"
            raise NotFoundError(message)
        return found[0]

    async def forget(
        self, uuid: str | Sequence[str] | None = None, *, session: str | None = None, group: str | None = None
    ) -> Forgotten:
        """Delete episodes, a session or a whole group, with all that rested on it alone.

        Args:
            uuid: Of an episode, or of several.
            session: All episodes of a session.
            group: Whose memory; given alone, everything in it.

        Raises:
            ArgumentError: Both uuid and session are given, or nothing at all.
            NotFoundError: This group has no such episode, of several none.
        """
        if (uuid is not None and session is not None) or (uuid is None and session is None and group is None):
            message = "wanted one of: a uuid, a session, or a group alone; nothing was deleted"
            raise ArgumentError(message)
        name, database = self._of(group), (await self._open()).database
        prelude = partial((await self._open()).tree.removal, name)
        upkeep = (await self._open()).upkeep
        if session is None and uuid is None:
            return await forget.forget_group(database, name)
        if uuid is None:
            done = await forget.forget_session(database, name, session or "", prelude)
        else:
            done = await forget.forget_episodes(database, name, [uuid] if isinstance(uuid, str) else uuid, prelude)
        await upkeep.forgotten(name, done.categories)
        forgotten = done.forgotten
        if uuid is not None and not forgotten.episodes:
            message = "wanted the uuid of an episode of this group, got one that it does not have"
            raise NotFoundError(message)
        return forgotten

    async def hierarchy(
        self, kind: HierarchyKind = "episodes", *, group: str | None = None, depth: int = 64
    ) -> HierarchyView | None:
        """Return a hierarchy to be looked at, its nodes to a depth; None where the group has none of that kind."""
        return await view((await self._open()).database, self._of(group), kind, depth)

    async def build_hierarchy(self, *, group: str | None = None, told: Told = untold) -> Built:
        """Build the hierarchy over entities anew, and make it the current one in one step.

        Goes on, with the replies it has paid for, where a build was stopped.

        Args:
            group: Whose memory.
            told: Called with a stage, what is done of it and what is to be done.

        Raises:
            ConflictError: Another process builds it at the moment.
            ProviderError: The LLM or the embedder failed; call it again.
        """
        return await (await self._open()).builder.build(self._of(group), told)

    async def refresh_hierarchy(self, *, group: str | None = None) -> tuple[str, ...]:
        """Build anew the subtrees over entities that have drifted past the setting; return their names.

        Raises:
            ConflictError: Another process builds it at the moment.
            ProviderError: The LLM or the embedder failed; call it again.
        """
        return await (await self._open()).builder.refresh(self._of(group), self._settings.hierarchy.drift)

    async def check_hierarchy(self, *, group: str | None = None) -> Check:
        """Compare the hierarchy over entities, which grows with every message, with a fresh build.

        Raises:
            ProviderError: The LLM or the embedder failed.
        """
        return await check((await self._open()).builder, self._of(group))

    async def reembed(self) -> int:
        """Embed the memory of all groups by the configured model; return how many vectors were replaced.

        Goes on where it was when it was stopped.

        Raises:
            ProviderError: The embedder failed; call it again.
        """
        await self.close()
        open_ = await open_connection(self._settings, self._providers, self._clock, self._recalled, "as it is")
        try:
            return await reembed(open_.database, open_.embedder)
        finally:
            await open_.close()

    async def _planted(self, open_: Connection, groups: Sequence[str], run: Processed) -> Processed:
        """Let both hierarchies take in what was processed, and say so beside it."""
        run = with_names(run, await open_.upkeep.settle(groups, calls_left(run, self._settings.ingestion)))
        if not self._settings.tree.enabled:
            return run
        return with_leaves(run, await open_.tree.process_all(groups, at_once=self._settings.ingestion.groups_at_once))

    def _request(self, question: str, wanted: Looking) -> SearchRequest:
        refuse_unknown(wanted)
        k, budget = wanted.get("k"), wanted.get("budget")
        return SearchRequest(
            group=self._of(wanted.get("group")),
            question=question,
            k=self._settings.search.k if k is None else k,
            budget=self._settings.search.budget if budget is None else budget,
            as_of=wanted.get("as_of"),
            session=wanted.get("session"),
            speaker=wanted.get("speaker"),
            since=wanted.get("since"),
            until=wanted.get("until"),
        )

    def _of(self, group: str | None) -> str:
        return self._group if group is None else checked_group(group)

    def _between(self, as_of: datetime | Literal["ever"] | None) -> tuple[datetime, datetime]:
        if as_of == "ever":
            return DISTANT_PAST, DISTANT_FUTURE
        return (self._clock.now(), DISTANT_FUTURE) if as_of is None else (as_of, as_of)

    async def _open(self) -> Connection:
        async with self._opening:
            if self._connection is None:
                self._connection = await open_connection(self._settings, self._providers, self._clock, self._recalled)
            return self._connection


def _messages(messages: Messages) -> tuple[Message, ...]:
    several = (messages,) if isinstance(messages, str | Message) else messages
    return tuple(Message(content=item) if isinstance(item, str) else item for item in several)


def _check_filters(kind: Kind, **filters: object) -> None:
    fitting = {"episodes": {"session", "status"}, "entities": set(), "edges": {"entity", "as_of"}}
    if kind not in fitting:
        message = f"wanted a kind of {', '.join(fitting)}, got {kind!r}"
        raise ArgumentError(message)
    others = sorted(name for name, value in filters.items() if value is not None and name not in fitting[kind])
    if others:
        message = f"wanted filters that {kind} have, got {', '.join(others)}"
        raise ArgumentError(message)
