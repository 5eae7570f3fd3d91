"""Kill an import with SIGKILL, restart it, and compare the result with an uninterrupted import.

    python scripts/bench/crash_check.py FILE --format locomo [--kills 2]

Each conversation of the file is imported twice into separate groups: once without interruption, and once
in a child process that is killed `--kills` times at random moments and restarted. Both groups must be equal
apart from uuids and recording times. Needs a server (`mnemo up` or NEO4J_URI); the groups are forgotten at
the end.
"""

import argparse
import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from mnemo import AsyncMemory, Memory  # noqa: E402  # the path comes first
from mnemo.config import load_settings  # noqa: E402  # the path comes first
from mnemo.ingestion.readers import read  # noqa: E402  # the path comes first
from mnemo.models.graph import Message  # noqa: E402  # the path comes first
from mnemo.store.endpoint import resolve_endpoint  # noqa: E402  # the path comes first
from support.snapshot import snapshot  # noqa: E402  # the path comes first


def main() -> int:
    """Check all conversations, or import one (in the child process)."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--format", default="auto")
    parser.add_argument("--kills", type=int, default=2, help="times that each import is killed")
    parser.add_argument("--only", type=int, help="number of one conversation, from 0")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    conversations = [list(each.messages) for each in read(options.file, format=options.format)]
    if options.child:
        with Memory() as memory:
            memory.add(conversations[options.only], group=options.child)
        return 0
    chosen = range(len(conversations)) if options.only is None else [options.only]
    return max([asyncio.run(check(options, number, conversations[number])) for number in chosen], default=0)


async def check(options: argparse.Namespace, number: int, messages: list[Message]) -> int:
    """Import one conversation both ways; return 0 if the results are equal."""
    stamp = f"crash-check-{int(time.time())}-{number}"
    straight, killed = f"{stamp}-straight", f"{stamp}-killed"
    async with AsyncMemory() as memory:
        start = time.monotonic()
        await memory.add(messages, group=straight)
        took = time.monotonic() - start
        await asyncio.to_thread(run_and_kill, options, number, killed, took)
        endpoint = resolve_endpoint(load_settings())
        one, other = await snapshot(endpoint, straight), await snapshot(endpoint, killed)
        state = await memory.status(group=killed)
        await memory.forget(group=straight)
        await memory.forget(group=killed)
    equal = one == other and state.done > 0 and not state.pending
    print(f"conversation {number}: {len(messages)} messages, {len(one)} lines, {'equal' if equal else 'DIFFERENT'}")
    for line in sorted(set(one) ^ set(other))[:10]:
        print("  only in one:", line[:160])
    return 0 if equal else 1


def run_and_kill(options: argparse.Namespace, number: int, group: str, took: float) -> None:
    """Import in child processes; all but the last are killed."""
    command = [sys.executable, __file__, options.file, "--format", options.format]
    command += ["--only", str(number), "--child", group]
    for _ in range(options.kills):
        child = subprocess.Popen(command)  # noqa: S603  # this very script
        time.sleep(random.uniform(0.3, 0.7) * took)  # noqa: S311  # not for security
        if child.poll() is None:
            os.kill(child.pid, signal.SIGKILL)
        print(f"conversation {number}: killed, {child.wait()}")
    subprocess.run(command, check=True)  # noqa: S603  # this very script


if __name__ == "__main__":
    sys.exit(main())
