"""What `mnemo ingest` says at its end."""

from io import StringIO

from rich.console import Console

from mnemo.cli.ingest import show_ingested
from mnemo.memory.files.add import FilesAdded
from mnemo.models.results import Processed


def summary(processed: Processed) -> str:
    """The lines printed for an import that processed this."""
    console = Console(file=StringIO(), width=200)
    added = FilesAdded(
        groups=("home",), conversations=1, messages=24, new=24, known=0, replaced=0, processed=processed, elapsed_s=2.0
    )
    show_ingested(console, added)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_what_was_dropped_from_replies_is_said_with_its_reason() -> None:
    text = summary(Processed(done=24, dropped={"no_such_message": 2, "quote_not_found": 1_200}))
    assert "dropped from the LLM's replies: message numbers out of range 2, quotes not found 1,200" in text


def test_what_the_local_extractor_read_is_said() -> None:
    text = summary(Processed(done=24, fallback=12))
    assert "12 read by the local extractor: the LLM's replies ran away" in text


def test_import_without_faults_mentions_neither() -> None:
    text = summary(Processed(done=24))
    assert "dropped" not in text
    assert "local extractor" not in text
