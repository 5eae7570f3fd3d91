"""Checks a query against a schema; errors for unknown names suggest similar ones."""

import difflib
from collections.abc import Collection, Iterable, Mapping
from typing import NoReturn

from mnemo.errors import QuerySchemaError
from mnemo.models.tree import TreeSchema
from mnemo.semxpath.language.syntax import VERSION, Aggregate, Expr, Filter, Query, Similar, Step, parts_of
from mnemo.semxpath.schema import VERSION_ATTRIBUTES

__all__ = ["Vocabulary", "check", "suggest", "tree_vocabulary"]

Vocabulary = Mapping[str, Collection[str]]
"""Attribute names by type name: everything a query may refer to."""

_SUGGESTIONS = 3


def check(query: Query, vocabulary: Vocabulary) -> None:
    """Check that every type and attribute in a query exists.

    Raises:
        QuerySchemaError: A name does not exist; `expected` has similar names, best first.
    """
    _Check(query.text, vocabulary).steps(query.steps)


def tree_vocabulary(schema: TreeSchema) -> dict[str, Collection[str]]:
    """Return the names that queries on a tree may use: its types, and `Version`."""
    types: dict[str, Collection[str]] = {name: tuple(shape.attributes) for name, shape in schema.types.items()}
    return {**types, VERSION: VERSION_ATTRIBUTES}


def suggest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return up to three known names similar to a name, most similar first, ignoring case."""
    folded = {candidate.casefold(): candidate for candidate in reversed(tuple(known))}
    near = difflib.get_close_matches(name.casefold(), folded, n=_SUGGESTIONS, cutoff=0.5)
    return tuple(folded[candidate] for candidate in near)


class _Check:
    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self._text = text
        self._vocabulary = vocabulary

    def steps(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            if step.test is not None and step.test not in self._vocabulary:
                self._unknown("type", step.test, self._vocabulary, step.offset)
            for predicate in step.predicates:
                self._expr(predicate, step.test)

    def _expr(self, expr: Expr, test: str | None) -> None:
        match expr:
            case Aggregate(_, steps):
                self.steps(steps)
            case Similar(str(name), _, offset) | Filter(name, _, _, offset):
                self._attribute(name, test, offset)
            case _:
                for part in parts_of(expr):
                    self._expr(part, test)

    def _attribute(self, name: str, test: str | None, offset: int) -> None:
        if test is None:
            known = list(dict.fromkeys(attribute for names in self._vocabulary.values() for attribute in names))
        else:
            known = list(self._vocabulary[test])
        if name not in known:
            self._unknown("attribute" if test is None else f"attribute of {test}", name, known, offset)

    def _unknown(self, what: str, name: str, known: Iterable[str], offset: int) -> NoReturn:
        known = tuple(known)
        near = suggest(name, known) or known[:_SUGGESTIONS]
        hint = f"; did you mean {' or '.join(f'`{known_name}`' for known_name in near)}?" if near else "; none exist"
        message = f"unknown {what} `{name}`{hint}"
        raise QuerySchemaError(message, query=self._text, offset=offset, expected=near)
