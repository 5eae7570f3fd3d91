"""The summary that `mnemo ingest` prints."""

from io import StringIO

from rich.console import Console

from mnemo.cli.ingest import show_ingested
from mnemo.models.files import FilesAdded
from mnemo.models.results import Processed


def summary(processed: Processed) -> str:
    """Return the lines printed for an import with these results."""
    console = Console(file=StringIO(), width=200)
    added = FilesAdded(
        groups=("home",), conversations=1, messages=24, new=24, known=0, replaced=0, processed=processed, elapsed_s=2.0
    )
    show_ingested(console, added)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_dropped_items_are_reported_with_reasons() -> None:
    text = summary(Processed(done=24, dropped={"no_such_message": 2, "quote_not_found": 1_200}))
    assert "dropped from the LLM's replies: message numbers out of range 2, quotes not found 1,200" in text


def test_episodes_read_by_the_local_extractor_are_reported() -> None:
    text = summary(Processed(done=24, fallback=12))
    assert "12 read by the local extractor: the LLM's replies ran away" in text


def test_import_without_faults_mentions_neither() -> None:
    text = summary(Processed(done=24))
    assert "dropped" not in text
    assert "local extractor" not in text
