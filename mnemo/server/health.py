"""Whether the server is there; says nothing of the memory, and so needs no key."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from mnemo.version import VERSION

__all__ = ["Health", "router"]

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """The server answers."""

    service: Annotated[str, Field(description="Always mnemo.")] = "mnemo"
    version: Annotated[str, Field(description="Of mnemo.")] = VERSION


@router.get("/health")
async def health() -> Health:
    """Say that the server is up; whether the database is, the routes say that need it."""
    return Health()
