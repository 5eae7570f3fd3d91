"""Converts XML, JSON and YAML documents to trees and back without change; reports anything it drops."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from mnemo.errors import ArgumentError, ReaderError
from mnemo.models.tree import TreeNode
from mnemo.semxpath.formats.json import json_text, tree_of_json, tree_of_yaml, yaml_text
from mnemo.semxpath.formats.xml import tree_of_xml, xml_text
from mnemo.semxpath.limits import tree_violation

__all__ = ["FORMATS", "Imported", "TreeFormat", "dump", "guess", "load"]

TreeFormat: TypeAlias = Literal["xml", "json", "yaml"]
FORMATS: tuple[TreeFormat, ...] = ("xml", "json", "yaml")

_SUFFIXES: dict[str, TreeFormat] = {"xml": "xml", "json": "json", "yaml": "yaml", "yml": "yaml"}
_READERS = {"json": tree_of_json, "yaml": tree_of_yaml}


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A tree read from a document."""

    root: TreeNode
    notes: tuple[str, ...]
    """What the import dropped, one line each; empty if nothing."""


def load(
    text: str, format_name: TreeFormat, *, root: str = "Root", rename: Mapping[str, str] | None = None
) -> Imported:
    """Read a tree.

    Args:
        text: The document.
        format_name: Format of the document.
        root: Type of the root if JSON or YAML does not name it.
        rename: New type names by old ones, such as {"Version": "Release"}.

    Raises:
        ReaderError: The document does not parse, or is not a valid tree; has line and column if known.
        ArgumentError: The format is unknown.
    """
    text = text.removeprefix("\ufeff")
    if format_name == "xml":
        node, notes = tree_of_xml(text)
    elif format_name in _READERS:
        node, notes = _READERS[format_name](text, root)
    else:
        message = f"format must be xml, json or yaml, got {format_name!r}"
        raise ArgumentError(message)
    if rename:
        node = _renamed(node, rename)
    violation = tree_violation(node)
    if violation:
        raise ReaderError(violation)
    return Imported(root=node, notes=tuple(notes))


def dump(root: TreeNode, format_name: TreeFormat) -> tuple[str, tuple[str, ...]]:
    """Return a tree as a document that ends in a newline.

    Returns:
        The document, and what it does not contain, one line each.

    Raises:
        ArgumentError: The format is unknown, or cannot contain a name in the tree or a tree this deep.
    """
    writers = {"xml": xml_text, "json": json_text, "yaml": yaml_text}
    if format_name not in writers:
        message = f"format must be xml, json or yaml, got {format_name!r}"
        raise ArgumentError(message)
    try:
        text, notes = writers[format_name](root)
    except RecursionError as error:
        message = f"the tree has too many levels to be written as {format_name}"
        raise ArgumentError(message) from error
    return text, tuple(notes)


def guess(name: str) -> TreeFormat:
    """Return the format of a file by its suffix.

    Raises:
        ArgumentError: The suffix is not .xml, .json, .yaml or .yml.
    """
    suffix = name.rpartition(".")[2].lower()
    if suffix not in _SUFFIXES:
        message = f"the file must end in .xml, .json, .yaml or .yml, got {name!r}; rename it or give its format"
        raise ArgumentError(message)
    return _SUFFIXES[suffix]


def _renamed(root: TreeNode, rename: Mapping[str, str]) -> TreeNode:
    order = list(root.walk())
    built: dict[int, TreeNode] = {}
    for node in reversed(order):
        children = tuple(built[id(child)] for child in node.children)
        built[id(node)] = replace(node, type=rename.get(node.type, node.type), children=children)
    return built[id(root)]
