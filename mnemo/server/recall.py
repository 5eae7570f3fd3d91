"""The request behind `CALL mnemo.recall(…)`: an answer, and the uuids of the nodes to draw."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, cast

from fastapi import APIRouter, Request
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from mnemo.models.results import Answer, Route, WalkLayer

if TYPE_CHECKING:
    from mnemo.memory import AsyncMemory

__all__ = ["RecallReply", "RecallRequest", "reply_of", "router"]

router = APIRouter(tags=["recall"])
CITED = 8
"""Most cited facts to draw: more would be unreadable."""
BESIDE = 4
"""Facts and entities drawn at least, if there are so many."""


class RecallRequest(BaseModel):
    """A question to the memory of one group."""

    model_config = ConfigDict(extra="forbid")

    group: str
    question: Annotated[str, Field(max_length=20_000)]
    k: Annotated[int | None, Field(ge=1, le=200)] = None
    route: Route = "both"
    as_of: AwareDatetime | None = None
    budget: Annotated[int | None, Field(ge=50)] = None


class RecallReply(BaseModel):
    """An answer and the nodes behind it: uuids, and names for categories."""

    answer: str
    by: str
    route: str
    context: str
    episodes: list[str]
    entities: list[str]
    edges: list[str]
    categories: list[str]
    calls: int
    tokens: int
    truncated: bool


@router.post("/recall")
async def recall(body: RecallRequest, request: Request) -> RecallReply:
    """Answer a question; return the uuids of the nodes behind the answer."""
    memory = cast("AsyncMemory", request.app.state.memory)
    answer = await memory.ask(
        body.question,
        group=body.group,
        k=body.k,
        route=body.route,
        as_of=body.as_of,
        budget=body.budget,
    )
    return reply_of(answer)


def reply_of(answer: Answer) -> RecallReply:
    """Select the nodes to draw for an answer. Pure.

    These are the facts of the cited episodes by rank, filled up with the next facts if those are few; the cited
    episodes; and the first source of each other fact.
    """
    result = answer.result
    spent = result.usage + answer.usage
    cited = [citation.episode.uuid for citation in answer.citations]
    rests = [found for found in result.edges if not set(cited).isdisjoint(found.sources)][:CITED]
    others = [found for found in result.edges if found not in rests]
    edges = rests + others[: max(0, BESIDE - len(rests))]
    first = [uuid for found in edges for uuid in found.sources[:1] if set(cited).isdisjoint(found.sources)]
    return RecallReply(
        answer=answer.text,
        by=answer.by,
        route=result.route,
        context=result.context.text,
        episodes=list(dict.fromkeys([*cited, *first])),
        entities=[found.item.uuid for found in result.entities[:BESIDE]],
        edges=[found.item.uuid for found in edges],
        categories=list(dict.fromkeys(_gone_into(result.walk))),
        calls=spent.calls,
        tokens=spent.input_tokens + spent.output_tokens,
        truncated=result.truncated or result.context.truncated,
    )


def _gone_into(walk: Sequence[WalkLayer]) -> Iterator[str]:
    for stage in walk:
        if stage.layer > 0:
            yield from stage.chosen
