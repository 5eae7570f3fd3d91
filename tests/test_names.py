"""No two public classes of the package share a name."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import mnemo

PACKAGE = Path(mnemo.__file__).parent


def public_classes() -> Iterator[tuple[str, str]]:
    """Yield name and module of public classes and type aliases."""
    for path in sorted(PACKAGE.rglob("*.py")):
        module = path.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", ".")
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                name = node.name
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and _is_alias(node):
                name = node.target.id
            else:
                continue
            if not name.startswith("_"):
                yield name, module


def _is_alias(node: ast.AnnAssign) -> bool:
    return isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"


def test_no_two_public_classes_share_a_name() -> None:
    places = defaultdict(list)
    for name, module in public_classes():
        places[name].append(module)
    shared = {name: modules for name, modules in places.items() if len(modules) > 1}
    assert shared == {}
