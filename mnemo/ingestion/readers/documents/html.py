"""Web pages: the main text as trafilatura finds it, without menus and footers, in sections like Markdown.

The title, the author and a publication date are taken from the page's own metadata alone; no date is guessed from
the text.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.documents.extra import library
from mnemo.ingestion.readers.documents.html_text import html_text
from mnemo.ingestion.readers.documents.markdown import sections
from mnemo.ingestion.readers.documents.parts import Frame, messages
from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.files.source import Source, format_error
from mnemo.ingestion.readers.times import localise
from mnemo.ingestion.readers.written import parse_date
from mnemo.models.graph import Message

__all__ = ["is_html", "read"]

_MOST_BYTES = 50_000_000
_BEGINS = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?:<!doctype\s+html|<html[\s>])", re.IGNORECASE | re.DOTALL
)
_SUFFIXES = {".html", ".htm", ".xhtml"}
_DATES = (
    *("article:published_time", "datepublished", "dc.date", "dc.date.issued", "dcterms.date", "dcterms.created"),
    *("date", "pubdate", "publish-date", "publication_date", "og:published_time", "parsely-pub-date"),
)
_AUTHORS = ("author", "article:author", "dc.creator", "parsely-author")


def is_html(source: Source, lines: Sequence[str]) -> bool:
    """Whether a file is a web page: it begins like one, or has a suffix of one and any tag."""
    text = "\n".join(lines)
    return _BEGINS.match(text) is not None or (source.suffix in _SUFFIXES and "<" in text)


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the page as one document.

    Raises:
        ReaderError: The extra `documents` is not installed, or the page is over 50 MB.
    """
    trafilatura = library("trafilatura", source, "a web page")
    lxml_html = library("lxml.html", source, "a web page")

    def load() -> Iterator[Message]:
        page = source.head(_MOST_BYTES + 1)
        if len(page) > _MOST_BYTES:
            raise format_error(source.path, "is a web page of over 50 MB")
        html = _decoded(page, source)
        metadata = _metadata(lxml_html, html)
        moment = parse_date(metadata.pop("date", ""), options.dates)
        frame = Frame(source, (None, options.zone.key) if moment is None else localise(moment, options.zone), metadata)
        for part in sections(enumerate(_text(trafilatura, html).split("\n"), 1)):
            part.line = 0
            yield from messages(frame, part)

    yield Conversation(source.name, source.label, load, path=source.identity)


def _decoded(page: bytes, source: Source) -> str:
    """Decode by the page's own declaration where it has one, else as any text."""
    declared = re.search(rb"<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*[\"']?([\w-]{2,40})", page[:4096])
    if declared:
        try:
            return page.decode(declared[1].decode("ascii"))
        except (LookupError, UnicodeError):
            pass
    return page.decode(source.encoding.codec, source.encoding.errors)


def _text(trafilatura: Any, html: str) -> str:
    found = trafilatura.extract(
        html, output_format="markdown", include_comments=False, include_links=False, favor_recall=True
    )
    return found or html_text(html)


def _metadata(lxml_html: Any, html: str) -> dict[str, Any]:
    """Return the title, the author and the date that the page states."""
    try:
        root = lxml_html.fromstring(html.encode("utf-8", "replace"), parser=lxml_html.HTMLParser(encoding="utf-8"))
    except (ValueError, lxml_html.etree.ParserError):
        return {}
    stated = {
        str(tag.get("name") or tag.get("property") or tag.get("itemprop") or "").lower(): tag.get("content")
        for tag in root.iter("meta")
    }
    times = [tag.get("datetime") for tag in root.iter("time") if tag.get("pubdate") is not None]
    title = next((tag.text_content().strip() for tag in root.iter("title")), None)
    return {
        "title": title or None,
        "author": next((stated[key] for key in _AUTHORS if stated.get(key)), None),
        "date": next((stated[key] for key in _DATES if stated.get(key)), None) or next(iter(times), None) or "",
    }
