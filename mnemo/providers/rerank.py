"""A rerank endpoint over HTTP, in the shapes of Cohere, Jina (`/rerank` with documents) and TEI (with texts)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from mnemo.errors import (
    MalformedReplyError,
    ProviderAuthError,
    ProviderError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitError,
)

if TYPE_CHECKING:
    import httpx

__all__ = ["HttpReranker"]

_UNAUTHORISED = (401, 403)
_WRONG_SHAPE = (400, 404, 422)
_TOO_MANY = 429
_FAILED = 500


class HttpReranker:
    """Asks `{base_url}/rerank`; finds out by its first answer which of the shapes the server takes."""

    def __init__(
        self, base_url: str, *, model: str | None = None, api_key: SecretStr | None = None, timeout_s: float = 30.0
    ) -> None:
        """Keep where to ask; nothing is sent yet."""
        import httpx  # noqa: PLC0415  # only this provider needs it

        headers = {"Authorization": f"Bearer {api_key.get_secret_value()}"} if api_key else {}
        self._http = httpx.AsyncClient(headers=headers, timeout=timeout_s)
        self._url = f"{base_url.rstrip('/')}/rerank"
        self._model = model
        self._texts = False

    async def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score a text, input order, higher is better.

        Raises:
            MalformedReplyError: The reply has no score for a text.
            ProviderError: See its kinds.
        """
        if not texts:
            return []
        reply = await self._post(self._body(question, texts))
        if reply.status_code in _WRONG_SHAPE:
            self._texts = not self._texts
            reply = await self._post(self._body(question, texts))
        _check(reply)
        return _read(reply, len(texts))

    async def close(self) -> None:
        """Free connections."""
        await self._http.aclose()

    def _body(self, question: str, texts: Sequence[str]) -> dict[str, Any]:
        if self._texts:
            return {"query": question, "texts": list(texts), "raw_scores": False, "truncate": True}
        model = {"model": self._model} if self._model else {}
        return {**model, "query": question, "documents": list(texts), "top_n": len(texts)}

    async def _post(self, body: dict[str, Any]) -> "httpx.Response":
        import httpx  # noqa: PLC0415  # as above

        failure: ProviderError
        try:
            return await self._http.post(self._url, json=body)
        except httpx.TimeoutException:
            failure = ProviderTimeoutError("the rerank endpoint did not answer in time")
        except httpx.HTTPError as error:
            failure = ProviderUnavailableError(f"the rerank endpoint cannot be reached ({type(error).__name__})")
        raise failure


def _check(reply: "httpx.Response") -> None:
    status = reply.status_code
    if status in _UNAUTHORISED:
        message = "the rerank endpoint refuses the key; set MNEMO_RERANK__API_KEY"
        raise ProviderAuthError(message)
    if status == _TOO_MANY:
        message = "the rerank endpoint answers 429: too many requests"
        raise RateLimitError(message)
    if status >= _FAILED:
        message = f"the rerank endpoint answers {status}"
        raise ProviderUnavailableError(message)
    if not reply.is_success:
        message = f"the rerank endpoint answers {status}: it takes neither documents nor texts, or not this model"
        raise ProviderError(message)


def _read(reply: "httpx.Response", number: int) -> list[float]:
    """Read `{"results": [{"index", "relevance_score"}]}`, `{"data": …}` or `[{"index", "score"}]`."""
    try:
        body = reply.json()
        rows = body if isinstance(body, list) else body.get("results") or body.get("data")
        found = {int(row["index"]): float(row.get("relevance_score", row.get("score"))) for row in rows}
        return [found[place] for place in range(number)]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        message = "the rerank endpoint's reply has no score for each text"
        raise MalformedReplyError(message) from error
