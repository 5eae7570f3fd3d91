"""Trees from XML, JSON and YAML, and back unchanged; what cannot be kept is said."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from mnemo.errors import ArgumentError, ReaderError
from mnemo.models.tree import TreeNode
from mnemo.semxpath.formats.json import json_text, tree_of_json, tree_of_yaml, yaml_text
from mnemo.semxpath.formats.xml import tree_of_xml, xml_text
from mnemo.semxpath.limits import misfit

__all__ = ["FORMATS", "Imported", "TreeFormat", "dump", "guess", "load"]

TreeFormat: TypeAlias = Literal["xml", "json", "yaml"]
FORMATS: tuple[TreeFormat, ...] = ("xml", "json", "yaml")

_SUFFIXES: dict[str, TreeFormat] = {"xml": "xml", "json": "json", "yaml": "yaml", "yml": "yaml"}
_READERS = {"json": tree_of_json, "yaml": tree_of_yaml}


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A tree as it was read."""

    root: TreeNode
    notes: tuple[str, ...]
    """What could not be kept, a line each; empty when all was."""


def load(
    text: str, format_name: TreeFormat, *, root: str = "Root", rename: Mapping[str, str] | None = None
) -> Imported:
    """Read a tree.

    Args:
        text: The document.
        format_name: What it is written in.
        root: Type of the root, where JSON or YAML does not name it.
        rename: New names for types, such as {"Version": "Release"}.

    Raises:
        ReaderError: It does not parse, or has what no tree has; names line and column where known.
    """
    text = text.removeprefix("\ufeff")
    if format_name == "xml":
        node, notes = tree_of_xml(text)
    elif format_name in _READERS:
        node, notes = _READERS[format_name](text, root)
    else:
        message = f"wanted the format xml, json or yaml, got {format_name!r}"
        raise ArgumentError(message)
    if rename:
        node = _renamed(node, rename)
    wrong = misfit(node)
    if wrong:
        raise ReaderError(wrong)
    return Imported(root=node, notes=tuple(notes))


def dump(root: TreeNode, format_name: TreeFormat) -> tuple[str, tuple[str, ...]]:
    """Write a tree as text that ends in a newline.

    Returns:
        The text, and what could not be kept, a line each.

    Raises:
        ArgumentError: A name cannot be written in that format, or moves made the tree too deep for it.
    """
    writers = {"xml": xml_text, "json": json_text, "yaml": yaml_text}
    if format_name not in writers:
        message = f"wanted the format xml, json or yaml, got {format_name!r}"
        raise ArgumentError(message)
    try:
        text, notes = writers[format_name](root)
    except RecursionError as error:
        message = f"the tree has more levels than can be written as {format_name}"
        raise ArgumentError(message) from error
    return text, tuple(notes)


def guess(name: str) -> TreeFormat:
    """Return the format of a file by the end of its name.

    Raises:
        ArgumentError: It ends in none of .xml, .json, .yaml, .yml.
    """
    suffix = name.rpartition(".")[2].lower()
    if suffix not in _SUFFIXES:
        message = f"wanted a file that ends in .xml, .json, .yaml or .yml, got {name!r}; or name the format"
        raise ArgumentError(message)
    return _SUFFIXES[suffix]


def _renamed(root: TreeNode, rename: Mapping[str, str]) -> TreeNode:
    order = list(root.walk())
    built: dict[int, TreeNode] = {}
    for node in reversed(order):
        children = tuple(built[id(child)] for child in node.children)
        built[id(node)] = replace(node, type=rename.get(node.type, node.type), children=children)
    return built[id(root)]
