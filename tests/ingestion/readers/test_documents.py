"""Web pages, PDF and Word files."""

import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

import pytest

from mnemo.errors import ReaderError
from mnemo.ingestion.readers.documents.html_text import html_text
from support.documents import locked_pdf, pdf, word
from support.reader_cases import CASES, expected, messages, rendered, tolerant, write


def test_a_page_is_read_without_its_menus() -> None:
    assert rendered(CASES / "documents/page.html") == expected("documents/page.html")


def test_dates_in_page_text_are_ignored(tmp_path: Path) -> None:
    page = (
        "<html><head><title>T</title></head><body><p>On 3 May 2021 I left for Faro with my aunt Rosa.</p></body></html>"
    )
    [message] = messages(write(tmp_path, "a.html", page))
    assert (message.content, message.occurred_at) == ("On 3 May 2021 I left for Faro with my aunt Rosa.", None)


@pytest.mark.parametrize(
    "tag",
    [
        '<meta name="date" content="2024-03-09">',
        '<meta property="article:published_time" content="2024-03-09T00:00:00Z">',
        '<meta itemprop="datePublished" content="9 March 2024">',
        '<meta name="DC.date" content="2024/03/09">',
    ],
)
def test_date_in_page_metadata_is_its_time(tmp_path: Path, tag: str) -> None:
    page = f"<html><head>{tag}</head><body><p>We hired two bicycles in Faro.</p></body></html>"
    [message] = messages(write(tmp_path, "a.html", page))
    assert message.occurred_at == datetime(2024, 3, 9, tzinfo=UTC)


def test_page_is_decoded_by_its_declared_encoding(tmp_path: Path) -> None:
    page = '<html><head><meta charset="iso-8859-1"></head><body><p>Olhão é bonita.</p></body></html>'
    [message] = messages(write(tmp_path, "a.html", page.encode("latin-1")))
    assert message.content == "Olhão é bonita."


def test_a_short_page_keeps_its_text(tmp_path: Path) -> None:
    assert [m.content for m in messages(write(tmp_path, "a.html", "<p>I moved to Ghent.</p>"))] == ["I moved to Ghent."]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One</p><p>Two<br>lines</p>", "One\n\nTwo\nlines"),
        ("<script>x()</script>a<style>b{}</style>&amp;&nbsp;c", "a& c"),
        ("<ul><li>a<li>b</ul>", "a\nb"),
        ("<div>a\n  b</div>", "a b"),
        ("<p>unclosed <b>tag", "unclosed tag"),
    ],
)
def test_html_becomes_text(html: str, text: str) -> None:
    assert html_text(html) == text


def test_pdf_gives_one_message_per_page(tmp_path: Path) -> None:
    found = messages(write(tmp_path, "a.pdf", pdf(["I sold the Kittiwake.\nIn February.", "", "Rosa lives in Faro."])))
    assert [(m.role, m.content, m.metadata["page"], m.occurred_at) for m in found] == [
        ("document", "I sold the Kittiwake.\nIn February.", "1", None),
        ("document", "Rosa lives in Faro.", "3", None),
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (pdf(["", ""]), "is a PDF file without text, such as scanned pages"),
        (locked_pdf("x"), "is a PDF file with a password"),
        (pdf(["x"])[:200], "is a PDF file that cannot be read"),
        (b"%PDF-1.4\n" + bytes(range(256)) * 20, "is a PDF file that cannot be read"),
    ],
)
def test_unreadable_pdf_error_gives_the_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(ReaderError, match=reason):
        messages(write(tmp_path, "a.pdf", data))


def test_word_file_is_split_at_headings(tmp_path: Path) -> None:
    found = messages(write(tmp_path, "a.docx", word()))
    assert [(m.content, m.metadata) for m in found] == [
        ("# Trip\n\nWe leave for Faro on Monday.", {"title": "Trip plan", "author": "Ines", "heading": "Trip"}),
        (
            "## Day two\n\n- Rosa owns a bakery.\n\nHotel | Marina",
            {"title": "Trip plan", "author": "Ines", "heading": "Trip > Day two"},
        ),
    ]


def packed(**files: str) -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (packed(**{"word/document.xml": "<x"}), "is a Word file that cannot be read"),
        (packed(**{"xl/workbook.xml": "<x"}), "is an Excel file .save it as CSV."),
        (packed(**{"ppt/presentation.xml": "<x"}), "is a PowerPoint file"),
        (packed(**{"content.xml": "<x", "mimetype": "y"}), "is an OpenDocument file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 100, "is an old Office file .save it as .docx."),
    ],
)
def test_unreadable_office_file_error_gives_the_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(ReaderError, match=reason):
        messages(write(tmp_path, "a.docx", data))


class Missing:
    """Hides the libraries of the extra, as on a machine without it."""

    def find_spec(self, name: str, *_: object) -> None:
        if name.split(".", maxsplit=1)[0] in {"pypdf", "docx", "trafilatura"}:
            raise ModuleNotFoundError(name)


@pytest.fixture
def without_extra() -> Iterator[None]:
    gone = {
        name: module for name, module in sys.modules.items() if name.split(".")[0] in {"pypdf", "docx", "trafilatura"}
    }
    for name in gone:
        del sys.modules[name]
    finder = Missing()
    sys.meta_path.insert(0, finder)  # type: ignore[arg-type]  # the one method that imports call
    yield
    sys.meta_path.remove(finder)  # type: ignore[arg-type]  # the same
    sys.modules.update(gone)


@pytest.mark.usefixtures("without_extra")
@pytest.mark.parametrize(("name", "data"), [("a.pdf", b"%PDF-1.4"), ("a.docx", word()), ("a.html", b"<html></html>")])
def test_missing_extra_is_named_in_the_error(tmp_path: Path, name: str, data: bytes) -> None:
    with pytest.raises(ReaderError, match=r"reading it needs the extra documents: pip install 'mnemo\[documents\]'"):
        messages(write(tmp_path, name, data))


@pytest.mark.usefixtures("without_extra")
def test_missing_extra_does_not_stop_a_folder(tmp_path: Path) -> None:
    write(tmp_path, "a.pdf", b"%PDF-1.4")
    write(tmp_path, "b.txt", "I moved to Ghent.")
    found, report = tolerant(tmp_path)
    assert [m.content for m in found] == ["I moved to Ghent."]
    assert [each.file for each in report.left_out] == ["a.pdf"]
