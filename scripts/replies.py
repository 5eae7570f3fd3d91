"""Check the recorded replies against the prompts that mnemo sends today, and record new ones.

    python scripts/replies.py            list prompts without a matching reply; exit 1 if there are any
    python scripts/replies.py accept     keep replies that are still right after the instructions were reworded
    python scripts/replies.py live       record missing replies of the configured LLM

Ingests the sample conversation, builds its categories and asks its questions in a temporary group on the
configured Neo4j server, with a scripted LLM server that replays `tests/cases/replies`. Read the replies of
an LLM before committing them.
"""

import asyncio
import json
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import httpx  # noqa: E402  # the paths come first

from mnemo.config import Settings, load_settings  # noqa: E402  # the paths come first
from support.llm_server import LlmServer, Reply, Request  # noqa: E402  # the paths come first
from support.replay import replaying, walk  # noqa: E402  # the paths come first
from support.replies import Missing, Recorded  # noqa: E402  # the paths come first

_WIDTH = 160


def main(mode: str) -> int:
    """Replay the sample; return the exit code."""
    settings, recorded = load_settings(), Recorded()

    def handle(request: Request) -> Reply:
        if mode == "accept":
            recorded.accept(request)
        seen = len(recorded.missing)
        reply = recorded(request)
        if mode == "live" and len(recorded.missing) > seen:
            del recorded.missing[seen:]
            recorded.learn(request, _live(settings, request))
            return recorded(request)
        return reply

    with LlmServer() as server:
        server.handle(handle)
        asyncio.run(walk(replaying(server, settings), f"replies-{uuid.uuid4().hex}"))
    if mode != "check":
        recorded.save()
    _report(recorded.missing, recorded.used)
    return 1 if recorded.missing else 0


def _live(settings: Settings, request: Request) -> object:
    """Return the reply of the configured LLM to the same request."""
    if settings.llm_key is None and settings.llm.base_url is None:
        sys.exit("live needs an LLM; set OPENAI_API_KEY or MNEMO_LLM__BASE_URL")
    url = f"{(settings.llm.base_url or 'https://api.openai.com/v1').rstrip('/')}/chat/completions"
    key = settings.llm_key.get_secret_value() if settings.llm_key else "none"
    body = {**request.body, "model": settings.llm.model}
    answered = httpx.post(url, json=body, headers={"Authorization": f"Bearer {key}"}, timeout=settings.llm.timeout_s)
    answered.raise_for_status()
    return json.loads(answered.json()["choices"][0]["message"]["content"])


def _report(missing: Sequence[Missing], used: dict[str, int]) -> None:
    print(", ".join(f"{kind} {count}" for kind, count in used.items()))
    for each in missing:
        why = "the instructions have changed" if each.stale else "no reply"
        print(f"{each.kind}: {why}: {' '.join(each.what.split())[:_WIDTH]}")


if __name__ == "__main__":
    MODES = ("check", "accept", "live")
    MODE = sys.argv[1] if len(sys.argv) > 1 else "check"
    sys.exit(main(MODE) if MODE in MODES else f"mode must be one of {', '.join(MODES)}, got {MODE!r}")
