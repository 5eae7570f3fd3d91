"""The text of HTML without its tags, for mails and short pages: blocks become lines, scripts are dropped."""

import re
from html.parser import HTMLParser

__all__ = ["html_text"]

_DROPPED = {"script", "style", "head", "title", "noscript", "template", "svg"}
_QUOTED = {"blockquote"}
_BLOCKS = {
    *("p", "div", "br", "li", "tr", "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "pre", "section"),
    *("article", "header", "footer", "blockquote", "dt", "dd"),
}
_SPACES = re.compile(r"[ \t\r\f\v\xa0]+")
_BREAKS = re.compile(r"\s*\n\s*\n\s*")


class _Text(HTMLParser):
    def __init__(self, *, without_quotes: bool) -> None:
        super().__init__(convert_charrefs=True)
        self._without_quotes = without_quotes
        self._dropped = _DROPPED | _QUOTED if without_quotes else _DROPPED
        self._inside: list[str] = []
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a tag."""
        quoted = any(name == "class" and "gmail_quote" in (value or "") for name, value in attrs)
        nested = bool(self._inside) and tag == self._inside[-1]
        if tag in self._dropped or (quoted and self._without_quotes) or nested:
            self._inside.append(tag)
        if tag in _BLOCKS:
            self.parts.append("\n\n" if tag in {"p", "tr"} or tag[0] == "h" else "\n")

    def handle_endtag(self, tag: str) -> None:
        """Close a tag."""
        if self._inside and tag == self._inside[-1]:
            self._inside.pop()
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Keep text that is shown."""
        if not self._inside:
            self.parts.append(data.replace("\n", " "))


def html_text(html: str, *, with_quotes: bool = True) -> str:
    """Return the text that HTML shows; without quotes, what a mail repeats of earlier ones is dropped."""
    parser = _Text(without_quotes=not with_quotes)
    parser.feed(html)
    parser.close()
    lines = (_SPACES.sub(" ", line).strip() for line in "".join(parser.parts).split("\n"))
    return _BREAKS.sub("\n\n", "\n".join(lines)).strip()
