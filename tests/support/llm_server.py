"""A scripted OpenAI-compatible HTTP server: real sockets on 127.0.0.1, no network, no model.

    with LlmServer() as server:
        server.script(Reply.json({"names": ["Ada"]}), Reply.error(429, retry_after="1"))
        server.handle(lambda request: Reply.json({"names": []}))      # once the script is used up
        settings = server.settings()                                  # Settings whose LLM is this server
        ...
        assert server.chats == 3 and server.requests[-1].user == "…"

Replies come from the script first, then from the handler; a call with neither gets status 400.
Handlers run in server threads concurrently, so avoid or lock shared state. `supports` imitates older
servers; strict schemas are checked like OpenAI does. Embeddings need no script: every text gets
`vector_of(text)`. `Reply.error` scripts a failure of chats or embeddings.
"""

import base64
import hashlib
import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self

import numpy as np

from mnemo.config import Settings
from support.llm_wire import Reply, Request, chat_body, response_body
from support.strict_schema import problems_of

__all__ = ["LlmServer", "Reply", "Request", "vector_of"]

Handler = Callable[[Request], Reply]
Support = Literal["schema", "json", "text"]


def vector_of(text: str, dimensions: int) -> list[float]:
    """Return the server's vector of a text: deterministic, of unit length."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
    vector = np.random.default_rng(seed).standard_normal(dimensions).astype(np.float32)
    return [float(value) for value in vector / np.linalg.norm(vector)]


class LlmServer:
    """Serves /v1/chat/completions, /v1/responses and /v1/embeddings until closed.

    Attributes:
        supports: `schema` accepts every response_format, `json` rejects json_schema, `text` rejects both.
        refuses: Names of body fields rejected with status 400, such as `temperature` or `max_tokens`.
        scale: Length of the vectors that embeddings return.
        shuffled: Whether embeddings are returned in reverse order, with correct indexes.
        requests: All requests so far, oldest first, including failed ones.
    """

    def __init__(self, *, supports: Support = "schema", dimensions: int = 16) -> None:
        """Listen on a free port of 127.0.0.1."""
        self.supports = supports
        self.refuses: frozenset[str] = frozenset()
        self.dimensions = dimensions
        self.scale = 1.0
        self.shuffled = False
        self.requests: list[Request] = []
        self._script: deque[Reply] = deque()
        self._handler: Handler | None = None
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        """Base URL for OpenAI clients, such as http://127.0.0.1:40000/v1."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def chats(self) -> int:
        """Number of requests for chat completions (or responses)."""
        return sum(not request.path.endswith("/embeddings") for request in self.requests)

    @property
    def embeddings(self) -> int:
        """Number of requests for embeddings."""
        return sum(request.path.endswith("/embeddings") for request in self.requests)

    def script(self, *replies: Reply) -> None:
        """Append replies; each answers one request, in order."""
        with self._lock:
            self._script.extend(replies)

    def handle(self, handler: Handler) -> None:
        """Answer with a function once the script is used up."""
        self._handler = handler

    def reset(self) -> None:
        """Clear requests, script and handler; support everything again."""
        with self._lock:
            self._script.clear()
            self.requests.clear()
        self._handler = None
        self.supports = "schema"
        self.refuses = frozenset()

    def settings(self, llm: Mapping[str, object] | None = None, **sections: object) -> Settings:
        """Return settings whose LLM is this server, updated with `llm` and other sections."""
        section: dict[str, object] = {"base_url": self.base_url, "api_key": "test", "timeout_s": 5.0}
        return Settings(_env_file=None, llm=section | dict(llm or {}), **sections)  # type: ignore[arg-type]  # pydantic validates

    def close(self) -> None:
        """Stop listening, release hanging requests and close open connections."""
        self._closed.set()
        self._http.shutdown()
        self._thread.join()
        self._http.cut()
        self._http.server_close()

    def __enter__(self) -> Self:
        """Return the server, which is already listening."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def answer(self, request: Request) -> Reply:
        """Choose the reply to a request and record the request."""
        with self._lock:
            self.requests.append(request)
            embedding = request.path.endswith("/embeddings")
            refusal = None if embedding else self._refusal(request)
            if refusal is not None:
                return Reply.error(400, message=refusal)
            if self._script and (not embedding or self._script[0].for_any):
                return self._script.popleft()
        if embedding:
            return Reply.raw(self._embedded(request))
        if self._handler is None:
            return Reply.error(400, message="no reply is scripted for this call")
        return self._handler(request)

    def wait_closed(self, seconds: float | None = None) -> bool:
        """Block until the server closes; return whether it has."""
        return self._closed.wait(seconds)

    def _refusal(self, request: Request) -> str | None:
        for name in sorted(self.refuses & request.body.keys()):
            return f"Unsupported parameter: '{name}' is not supported with this model."
        kind = request.format
        if kind == "schema" and self.supports != "schema":
            return "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
        if kind == "json" and self.supports == "text":
            return "Invalid parameter: 'response_format' is not supported with this model."
        if kind == "json" and "json" not in " ".join(text for _, text in request.messages).lower():
            return (
                "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
            )
        if kind == "schema" and request.strict and (problems := problems_of(request.schema)):
            return f"Invalid schema for response_format '{request.schema_name}': {problems[0]}"
        return None

    def _embedded(self, request: Request) -> dict[str, Any]:
        data = [
            {"object": "embedding", "index": index, "embedding": self._encoded(text, request)}
            for index, text in enumerate(request.inputs)
        ]
        tokens = sum(len(text) // 4 + 1 for text in request.inputs)
        return {
            "object": "list",
            "model": request.body.get("model"),
            "data": data[::-1] if self.shuffled else data,
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }

    def _encoded(self, text: str, request: Request) -> list[float] | str:
        dimensions = request.body.get("dimensions") or self.dimensions
        vector = [value * self.scale for value in vector_of(text, dimensions)]
        if request.body.get("encoding_format") == "base64":
            return base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode()
        return vector


class _Http(ThreadingHTTPServer):
    """Keeps track of open connections, so that they can be closed."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, owner: LlmServer) -> None:
        self.owner = owner
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect, which tests do on purpose."""

    def cut(self) -> None:
        for connection in list(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue


class _Handler(BaseHTTPRequestHandler):
    """Reads one request and writes the reply chosen by the owner."""

    protocol_version = "HTTP/1.1"
    server: _Http

    def do_POST(self) -> None:  # name required by http.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(path=self.path, headers=headers, body=body)
        reply = self.server.owner.answer(request)
        if reply.delay_s:
            self.server.owner.wait_closed(reply.delay_s)
        if reply.fault == "hang":
            self.server.owner.wait_closed()
        if reply.fault:
            self.close_connection = True
            return
        self._write(reply, request)

    def _write(self, reply: Reply, request: Request) -> None:
        shape = response_body if request.path.endswith("/responses") else chat_body
        payload = reply.body if reply.body is not None else shape(reply, request)
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        self.send_response(reply.status)
        for name, value in {"Content-Type": "application/json", **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # name required by http.server
        """Log nothing."""
