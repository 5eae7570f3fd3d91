"""What `CALL mnemo.recall(…)` asks: an answer, and the uuids of what to draw."""

from typing import TYPE_CHECKING, Annotated, cast

from fastapi import APIRouter, Request
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from mnemo.models.results import Answer, Route

if TYPE_CHECKING:
    from mnemo.memory import AsyncMemory

__all__ = ["RecallReply", "RecallRequest", "reply_of", "router"]

router = APIRouter(tags=["recall"])
DRAWN = 5
"""Most episodes where `k` is not given; twice as many entities and facts: more cannot be read in a picture."""


class RecallRequest(BaseModel):
    """A question to one group."""

    model_config = ConfigDict(extra="forbid")

    group: str
    question: Annotated[str, Field(max_length=20_000)]
    k: Annotated[int, Field(ge=1, le=200)] = DRAWN
    route: Route = "system1"
    as_of: AwareDatetime | None = None
    budget: Annotated[int | None, Field(ge=50)] = None


class RecallReply(BaseModel):
    """An answer and what it rests on; lists hold uuids, best first."""

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
async def recall(wanted: RecallRequest, request: Request) -> RecallReply:
    """Answer a question, with the uuids of all that the answer rests on."""
    memory = cast("AsyncMemory", request.app.state.memory)
    answer = await memory.ask(
        wanted.question,
        group=wanted.group,
        k=wanted.k,
        route=wanted.route,
        as_of=wanted.as_of,
        budget=wanted.budget,
    )
    return reply_of(answer)


def reply_of(answer: Answer) -> RecallReply:
    """Return what is drawn of an answer: pure.

    Episodes are those that the context cites; a fact's own sources are among them.
    """
    result = answer.result
    spent = result.usage + answer.usage
    return RecallReply(
        answer=answer.text,
        by=answer.by,
        route=result.route,
        context=result.context.text,
        episodes=list(result.context.sources),
        entities=[found.item.uuid for found in result.entities],
        edges=[found.item.uuid for found in result.edges],
        categories=[],
        calls=spent.calls,
        tokens=spent.input_tokens + spent.output_tokens,
        truncated=result.truncated or result.context.truncated,
    )
