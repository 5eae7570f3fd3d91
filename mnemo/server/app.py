"""The application: all routes below /v1."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI

from mnemo.memory import AsyncMemory
from mnemo.server import health, recall
from mnemo.server.access import KeyHolder
from mnemo.server.problems import add_handlers
from mnemo.version import VERSION

__all__ = ["build_app"]


def build_app(memory: AsyncMemory, key: str) -> FastAPI:
    """Return the application over a memory; it closes the memory when it ends.

    Args:
        memory: Serves all groups; connects at the first request that needs it.
        key: Required by every request except those to /v1/health, as `Authorization: Bearer …`.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await memory.close()

    app = FastAPI(title="mnemo", version=VERSION, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.memory = memory
    add_handlers(app)
    app.include_router(health.router, prefix="/v1")
    app.include_router(recall.router, prefix="/v1", dependencies=[Depends(KeyHolder(key))])
    return app
