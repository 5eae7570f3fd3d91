"""The public names of the package, and the modules that importing it loads."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import mnemo
from mnemo import errors

SOURCE = Path(mnemo.__file__)
HEAVY = {
    "fastapi",
    "graphiti_core",
    "httpx",
    "jgo",
    "matplotlib",
    "neo4j",
    "numpy",
    "onnxruntime",
    "openai",
    "pydantic",
    "rich",
    "scipy",
    "spacy",
    "tokenizers",
    "typer",
    "uvicorn",
}
NOT_FOR_A_MEMORY = {
    "fastapi",
    "graphiti_core",
    "httpx",
    "matplotlib",
    "onnxruntime",
    "openai",
    "rich",
    "scipy",
    "spacy",
} | {
    "jgo",
    "tokenizers",
    "typer",
    "uvicorn",
}


def imported_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(' '.join(sys.modules))"
    done = subprocess.run(  # noqa: S603  # the interpreter itself
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=SOURCE.parent.parent
    )
    return {name.partition(".")[0] for name in done.stdout.split()} | set(done.stdout.split())


def test_every_public_name_can_be_imported() -> None:
    missing = [name for name in mnemo.__all__ if not hasattr(mnemo, name)]
    assert missing == []


def test_the_names_are_listed_once_for_python_and_once_for_type_checkers() -> None:
    block = next(node for node in ast.parse(SOURCE.read_text(encoding="utf-8")).body if isinstance(node, ast.If))
    typed = {alias.name: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    lazy = {name: module for module, names in mnemo._MODULES.items() for name in names}
    assert typed == lazy
    assert set(mnemo.__all__) == {"__version__", *lazy}


def test_dir_shows_the_public_names() -> None:
    assert dir(mnemo) == sorted(mnemo.__all__)


def test_every_error_is_public() -> None:
    assert set(errors.__all__) <= set(mnemo.__all__)


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'mnemo' has no attribute 'Looking'"):
        _ = mnemo.Looking  # type: ignore[attr-defined]  # the test is about it


def test_importing_the_package_imports_nothing_heavy() -> None:
    loaded = imported_by("import mnemo")
    assert loaded & HEAVY == set()
    assert {name for name in loaded if name.startswith("mnemo.")} == {"mnemo.version"}


@pytest.mark.parametrize("name", ["Message", "ArgumentError", "Progress"])
def test_plain_data_is_imported_without_anything_heavy(name: str) -> None:
    assert imported_by(f"from mnemo import {name}") & HEAVY == set()


def test_importing_the_memory_imports_no_model_no_client_and_no_command_line() -> None:
    assert imported_by("from mnemo import Memory") & NOT_FOR_A_MEMORY == set()
