"""How well `ask` answers without an LLM: the answer in the first line, in what is shown, and refusals.

    python scripts/bench/asks.py [tests/cases/asks/questions.txt] [--show] [--show-kept] [--json]

The conversations stand beside the file as NAME.jsonl; `sample` is the one that comes with mnemo. Each is ingested
into a new group, which is forgotten at the end. Needs a server (`mnemo up` or NEO4J_URI).
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from mnemo import samples  # noqa: E402  # the path comes first
from mnemo.bench.asks import AskOutcome, AskRates, parse, rates  # noqa: E402  # the same
from mnemo.bench.asks_run import local_only, run  # noqa: E402  # the same
from mnemo.config import load_settings  # noqa: E402  # the same

QUESTIONS = ROOT / "tests" / "cases" / "asks" / "questions.txt"
COLUMNS = ("part", "answerable", "in_first_line", "shown", "refused_wrongly", "unanswerable", "refused_rightly")


def main() -> None:
    """Ask all questions and print the rates of each part and of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, nargs="?", default=QUESTIONS, help="the file of questions")
    parser.add_argument("--show", action="store_true", help="list the failures of dev questions with their answers")
    parser.add_argument("--show-kept", action="store_true", help="list those of kept questions; tune nothing on them")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    questions = parse(options.path.read_text(encoding="utf-8"), options.path.name)
    files = {each.conversation: options.path.with_name(f"{each.conversation}.jsonl") for each in questions}
    if "sample" in files:
        files["sample"] = samples.conversation()
    outcomes = asyncio.run(run(questions, files, local_only(load_settings()), on_progress=_progress))
    listed = {"dev": options.show, "kept": options.show_kept}
    failures = [each for each in outcomes if each.failed and listed[each.question.part]]
    if options.json:
        found = {"rates": [asdict(each) for each in rates(outcomes)], "failures": [asdict(each) for each in failures]}
        print(json.dumps(found, ensure_ascii=False, indent=2))
        return
    _print_failures(failures)
    _print_rates(rates(outcomes))


def _print_failures(failures: Sequence[AskOutcome]) -> None:
    for each in failures:
        right = "; ".join(" / ".join(item) for item in each.question.right) or "nothing answers this"
        print(f"{each.question.conversation} {each.question.part}: {each.question.text}")
        print(f"  right: {right}{', shown' if each.shown else ''}{', refused' if each.refused else ''}")
        print("".join(f"  | {line}\n" for line in each.answer.splitlines()))


def _print_rates(rows: Sequence[AskRates]) -> None:
    print("  ".join(COLUMNS))
    for row in rows:
        values = (getattr(row, name) for name in COLUMNS)
        shown = (f"{value:.1f} %" if isinstance(value, float) else str(value) for value in values)
        print("  ".join(value.rjust(len(name)) for name, value in zip(COLUMNS, shown, strict=True)))


def _progress(done: int, total: int) -> None:
    print(f"\r{done}/{total}", end="\n" if done == total else "", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
