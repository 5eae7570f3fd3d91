"""Trees from XML, JSON and YAML, and back unchanged; what cannot be kept is said."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from mnemo.errors import ArgumentError, ReaderError
from mnemo.models.tree import TreeNode
from mnemo.semxpath.formats_json import json_text, tree_of_json, tree_of_yaml, yaml_text
from mnemo.semxpath.formats_xml import tree_of_xml, xml_text
from mnemo.semxpath.syntax import VERSION

__all__ = ["FORMATS", "Format", "Imported", "dump", "guess", "load"]

Format: TypeAlias = Literal["xml", "json", "yaml"]
FORMATS: tuple[Format, ...] = ("xml", "json", "yaml")

MAX_NAME_CHARS = 200
MAX_DEPTH = 200
MAX_NODES = 2_000_000

_SUFFIXES: dict[str, Format] = {"xml": "xml", "json": "json", "yaml": "yaml", "yml": "yaml"}
_READERS = {"json": tree_of_json, "yaml": tree_of_yaml}


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A tree as it was read."""

    root: TreeNode
    notes: tuple[str, ...]
    """What could not be kept, a line each; empty when all was."""


def load(text: str, format_name: Format, *, root: str = "Root", rename: Mapping[str, str] | None = None) -> Imported:
    """Read a tree.

    Args:
        text: The document.
        format_name: What it is written in.
        root: Type of the root, where JSON or YAML does not name it.
        rename: New names for types, such as {"Version": "Release"}.

    Raises:
        ReaderError: It does not parse, or has what no tree has; names line and column where known.
    """
    if format_name == "xml":
        node, notes = tree_of_xml(text)
    elif format_name in _READERS:
        node, notes = _READERS[format_name](text, root)
    else:
        message = f"wanted the format xml, json or yaml, got {format_name!r}"
        raise ArgumentError(message)
    if rename:
        node = _renamed(node, rename)
    _check(node)
    return Imported(root=node, notes=tuple(notes))


def dump(root: TreeNode, format_name: Format) -> tuple[str, tuple[str, ...]]:
    """Write a tree as text that ends in a newline.

    Returns:
        The text, and what could not be kept, a line each.

    Raises:
        ArgumentError: A name cannot be written in that format.
    """
    writers = {"xml": xml_text, "json": json_text, "yaml": yaml_text}
    if format_name not in writers:
        message = f"wanted the format xml, json or yaml, got {format_name!r}"
        raise ArgumentError(message)
    text, notes = writers[format_name](root)
    return text, tuple(notes)


def guess(name: str) -> Format:
    """Return the format of a file by the end of its name.

    Raises:
        ArgumentError: It ends in none of .xml, .json, .yaml, .yml.
    """
    suffix = name.rpartition(".")[2].lower()
    if suffix not in _SUFFIXES:
        message = f"wanted a file that ends in .xml, .json, .yaml or .yml, got {name!r}; or name the format"
        raise ArgumentError(message)
    return _SUFFIXES[suffix]


def _check(root: TreeNode) -> None:
    stack = [(root, 1)]
    count = 0
    while stack:
        node, depth = stack.pop()
        count += 1
        if depth > MAX_DEPTH or count > MAX_NODES:
            message = f"wanted a tree of at most {MAX_DEPTH} levels and {MAX_NODES:,} nodes"
            raise ReaderError(message)
        if node.type == VERSION:
            message = (
                "the type Version is reserved for the versions of a tree; "
                "rename it on import, such as rename={'Version': 'Release'} or --rename Version=Release"
            )
            raise ReaderError(message)
        for name in (node.type, *node.attributes):
            _check_name(name)
        stack.extend((child, depth + 1) for child in node.children)


def _check_name(name: str) -> None:
    if not name.strip() or len(name) > MAX_NAME_CHARS or not name.isprintable():
        message = f"wanted names of 1 to {MAX_NAME_CHARS} printable characters, got {name[:40]!r}"
        raise ReaderError(message)


def _renamed(root: TreeNode, rename: Mapping[str, str]) -> TreeNode:
    order = list(root.walk())
    built: dict[int, TreeNode] = {}
    for node in reversed(order):
        children = tuple(built[id(child)] for child in node.children)
        built[id(node)] = replace(node, type=rename.get(node.type, node.type), children=children)
    return built[id(root)]
