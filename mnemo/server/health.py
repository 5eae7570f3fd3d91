"""Health of the server. It reveals nothing about the memory, so it needs no key."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from mnemo.version import VERSION

__all__ = ["Health", "router"]

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """The server answers."""

    service: Annotated[str, Field(description="Always mnemo.")] = "mnemo"
    version: Annotated[str, Field(description="Version of mnemo.")] = VERSION


@router.get("/health")
async def health() -> Health:
    """Return that the server is up; whether the database is, the other routes report."""
    return Health()
