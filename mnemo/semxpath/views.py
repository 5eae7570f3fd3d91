"""Queries over the whole memory of a group."""

from datetime import datetime
from typing import Any

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST, Clock, SystemClock
from mnemo.errors import ArgumentError
from mnemo.models.group import checked_group
from mnemo.models.tree import Match, QueryOptions, XPathResult
from mnemo.providers.base import Embedder
from mnemo.semxpath.compiler.core import compile_query, compile_subjects
from mnemo.semxpath.compiler.score_inputs import score_all
from mnemo.semxpath.compiler.scorers import CosineScorer, Scorer
from mnemo.semxpath.compiler.view_source import ATTRIBUTES, STORED, ViewSource
from mnemo.semxpath.language.parser import parse
from mnemo.semxpath.language.printer import show_name
from mnemo.semxpath.language.syntax import Similar, Step
from mnemo.semxpath.language.validate import check
from mnemo.store.driver import Database, Row

__all__ = ["MemoryView"]

_VIRTUAL = {"Memory": "", "Session": "name"}


class MemoryView:
    """The memory of one group as a tree: `//Entity[node ~= "hobbies"]/Edge`, `/Session[-1]/Episode`."""

    def __init__(
        self,
        db: Database,
        embedder: Embedder,
        group: str,
        *,
        scorer: Scorer | None = None,
        clock: Clock | None = None,
        cosine: CosineScorer | None = None,
    ) -> None:
        """Open the view.

        Args:
            db: Database, migrated for the embedder.
            embedder: Embedder of the stored vectors and of queries.
            group: Group to read.
            scorer: Scores semantic matches instead of the stored vectors.
            clock: Clock for the current time; None is the system clock.
            cosine: Scorer that caches vectors between queries, with the same embedder; None creates one.

        Raises:
            GroupError: The group name is invalid.
        """
        self._db = db
        self._group = checked_group(group)
        self._scorers = (cosine or CosineScorer(embedder), scorer)
        self._clock = clock or SystemClock()

    async def xpath(
        self, text: str, *, as_of: datetime | None = None, options: QueryOptions | None = None
    ) -> XPathResult:
        """Return the nodes that a query finds, in the memory as of one time.

        Args:
            text: Semantic XPath over Memory, Session, Category, Entity, Edge and Episode.
            as_of: Aware time; returns the facts that held then and were not retired, and the episodes up to then.
                None is now, including upcoming facts.
            options: Limits of the result.

        Raises:
            QueryError: The query does not parse, or uses names that a memory does not have.
            ArgumentError: `as_of` has no time zone, or a match compares too many texts.
            ProviderError, StoreError: See their kinds.
        """
        query = parse(text)
        check(query, ATTRIBUTES)
        given = self._given(as_of)
        source = ViewSource()

        async def subjects(match: Similar, steps: tuple[Step, ...]) -> list[str]:
            compiled = compile_subjects(steps, match.name, source, given)
            return list((await self._db.run_compiled(compiled.statement, dict(compiled.params)))[0]["rows"])

        scores, trips = await score_all(query, self._scorers, {None, *STORED}, subjects)
        compiled = compile_query(query, source, scores, options or QueryOptions(), given)
        rows = (await self._db.run_compiled(compiled.statement, dict(compiled.params)))[0]["rows"]
        return XPathResult(
            query=text,
            version=None,
            semantic=query.semantic,
            matches=tuple(_match(row) for row in rows),
            round_trips=trips + 1,
        )

    def _given(self, as_of: datetime | None) -> dict[str, Any]:
        if as_of is not None and as_of.tzinfo is None:
            message = "as_of must have a time zone, got a naive datetime"
            raise ArgumentError(message)
        moment = as_of or self._clock.now()
        return {
            "group": self._group,
            "as_of": moment,
            "begun_by": as_of or DISTANT_FUTURE,
            "never": DISTANT_FUTURE,
            "past": DISTANT_PAST,
        }


def _match(row: Row) -> Match:
    kind = row["type"]
    attributes = {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in row["attributes"].items()
        if name in ATTRIBUTES[kind] and value not in (None, DISTANT_PAST, DISTANT_FUTURE)
    }
    return Match(
        uuid=row["uuid"] or "",
        type=kind,
        attributes=attributes,
        score=row["score"],
        path=_path(kind, attributes),
    )


def _path(kind: str, attributes: dict[str, Any]) -> str:
    """Return a query that finds the node: by uuid, or by name if the node is virtual."""
    if kind == "Memory":
        return "/"
    name = _VIRTUAL.get(kind, "uuid")
    value = str(attributes.get(name, "")).replace("\\", "\\\\").replace('"', '\\"')
    return f'//{show_name(kind)}[@{name} = "{value}"]'
