#!/usr/bin/env python3
"""Print what the online tree adds to an import: wall seconds of the base graph and of the tree, on the same messages.

    scripts/bench/memtree_ingest.py LOCOMO_FILE [MESSAGES]

The group `bench/memtree-ingest` is made anew and deleted at the end.
"""

import sys
import time
from itertools import islice
from pathlib import Path

from mnemo.config import load_settings
from mnemo.ingestion.readers import read
from mnemo.memory import Memory

GROUP = "bench/memtree-ingest"


def main(path: Path, count: int) -> None:
    """Import the first messages in one go, and a few more one by one."""
    messages = list(islice((message for talk in read(path) for message in talk.messages), count + 20))
    with Memory(load_settings(), group=GROUP) as memory:
        memory.forget(group=GROUP)
        memory.add("Warm up.")
        start = time.perf_counter()
        run = memory.add(messages[:count]).processed
        whole = time.perf_counter() - start
        tree = run.seconds.get("memtree", 0.0) if run else 0.0
        print(f"bulk: {count} messages, base graph {whole - tree:.1f} s, tree {tree:.1f} s ({tree / whole:.0%} of all)")
        singles = []
        for message in messages[count:]:
            start = time.perf_counter()
            run = memory.add(message).processed
            singles.append((time.perf_counter() - start, run.seconds.get("memtree", 0.0) if run else 0.0))
        whole, tree = (sorted(column)[len(singles) // 2] for column in zip(*singles, strict=True))
        print(f"one by one: median {1000 * whole:.0f} ms, of which the tree {1000 * tree:.0f} ms")
        print({stage: round(value, 2) for stage, value in (run.seconds if run else {}).items()})
        memory.forget(group=GROUP)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 400)  # noqa: PLR2004  # the second argument
