"""Draw an answer in Neo4j Browser in headless Chromium and save the picture.

    mnemo up
    python scripts/browser_picture.py [--out cypher/browser/recall.png] [--question '…'] [--group friends]

The sample conversation is ingested with LLM replies recorded in `tests/cases/replies`; a mnemo server is
started, and Browser runs `CALL mnemo.recall(…)`. Needs
Selenium (`pip install selenium`), Chromium and its driver (Debian: `chromium chromium-driver`).
"""

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from mnemo.config import Settings, load_settings  # noqa: E402  # the paths come first
from mnemo.memory import AsyncMemory  # noqa: E402  # the paths come first
from mnemo.server.running import ANNOUNCEMENT  # noqa: E402  # the paths come first
from mnemo.store.endpoint import Endpoint, read_local, resolve_endpoint  # noqa: E402  # the paths come first
from support.browser import Browser  # noqa: E402  # the paths come first
from support.llm_server import LlmServer  # noqa: E402  # the paths come first
from support.replay import prepared, replaying  # noqa: E402  # the paths come first
from support.replies import Recorded  # noqa: E402  # the paths come first

QUESTION = "Who looks after Biscuit when Theo is away?"
STYLE = ROOT / "cypher" / "browser" / "mnemo.grass"
START_S = 120.0


def main() -> None:
    """Save the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "cypher" / "browser" / "recall.png")
    parser.add_argument("--question", default=QUESTION)
    parser.add_argument("--group", default="friends")
    options = parser.parse_args()
    settings = load_settings()
    local = read_local(settings.server_dir)
    if settings.neo4j.uri is not None or local is None or not local.alive:
        sys.exit("this needs the local server: unset NEO4J_URI and run `mnemo up`")
    with LlmServer() as server:
        server.handle(Recorded())
        asyncio.run(remember(replaying(server, settings), options.group))
        with mnemo_server(settings, server.base_url):
            draw(local.http_url, resolve_endpoint(settings), options)


async def remember(settings: Settings, group: str) -> None:
    """Ingest the sample into a group and build its categories, unless that is done."""
    async with AsyncMemory(settings, group=group) as memory:
        await prepared(memory)


@contextmanager
def mnemo_server(settings: Settings, llm: str) -> Iterator[None]:
    """Run `mnemo serve` with the scripted LLM on a free port while the block runs."""
    announcement = settings.server_dir / ANNOUNCEMENT
    announcement.unlink(missing_ok=True)
    environment = os.environ | {
        "MNEMO_LLM__BASE_URL": llm,
        "MNEMO_LLM__API_KEY": "scripted",
        "MNEMO_API__PORT": "0",
        "PYTHONPATH": str(ROOT),
    }
    process = subprocess.Popen(  # our own command
        [sys.executable, "-c", "from mnemo.cli import main; main()", "serve"],
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + START_S
        while not announcement.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)
        if not announcement.exists():
            sys.exit("mnemo serve did not start")
        yield
    finally:
        process.terminate()
        process.wait()


def draw(address: str, endpoint: Endpoint, options: argparse.Namespace) -> None:
    """Run the call in Browser and save what it shows."""
    profile = tempfile.mkdtemp(prefix="mnemo-browser-")
    try:
        with Browser(Path(profile)) as browser:
            browser.open(f"{address}/browser/")
            browser.connect(endpoint.uri, endpoint.username, endpoint.password)
            browser.run(f":style {' '.join(STYLE.read_text(encoding='utf-8').split())}")
            browser.run(":config {autoComplete: false}")
            browser.run(":clear")
            group, question = quoted(options.group), quoted(options.question)
            browser.run(f"CALL mnemo.recall({group}, {question})")
            nodes, relationships = browser.graph()
            options.out.parent.mkdir(parents=True, exist_ok=True)
            browser.picture(options.out)
    finally:
        shutil.rmtree(profile, ignore_errors=True)
    print(f"{options.out}: {nodes} nodes, {relationships} relationships, {options.out.stat().st_size // 1024} kB")


def quoted(text: str) -> str:
    """Return a text as a Cypher string literal."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


if __name__ == "__main__":
    main()
