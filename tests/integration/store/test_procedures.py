"""Compares the plugin's procedures with `tests/cases/procedures.golden`.

`pytest tests/integration/store/test_procedures.py --rewrite-golden` rewrites that file.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from mnemo.launcher.inspection import ask, inspect
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from mnemo.version import VERSION
from support.paths import CASES

GOLDEN = CASES / "procedures.golden"


@pytest.fixture(scope="session")
def procedures(server_endpoint: Endpoint) -> Sequence[Mapping[str, Any]]:
    """The signatures of the plugin's procedures, ordered by name."""

    async def signatures(database: Database) -> Sequence[Mapping[str, Any]]:
        return await database.run("meta/signatures")

    return ask(server_endpoint, signatures)


def _written(procedure: Mapping[str, Any]) -> str:
    lines = [f"{procedure['name']} [{procedure['mode']}]", f"  {procedure['description']}"]
    for arrow, parts in (("<-", procedure["arguments"]), ("->", procedure["columns"])):
        lines += [f"  {arrow} {part['name']} {part['type']}: {part['description']}" for part in parts]
    return "\n".join(lines) + "\n"


def test_signatures_match_the_golden_file(
    procedures: Sequence[Mapping[str, Any]], request: pytest.FixtureRequest
) -> None:
    written = "\n".join(map(_written, procedures))
    if request.config.getoption("--rewrite-golden"):
        GOLDEN.write_text(written, encoding="utf-8")
    assert written == GOLDEN.read_text(encoding="utf-8")


def test_every_procedure_argument_and_column_is_described(procedures: Sequence[Mapping[str, Any]]) -> None:
    assert procedures
    for procedure in procedures:
        assert procedure["description"].endswith(".")
        for part in [*procedure["arguments"], *procedure["columns"]]:
            described = part["description"]
            assert described, (procedure["name"], part["name"])
            assert described != f"{part['name']} :: {part['type']}", (procedure["name"], part["name"])


def test_server_reports_its_plugin_version(server_endpoint: Endpoint) -> None:
    found = inspect(server_endpoint)
    assert (found.plugin, found.same_plugin, found.condition) == (VERSION, True, "ready")
