"""The text of HTML without its tags, for mails and short pages: blocks become lines, scripts are dropped.

One pass that never looks back, because the parser of the standard library takes quadratic time on broken tags.
"""

import re
from html import unescape

__all__ = ["html_text"]

_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]{0,20})(?P<attributes>[^<>]{0,5000})>|(?P<comment><!--)|<[!?][^<>]{0,1000}>"
)
_COMMENT_END = re.compile("-->")
_RAW_END = {
    name: re.compile(rf"</{name}[^<>]{{0,100}}>", re.IGNORECASE) for name in ("script", "style", "title", "textarea")
}
"""Ends of elements whose content is no HTML."""
_DROPPED = {"head", "noscript", "template", "svg"}
_QUOTED = {"blockquote"}
_BLOCKS = {
    *("p", "div", "br", "li", "tr", "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "pre", "section"),
    *("article", "header", "footer", "blockquote", "dt", "dd"),
}
_APART = {"p", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "hr"}
_SPACES = re.compile(r"[ \t\r\f\v\xa0]+")
_BREAKS = re.compile(r"\n{3,}")


class _Text:
    """Text that is shown, and the element that is left out at the moment."""

    def __init__(self, dropped: set[str], *, without_quotes: bool) -> None:
        self._dropped = dropped
        self._without_quotes = without_quotes
        self._inside: list[str] = []
        self.parts: list[str] = []

    def open(self, name: str, attributes: str) -> None:
        """Open an element."""
        quoted = self._without_quotes and "gmail_quote" in attributes
        if name in self._dropped or quoted or (self._inside and name == self._inside[-1]):
            self._inside.append(name)
        if name in _BLOCKS:
            self.parts.append("\n\n" if name in _APART else "\n")

    def close(self, name: str) -> None:
        """Close an element."""
        if self._inside and name == self._inside[-1]:
            self._inside.pop()
        if name in _BLOCKS:
            self.parts.append("\n")

    def add(self, text: str) -> None:
        """Keep text that is shown."""
        if text and not self._inside:
            self.parts.append(unescape(text).replace("\n", " "))


def html_text(html: str, *, with_quotes: bool = True) -> str:
    """Return the text that HTML shows; without quotes, what a mail repeats of earlier ones is dropped."""
    text = _Text(_DROPPED if with_quotes else _DROPPED | _QUOTED, without_quotes=not with_quotes)
    at = 0
    while match := _TAG.search(html, at):
        text.add(html[at : match.start()])
        at = match.end()
        name = (match["name"] or "").lower()
        if match["comment"]:
            end = _COMMENT_END.search(html, at)
            at = end.end() if end else len(html)
        elif name in _RAW_END and not match["close"]:
            end = _RAW_END[name].search(html, at)
            at = end.end() if end else len(html)
        elif name and match["close"]:
            text.close(name)
        elif name:
            text.open(name, match["attributes"])
    text.add(html[at:])
    lines = (_SPACES.sub(" ", line).strip() for line in "".join(text.parts).split("\n"))
    return _BREAKS.sub("\n\n", "\n".join(lines)).strip()
