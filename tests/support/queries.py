"""Hypothesis strategies for the syntax of queries."""

from hypothesis import strategies as st

from mnemo.semxpath.language.syntax import (
    Aggregate,
    And,
    At,
    Complement,
    Filter,
    Fold,
    Mean,
    Not,
    Or,
    Product,
    Query,
    Similar,
    Span,
    Step,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NAMES = st.one_of(
    st.sampled_from(["Day", "POI", "node", "not", "or", "min", "a-b", "x:y", "é", "1"]), TEXT.filter(bool)
)
PLACES = st.integers(1, 99) | st.integers(-99, -1)
POSITIONS = st.builds(At, PLACES) | st.builds(Span, st.none() | PLACES, st.none() | PLACES)
LITERALS = TEXT | st.integers(-(10**17), 10**17) | st.floats(allow_nan=False, allow_infinity=False) | st.booleans()
ATOMS = (
    st.builds(Similar, st.none() | NAMES, TEXT)
    | st.builds(Filter, NAMES, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), LITERALS)
    | st.builds(Filter, NAMES, st.just("contains"), TEXT)
)


def _larger(parts: st.SearchStrategy) -> st.SearchStrategy:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    divisors = st.integers(1, 9) | st.floats(0.5, 9)
    return (
        st.one_of(*(st.builds(kind, several) for kind in (Or, And, Product)))
        | st.one_of(*(st.builds(kind, parts) for kind in (Not, Complement)))
        | st.builds(Mean, several, divisors)
        | st.builds(
            Fold, st.sampled_from(["min", "max", "avg", "gmean"]), st.lists(parts, min_size=1, max_size=2).map(tuple)
        )
        | st.builds(Aggregate, st.sampled_from(["min", "max", "avg", "gmean", "exists"]), _paths(parts))
    )


def _paths(predicates: st.SearchStrategy) -> st.SearchStrategy:
    step = st.builds(
        Step,
        st.sampled_from(["child", "descendant"]),
        st.none() | NAMES,
        st.none() | POSITIONS,
        st.lists(predicates, max_size=2).map(tuple),
    )
    return st.lists(step, min_size=1, max_size=2).map(tuple)


EXPRESSIONS = st.recursive(ATOMS, _larger, max_leaves=6)
QUERIES = st.builds(Query, _paths(EXPRESSIONS), st.none() | POSITIONS)
