"""Converts XML to trees and back.

An element is a node with the attributes of the element. Its text is the attribute `text`; the text between its end
and the next sibling is the attribute `tail`. XML attributes with these names get the prefix @. Names keep their
namespace prefixes. Whitespace between elements is dropped as layout, except next to text and under
xml:space="preserve".
"""

import re
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from mnemo.errors import ArgumentError, ReaderError
from mnemo.models.tree import TreeNode
from mnemo.models.tree_text import as_text
from mnemo.semxpath.limits import MAX_DEPTH

__all__ = ["tree_of_xml", "xml_text"]

_TEXT_ATTRIBUTES = ("text", "tail")
_NAME = re.compile(r"[^\W\d][\w.\-]*(?::[^\W\d][\w.\-]*)?")
_INVALID = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_RETURN = {"\r": "&#13;"}
"""XML parsers convert a bare carriage return to a line feed."""
_BREAKS = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def tree_of_xml(text: str) -> tuple[TreeNode, list[str]]:
    """Read an XML document; return its tree and what was dropped.

    Raises:
        ReaderError: The document is not well-formed, or declares entities.
    """
    reader = _Reader()
    try:
        reader.parser.Parse(text.encode("utf-8", "surrogatepass"), True)  # noqa: FBT003 - positional in expat
    except expat.ExpatError as error:
        message = f"not well-formed XML at line {error.lineno}, column {error.offset}: {expat.ErrorString(error.code)}"
        raise ReaderError(message) from error
    return _frozen(reader.root), reader.notes()


def xml_text(root: TreeNode) -> tuple[str, list[str]]:
    """Write a tree as XML; return the document and what was dropped.

    Raises:
        ArgumentError: A type or attribute is not an XML name, or a text has characters that XML does not allow.
    """
    kinds = {
        type(value).__name__ for node in root.walk() for value in node.attributes.values() if not isinstance(value, str)
    }
    notes = [f"values of type {', '.join(sorted(kinds))} were converted to text"] if kinds else []
    return _written(root, "\n") + "\n", notes


class _Element:
    """An element being read."""

    def __init__(self, name: str, attributes: dict[str, Any], *, preserves: bool = False) -> None:
        self.name = name
        self.preserves = preserves
        self.attributes = attributes
        self.children: list[_Element] = []
        self.text: list[str] = []
        self.tail: list[str] = []

    def assign_texts(self) -> bool:
        """Set the attributes `text` and `tail`; return False if text of only whitespace was dropped."""
        texts = ["".join(self.text), *("".join(child.tail) for child in self.children)]
        keeps = self.preserves or any(text.strip() for text in texts)
        holders = [(self, "text"), *((child, "tail") for child in self.children)]
        for (holder, name), text in zip(holders, texts, strict=True):
            if text and keeps:
                holder.attributes[name] = text
        return keeps or bool(self.children) or not texts[0]


class _Reader:
    def __init__(self) -> None:
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.ordered_attributes = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.CommentHandler = lambda _: self._drop("comments")
        self.parser.ProcessingInstructionHandler = lambda *_: self._drop("processing instructions")
        self.parser.StartDoctypeDeclHandler = lambda *_: self._drop("document types")
        self.parser.StartCdataSectionHandler = lambda: self._drop("CDATA sections")
        self.parser.EntityDeclHandler = self._entity
        self.parser.SkippedEntityHandler = self._skipped
        self.root = _Element("", {})
        self._open = [self.root]
        self._counts: dict[str, int] = {}

    def notes(self) -> list[str]:
        return [f"{count} {what} were dropped" for what, count in self._counts.items()]

    def _start(self, name: str, attributes: list[str]) -> None:
        if len(self._open) > MAX_DEPTH:
            message = f"a tree must have at most {MAX_DEPTH} levels, got more at line {self.parser.CurrentLineNumber}"
            raise ReaderError(message)
        given = dict(zip(attributes[::2], attributes[1::2], strict=True))
        space = given.get("xml:space")
        preserves = self._open[-1].preserves if space is None else space == "preserve"
        element = _Element(name, {_escaped(key): value for key, value in given.items()}, preserves=preserves)
        self._open[-1].children.append(element)
        self._open.append(element)

    def _end(self, _: str) -> None:
        element = self._open.pop()
        if not element.assign_texts():
            self._drop("texts of only whitespace")

    def _characters(self, text: str) -> None:
        element = self._open[-1]
        (element.children[-1].tail if element.children else element.text).append(text)

    def _drop(self, what: str) -> None:
        self._counts[what] = self._counts.get(what, 0) + 1

    def _entity(self, name: str, *_: object) -> None:
        message = f"the document declares the entity {name!r}; entities are not supported, write their text instead"
        raise ReaderError(message)

    def _skipped(self, name: str, *_: object) -> None:
        message = f"the entity {name!r} is not declared in the document; write its text instead"
        raise ReaderError(message)


def _escaped(name: str) -> str:
    return f"@{name}" if name in _TEXT_ATTRIBUTES or name.startswith("@") else name


def _frozen(holder: _Element) -> TreeNode:
    order = [holder]
    for element in order:
        order.extend(element.children)
    built: dict[int, TreeNode] = {}
    for element in reversed(order):
        children = tuple(built[id(child)] for child in element.children)
        built[id(element)] = TreeNode(type=element.name, attributes=element.attributes, children=children)
    return built[id(holder.children[0])]


def _written(node: TreeNode, indent: str) -> str:
    """Return a node as XML; `indent` is a newline and spaces, or empty if whitespace would become text."""
    attributes = "".join(
        f" {_name(key.removeprefix('@') if key != '@' else key)}={_quoted(as_text(value))}"
        for key, value in node.attributes.items()
        if key not in _TEXT_ATTRIBUTES
    )
    text = _clean(as_text(node.attributes.get("text")))
    name = _name(node.type)
    mixed = bool(text) or any("tail" in child.attributes for child in node.children)
    inner = "" if mixed or not indent else f"{indent}  "
    tail = escape(_clean(as_text(node.attributes.get("tail"))), _RETURN)
    if not text and not node.children:
        return f"<{name}{attributes}/>{tail}"
    body = "".join(inner + _written(child, inner) for child in node.children)
    end = indent if inner and node.children else ""
    return f"<{name}{attributes}>{escape(text, _RETURN)}{body}{end}</{name}>{tail}"


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        message = f"{name[:40]!r} is not an XML name; export as JSON or YAML, or rename it"
        raise ArgumentError(message)
    return name


def _quoted(text: str) -> str:
    return quoteattr(_clean(text), _BREAKS)


def _clean(text: str) -> str:
    if _INVALID.search(text):
        message = "a text has control characters, which XML does not allow; export as JSON or YAML"
        raise ArgumentError(message)
    return text
