"""Measures precision and recall of facts, ends, times and entities extracted by local models.

    python scripts/bench/facts.py tests/cases/everyday [--show false --show ends] [--json] [--scene NAME] [--offline]

PATH is a file or folder of cases; see `mnemo.bench.facts.cases` for the format. The conversations are ingested into
temporary groups. With `--offline` only extraction and resolution run, which takes seconds. Scores are printed by file
group, which is the file name up to the first `_`.
"""

import argparse
import asyncio
import json
from pathlib import Path

from rich.console import Console

from mnemo.bench.facts import KINDS, read_scenes
from mnemo.bench.facts.offline import measure_offline
from mnemo.bench.facts.report import listing, scores_rows, scores_table
from mnemo.bench.facts.run import measure
from mnemo.config import load_settings


def main() -> None:
    """Print the scores, then the requested failures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--show", action="append", default=[], choices=[*KINDS, "all"], help="list these failures")
    parser.add_argument("--scene", action="append", default=[], help="only this conversation; may be repeated")
    parser.add_argument("--window", type=int, default=20, help="messages per extraction; 1 is message by message")
    parser.add_argument("--offline", action="store_true", help="run without a database; ignores --window")
    parser.add_argument("--json", action="store_true", help="print the scores as JSON")
    options = parser.parse_args()
    scenes = [scene for scene in read_scenes(options.path) if not options.scene or scene.name in options.scene]
    if options.offline:
        scores = measure_offline(scenes)
    else:
        scores = asyncio.run(measure(load_settings(), scenes, window=options.window))
    kinds = KINDS if "all" in options.show else tuple(options.show)
    if options.json:
        print(json.dumps(scores_rows(scores), indent=2))
    else:
        Console().print(scores_table(scores))
    for failure in listing(scores, kinds):
        print(failure)


if __name__ == "__main__":
    main()
