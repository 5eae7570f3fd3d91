"""Converts JSON and YAML to trees and back.

An object is a node. A member with a scalar, or with a list that is not all objects, is an attribute; a member with an
object is a child whose type is the name of the member; a member with a list of objects is several children.
If a document has a single member with an object, its name is the type of the root. `{"type": …, "attributes": …,
"children": …}` is an explicit node; trees are written this way if no other form keeps their order.
"""

import json
import math
import re
from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

import yaml

from mnemo.errors import ReaderError
from mnemo.models.tree import TreeNode
from mnemo.semxpath.limits import MAX_DEPTH, depth_message, value_violation

__all__ = ["json_text", "tree_of_json", "tree_of_yaml", "yaml_text"]

_EXPLICIT_ORDER = ("type", "attributes", "children")
_EXPLICIT = frozenset(_EXPLICIT_ORDER)
_ITEM = "Item"


def tree_of_json(text: str, root: str) -> tuple[TreeNode, list[str]]:
    """Read a JSON document; return its tree and what was dropped.

    Raises:
        ReaderError: The text is not JSON, an object has a duplicate member, or the document is neither an object nor a
            list of objects.
    """
    rounded: list[str] = []

    def number(written: str) -> float:
        value = float(written)
        if math.isfinite(value) and not _same(written, value):
            rounded.append(written)
        return value

    try:
        data = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant, parse_float=number)
    except json.JSONDecodeError as error:
        message = f"not JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        raise ReaderError(message) from error
    except RecursionError as error:
        raise ReaderError(depth_message()) from error
    except ReaderError:
        raise
    except ValueError as error:
        message = "a whole number has too many digits"
        raise ReaderError(message) from error
    _check_plain(data)
    notes = [f"{len(rounded)} numbers were rounded to 64 bits, such as {rounded[0][:40]}"] if rounded else []
    return _Builder().document(data, root), notes


def tree_of_yaml(text: str, root: str) -> tuple[TreeNode, list[str]]:
    """Read a YAML document; return its tree and what was dropped.

    Dates, times and numbers with leading zeros stay text: 12:30 is not read as 750, nor 010 as 8.

    Raises:
        ReaderError: The text is not YAML of plain data, a mapping has a duplicate key, or there are several documents.
    """
    try:
        loader = _Loader(text)
        data = loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        message = f"not YAML of plain data{place}: {error.problem}"
        raise ReaderError(message) from error
    except RecursionError as error:
        raise ReaderError(depth_message()) from error
    except (yaml.YAMLError, ValueError) as error:
        message = f"not YAML of plain data: {str(error).partition(chr(10))[0]}"
        raise ReaderError(message) from error
    _check_plain(data)
    notes = [f"{count} {what} were dropped" for what, count in _yaml_losses(text).items() if count]
    if loader.non_text_keys:
        notes.append(f"{loader.non_text_keys} keys that are not text were converted to text")
    return _Builder().document(data, root), notes


def json_text(root: TreeNode) -> tuple[str, list[str]]:
    """Write a tree as JSON; return the document and what was dropped."""
    data, notes = _data(root)
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n", notes


def yaml_text(root: TreeNode) -> tuple[str, list[str]]:
    """Write a tree as YAML; return the document and what was dropped."""
    data, notes = _data(root)
    text = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return text, notes


class _Builder:
    """Builds a tree from parsed data."""

    def document(self, data: Any, root: str) -> TreeNode:
        if _is_explicit(data):
            return self._explicit(data, 1, document="nodes")
        if isinstance(data, dict) and len(data) == 1 and isinstance(next(iter(data.values())), dict):
            name, members = next(iter(data.items()))
            return self._node(name, members, 1, document="named")
        if isinstance(data, dict):
            return self._node(root, data, 1, document="object")
        if isinstance(data, list) and data and all(isinstance(item, dict) for item in data):
            return self._node(root, {_ITEM: data}, 1, document="list")
        message = f"the document must be an object or a list of objects, got {type(data).__name__}"
        raise ReaderError(message)

    def _node(self, type_name: str, members: dict[str, Any], depth: int, **layout: Any) -> TreeNode:
        self._check_depth(depth)
        attributes: dict[str, Any] = {}
        children: list[TreeNode] = []
        written: list[tuple[str, str]] = []
        for name, value in members.items():
            many = isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
            if many or isinstance(value, dict):
                items = value if many else [value]
                children += [self._node(name, item, depth + 1) for item in items]
                written.append((name, "many" if many else "one"))
            else:
                attributes[name] = value
                written.append((name, "value"))
        if written != _default_members(attributes, children):
            layout["members"] = written
        return TreeNode(
            type=type_name,
            attributes=attributes,
            children=tuple(children),
            layout=json.dumps(layout, ensure_ascii=False) if layout else None,
        )

    def _explicit(self, data: Mapping[str, Any], depth: int, **layout: Any) -> TreeNode:
        self._check_depth(depth)
        attributes, children = data.get("attributes", {}), data.get("children", [])
        fits = isinstance(attributes, dict) and isinstance(children, list)
        if not fits or not all(_is_explicit(child) for child in children):
            name = data["type"][:40]
            message = f"attributes of a {name!r} node must be an object, and its children must be a list of nodes"
            raise ReaderError(message)
        if list(data) != list(_EXPLICIT_ORDER):
            layout["spelled"] = list(data)
        return TreeNode(
            type=data["type"],
            attributes=attributes,
            children=tuple(self._explicit(child, depth + 1) for child in children),
            layout=json.dumps(layout) if layout else None,
        )

    def _check_depth(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise ReaderError(depth_message())


def _is_explicit(data: Any) -> bool:
    return isinstance(data, dict) and isinstance(data.get("type"), str) and data.keys() <= _EXPLICIT and len(data) > 1


def _default_members(attributes: Mapping[str, Any], children: Iterable[TreeNode]) -> list[tuple[str, str]]:
    """Return the members in default order, used if there is no layout."""
    types = dict.fromkeys(child.type for child in children)
    return [(name, "value") for name in attributes] + [(name, "many") for name in types]


def _data(root: TreeNode) -> tuple[Any, list[str]]:
    layout = _layout(root)
    document = layout.get("document", "nodes")
    if document == "nodes" or _clashes(root):
        return _explicit_node(root), []
    notes = ["the order between children of different types was dropped"] if _interleaved(root) else []
    data = _members(root)
    if document == "named":
        return {root.type: data}, notes
    return (data.get(_ITEM, []) if document == "list" and data.keys() <= {_ITEM} else data), notes


def _layout(node: TreeNode) -> dict[str, Any]:
    return json.loads(node.layout) if node.layout else {}


def _explicit_node(node: TreeNode) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "type": node.type,
        "attributes": dict(node.attributes),
        "children": [_explicit_node(child) for child in node.children],
    }
    written = _layout(node).get("spelled", _EXPLICIT_ORDER)
    return {name: parts[name] for name in (*written, *_EXPLICIT_ORDER) if name in written or parts[name]}


def _members(node: TreeNode) -> dict[str, Any]:
    below: dict[str, list[Any]] = {}
    for child in node.children:
        below.setdefault(child.type, []).append(_members(child))
    members: dict[str, Any] = {}
    written = [tuple(item) for item in _layout(node).get("members", ())]
    for name, kind in [*written, *_default_members(node.attributes, node.children)]:
        if name in members:
            continue
        if kind == "value" and name in node.attributes:
            members[name] = node.attributes[name]
        elif name in below:
            alone = kind == "one" and len(below[name]) == 1
            members[name] = below[name][0] if alone else below[name]
    return members


def _clashes(root: TreeNode) -> bool:
    """Return whether an attribute and a child type have the same name in some node; only explicit nodes keep both."""
    return any(child.type in node.attributes for node in root.walk() for child in node.children)


def _interleaved(root: TreeNode) -> bool:
    for node in root.walk():
        types = [child.type for child in node.children]
        runs = [name for index, name in enumerate(types) if index == 0 or types[index - 1] != name]
        if len(runs) != len(set(runs)):
            return True
    return False


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        names = [name for name, _ in pairs]
        duplicate = next(name for name in names if names.count(name) > 1)
        message = f"an object has the member {duplicate[:40]!r} twice"
        raise ReaderError(message)
    return data


def _check_plain(data: Any) -> None:
    violation = value_violation(data)
    if violation:
        raise ReaderError(violation)


def _same(written: str, value: float) -> bool:
    try:
        return Decimal(repr(value)) == Decimal(written)
    except InvalidOperation:  # the exponent is out of range
        return False


def _no_constant(name: str) -> None:
    message = f"{name} is not a JSON number"
    raise ReaderError(message)


_TEXT_TAG = "tag:yaml.org,2002:str"


class _Loader(yaml.SafeLoader):
    """Loads plain data: keys as text and unique, dates as written."""

    non_text_keys = 0
    """Number of keys that YAML reads as other than text."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: ARG002, FBT001, FBT002 - signature of the base class
        self.flatten_mapping(node)
        self.non_text_keys += sum(key.tag != _TEXT_TAG for key, _ in node.value)
        data: dict[Hashable, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
            if key is None or key in data:
                problem = "a key is not text" if key is None else f"the key {key[:40]!r} is duplicate"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            data[key] = self.construct_object(value_node, deep=True)
        return data

    def construct_plain(self, node: yaml.MappingNode) -> dict[Hashable, Any]:
        return self.construct_mapping(node)


class _Dumper(yaml.SafeDumper):
    """Writes plain data without aliases; dates without quotes, as they are read."""

    def ignore_aliases(self, _: Any) -> bool:
        return True


def _text_node(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    """Represent text, in double quotes if it has Unicode line breaks that would be folded otherwise."""
    style = '"' if any(character in _BREAKS for character in text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_BREAKS = "\x85\u2028\u2029\ufeff"
_Dumper.add_representer(str, _text_node)

_TIMESTAMP = "tag:yaml.org,2002:timestamp"
for _kind in (_Loader, _Dumper):
    _kind.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != _TIMESTAMP]
        for first, resolvers in _kind.yaml_implicit_resolvers.items()
    }
_PLAIN = re.compile(
    r"[-+]?(?:0|[1-9][0-9_]*|0b[01_]+|0x[0-9a-fA-F_]+)"
    r"|[-+]?(?:(?:0|[1-9][0-9_]*)?\.[0-9_]+|(?:0|[1-9][0-9_]*)\.)(?:[eE][-+][0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
"""Matches the numbers of YAML 1.1, except in base 60 and base 8."""


def _construct_number(loader: _Loader, node: yaml.ScalarNode) -> Any:
    """Return a number, or its text if it is in base 60 or base 8."""
    if not _PLAIN.fullmatch(node.value):
        return node.value
    if node.tag.endswith("int"):
        return loader.construct_yaml_int(node)
    return loader.construct_yaml_float(node)


for _name in ("int", "float"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_name}", _construct_number)
_Loader.add_constructor("tag:yaml.org,2002:map", _Loader.construct_plain)


def _yaml_losses(text: str) -> dict[str, int]:
    """Count aliases and comments; comments are the text between tokens that contains a #."""
    losses = {"aliases": 0, "comments": 0}
    end = 0
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        losses["aliases"] += isinstance(token, yaml.AliasToken)
        losses["comments"] += sum("#" in line for line in text[end : token.start_mark.index].splitlines())
        end = max(end, token.end_mark.index)
    return losses
