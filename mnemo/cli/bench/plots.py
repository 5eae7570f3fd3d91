"""Decides before a benchmark runs whether its plot can be drawn."""

from pathlib import Path

from mnemo.bench.extras import is_installed
from mnemo.cli.rendering.output import Output

__all__ = ["plot_path"]


def plot_path(output: Output, path: Path, *, library: str = "matplotlib") -> Path | None:
    """Return `path` if plots can be drawn; otherwise print a note and return None.

    Call it before the benchmark runs, so that the note appears before minutes of work.

    Args:
        output: Receives the note.
        path: File of the plot.
        library: Library that draws the plot.
    """
    if is_installed(library):
        return path
    output.note(f"{library} is not installed: numbers are written without a plot. Run pip install 'mnemo[bench]'")
    return None
