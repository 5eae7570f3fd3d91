"""Every model that mnemo requests from an LLM can be expressed in strict mode."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

import mnemo
from mnemo.providers.structured.schemas import strict
from support.strict_schema import problems_of

ROOT = Path(mnemo.__file__).parent


def requested_models() -> Iterator[type[BaseModel]]:
    """Find the calls `….complete(prompt, Model)` in the sources."""
    for path in sorted(ROOT.rglob("*.py")):
        names = set(_schemas(ast.parse(path.read_text(encoding="utf-8"))))
        if names:
            parts = path.relative_to(ROOT.parent).with_suffix("").parts
            module = importlib.import_module(".".join(parts))
            found = (getattr(module, name, None) for name in sorted(names))
            yield from (model for model in found if isinstance(model, type) and issubclass(model, BaseModel))


def _schemas(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "complete":
            yield from (value.id for value in node.args[1:] if isinstance(value, ast.Name))


@pytest.mark.parametrize("model", list(requested_models()), ids=lambda model: f"{model.__module__}.{model.__name__}")
def test_schema_of_a_prompt_is_strict(model: type[BaseModel]) -> None:
    assert problems_of(strict(model)) == []
