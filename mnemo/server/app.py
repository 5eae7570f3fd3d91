"""The application: all routes below /v1."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from mnemo.config import ApiSettings
from mnemo.memory import AsyncMemory
from mnemo.server import health, recall
from mnemo.server.gate import RequestGate
from mnemo.server.problems import add_handlers
from mnemo.version import VERSION

__all__ = ["build_app"]


def build_app(memory: AsyncMemory, key: str, limits: ApiSettings | None = None) -> FastAPI:
    """Return the application over a memory; it closes the memory when it ends.

    Args:
        memory: Serves all groups; connects at the first request that needs it.
        key: Required by every request except those to /v1/health, as `Authorization: Bearer …`.
        limits: Bounds of a request's body; None is the defaults.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await memory.close()

    app = FastAPI(title="mnemo", version=VERSION, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.memory = memory
    add_handlers(app)
    bounds = limits or ApiSettings()
    app.add_middleware(RequestGate, key=key, max_bytes=bounds.max_body_bytes, body_s=bounds.body_s)
    app.include_router(health.router, prefix="/v1")
    app.include_router(recall.router, prefix="/v1")
    return app
