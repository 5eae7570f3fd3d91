"""Scores of facts as a table, JSON and a list of failures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.table import Table

from mnemo.bench.facts.scores import MEASURES, Count, Failure, FailureKind, SceneScore, totals

__all__ = ["listing", "scores_rows", "scores_table"]


def scores_rows(scores: Iterable[SceneScore]) -> dict[str, dict[str, dict[str, float]]]:
    """Return `share` (0 to 1), `right` and `all` by file group and measure."""
    return {
        group: {
            measure: {"share": round(count.share, 4), "right": count.right, "all": count.all}
            for measure, count in counts.items()
        }
        for group, counts in totals(scores).items()
    }


def scores_table(scores: Iterable[SceneScore]) -> Table:
    """Return a table with a row per measure and a column per file group, in percent and as counts."""
    groups: Mapping[str, Mapping[str, Count]] = totals(scores)
    table = Table("measure", *groups)
    for measure in MEASURES:
        counts = (group[measure] for group in groups.values())
        table.add_row(measure, *(f"{100 * each.share:.1f} ({each.right}/{each.all})" for each in counts))
    return table


def listing(scores: Iterable[SceneScore], kinds: Sequence[FailureKind]) -> Iterator[str]:
    """Yield the failures of some kinds as text of several lines: message, expected, got."""
    for score in scores:
        for failure in score.failures:
            if failure.kind in kinds:
                yield _shown(score.file, failure)


def _shown(file: str, failure: Failure) -> str:
    message = failure.message
    if message is None:
        return f"[{failure.kind}] {file} {failure.scene}: {failure.expected}: {'; '.join(failure.got)}"
    role = "" if message.role == "user" else f" ({message.role})"
    lines = [
        f"[{failure.kind}] {file}.txt:{message.line} {failure.scene} {message.at:%a %Y-%m-%d %H:%M} {message.zone}",
        f"    {message.speaker}{role}: {message.content}",
        f"    expected: {failure.expected}",
        *(f"    got:      {got}" for got in failure.got),
    ]
    return "\n".join(lines)
