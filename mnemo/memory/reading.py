"""The calls that read a memory: search, ask, list, get, status, groups."""

from datetime import datetime
from typing import TYPE_CHECKING, Literal, TypeAlias, overload

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.errors import ArgumentError, NotFoundError
from mnemo.lazy_import import lazy_module
from mnemo.memory.base import MemoryBase
from mnemo.memory.recall_notes import note_answer, note_result
from mnemo.memory.routes import checked_route, search_by_route
from mnemo.models.graph import Edge, Entity, Episode, EpisodeStatus
from mnemo.models.results import Answer, Counts, EdgeSource, GroupInfo, Page, Route, SearchResult
from mnemo.retrieval.request import SearchRequest
from mnemo.store import graph

if TYPE_CHECKING:
    from mnemo.retrieval import answer
else:
    answer = lazy_module("mnemo.retrieval.answer")

__all__ = ["AsOf", "ListKind", "MemoryReading"]

ListKind: TypeAlias = Literal["episodes", "entities", "edges"]
AsOf: TypeAlias = datetime | Literal["ever"] | None

_NO_SUCH_UUID = "this group has no episode, entity or edge with that uuid"
_FILTERS = {"episodes": {"session", "status"}, "entities": set[str](), "edges": {"entity", "as_of"}}


class MemoryReading(MemoryBase):
    """Finds, answers and lists."""

    async def search(  # noqa: PLR0913  # the options of a search, each by its name
        self,
        question: str,
        *,
        group: str | None = None,
        k: int | None = None,
        budget: int | None = None,
        route: Route = "system1",
        as_of: datetime | None = None,
        session: str | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        min_score: float | None = None,
    ) -> SearchResult:
        """Find the episodes, entities and facts that answer a question, and a context within a token budget.

        Args:
            question: Taken as text, never as query syntax.
            group: Group to search; None is the memory's own.
            k: Most episodes, 1 to 200; entities and facts at most twice as many each. None is the setting.
            budget: Most tokens of the context, at least 50. None is the setting.
            route: How to search: `system1` (direct), `system2` (through the categories), `both`, or `memtree`.
            as_of: What held, and was written, at this moment; aware. None is what holds now or will.
            session: Only episodes of this session.
            speaker: Only episodes of this speaker.
            since: Only episodes written at this moment or later; aware.
            until: Only episodes written before this moment; aware.
            min_score: Minimum score of a result, 0 to 1; None keeps all.

        Raises:
            ArgumentError: An argument is invalid.
            ProviderError: The embedder failed.
        """
        request = SearchRequest(
            group=self._group_of(group),
            question=question,
            k=self._settings.search.k if k is None else k,
            budget=self._settings.search.budget if budget is None else budget,
            as_of=as_of,
            session=session,
            speaker=speaker,
            since=since,
            until=until,
            min_score=min_score,
        )
        return await self._searched(request, route)

    async def ask(  # noqa: PLR0913  # the options of a search, each by its name
        self,
        question: str,
        *,
        group: str | None = None,
        k: int | None = None,
        budget: int | None = None,
        route: Route = "system1",
        as_of: datetime | None = None,
        session: str | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        min_score: float | None = None,
    ) -> Answer:
        """Answer a question with its sources: by the LLM, or without one by the best facts and quotes.

        Arguments and errors are those of `search`; `ProviderError` also when the LLM fails.
        """
        request = SearchRequest(
            group=self._group_of(group),
            question=question,
            k=self._settings.search.k if k is None else k,
            budget=self._settings.search.budget if budget is None else budget,
            as_of=as_of,
            session=session,
            speaker=speaker,
            since=since,
            until=until,
            min_score=min_score,
            passages=True,
        )
        result = await self._searched(request, route)
        answered = await answer.ask((await self._open()).llm, result)
        note_answer(self._recalled, answered, self._now())
        return answered

    @overload
    async def list(
        self,
        kind: Literal["episodes"] = "episodes",
        *,
        group: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
        session: str | None = None,
        status: EpisodeStatus | None = None,
    ) -> Page[Episode]: ...

    @overload
    async def list(
        self, kind: Literal["entities"], *, group: str | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page[Entity]: ...

    @overload
    async def list(
        self,
        kind: Literal["edges"],
        *,
        group: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
        entity: str | None = None,
        as_of: AsOf = None,
    ) -> Page[Edge]: ...

    @overload
    async def list(
        self,
        kind: ListKind,
        *,
        group: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
        session: str | None = None,
        status: EpisodeStatus | None = None,
        entity: str | None = None,
        as_of: AsOf = None,
    ) -> Page[Episode] | Page[Entity] | Page[Edge]: ...

    async def list(  # noqa: PLR0913  # the filters of one call, each by its name
        self,
        kind: ListKind = "episodes",
        *,
        group: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
        session: str | None = None,
        status: EpisodeStatus | None = None,
        entity: str | None = None,
        as_of: AsOf = None,
    ) -> Page[Episode] | Page[Entity] | Page[Edge]:
        """Return one page in a stable order, with the total.

        Args:
            kind: `episodes`, `entities` or `edges` (facts).
            group: Group to list; None is the memory's own.
            cursor: Cursor returned with the previous page; None is the first page.
            limit: Most items, 1 to 1,000.
            session: Episodes only: those of this session.
            status: Episodes only: those in this state.
            entity: Edges only: those with this entity, by uuid, as subject or object.
            as_of: Edges only: those that held at this moment, aware; `ever` is all; None is those that hold
                now or will, and dated events.

        Raises:
            ArgumentError: An argument is invalid, or is a filter of another kind.
        """
        _check_filters(kind, session=session, status=status, entity=entity, as_of=as_of)
        name, database = self._group_of(group), (await self._open()).database
        if kind == "episodes":
            return await graph.list_episodes(database, name, status=status, session=session, cursor=cursor, limit=limit)
        if kind == "entities":
            return await graph.list_entities(database, name, cursor=cursor, limit=limit)
        return await graph.list_edges(
            database, name, between=self._between(as_of), entity=entity, cursor=cursor, limit=limit
        )

    async def get(self, uuid: str, *, group: str | None = None) -> Episode | Entity | Edge:
        """Return one episode, entity or edge.

        Args:
            uuid: Its uuid, or a prefix of at least 4 characters that no other uuid of the group has.
            group: Group that has it; None is the memory's own.

        Raises:
            ArgumentError: Several uuids begin with the prefix, or it is too short.
            NotFoundError: The group has none with that uuid.
        """
        name = self._group_of(group)
        uuid = await self._whole_uuid(name, uuid)
        database = (await self._open()).database
        found: tuple[Episode | Entity | Edge, ...] = (
            *await graph.episodes(database, name, [uuid]),
            *await graph.entities(database, name, [uuid]),
            *await graph.edges(database, name, [uuid]),
        )
        if not found:
            raise NotFoundError(_NO_SUCH_UUID)
        return found[0]

    async def sources(self, uuid: str, *, group: str | None = None) -> tuple[EdgeSource, ...]:
        """Return the messages that state a fact, with the words that state it, oldest first.

        Args:
            uuid: Uuid of the fact, or a unique prefix as for `get`.
            group: Group that has it; None is the memory's own.

        Raises:
            ArgumentError: Several uuids begin with the prefix, or it is too short.
            NotFoundError: The group has no such fact.
        """
        name = self._group_of(group)
        uuid = await self._whole_uuid(name, uuid)
        database = (await self._open()).database
        quotes = await graph.sources(database, name, [uuid])
        if not quotes:
            raise NotFoundError(_NO_SUCH_UUID)
        found = {each.uuid: each for each in await graph.episodes(database, name, [each.episode for each in quotes])}
        return tuple(EdgeSource(episode=found[each.episode], quote=each.quote) for each in quotes)

    async def status(self, *, group: str | None = None) -> Counts:
        """Count a group's episodes by state; zeros for an unknown group."""
        return await (await self._open()).pipeline.status(self._group_of(group))

    async def groups(self) -> tuple[GroupInfo, ...]:
        """Return all groups of the database that have episodes, by name."""
        return tuple(await graph.groups((await self._open()).database))

    async def _searched(self, request: SearchRequest, route: str) -> SearchResult:
        chosen = checked_route(route)
        result = await search_by_route(await self._open(embeds=True), request, chosen, self._settings)
        note_result(self._recalled, result, self._now())
        return result

    def _between(self, as_of: AsOf) -> tuple[datetime, datetime]:
        if as_of == "ever":
            return DISTANT_PAST, DISTANT_FUTURE
        return (self._now(), DISTANT_FUTURE) if as_of is None else (as_of, as_of)


def _check_filters(kind: str, **filters: object) -> None:
    if kind not in _FILTERS:
        message = f"kind must be one of {', '.join(_FILTERS)}, got {kind!r}"
        raise ArgumentError(message)
    others = sorted(name for name, value in filters.items() if value is not None and name not in _FILTERS[kind])
    if others:
        message = f"{', '.join(others)} cannot filter {kind}"
        raise ArgumentError(message)
