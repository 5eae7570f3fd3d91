from hypothesis import assume, given

from mnemo.errors import QuerySyntaxError
from mnemo.models.tree import QueryOptions
from mnemo.semxpath.compiler.core import compile_query, compile_subjects
from mnemo.semxpath.compiler.match_sites import sites
from mnemo.semxpath.compiler.tree_source import TreeSource
from mnemo.semxpath.compiler.view_source import ATTRIBUTES, ViewSource
from mnemo.semxpath.language.parser import parse
from mnemo.semxpath.language.printer import show
from mnemo.semxpath.language.syntax import Filter, Query, Similar, Step, steps_of, walk
from support.embedders import vector
from support.queries import QUERIES

GIVEN = {"group": "g", "tree": "t"}
ROOT = "a root type that no query names"


def compiled(query: Query, text: str = "m"):  # noqa: ANN201 - the type of compile_query
    scores = {match: {text: 0.5} if match.name else vector(text) for match, _ in sites(query)}
    return compile_query(query, TreeSource(root_type=ROOT), scores, QueryOptions(top_k=3), GIVEN)


def words(query: Query) -> list[str]:
    """Return all text in a query that a user wrote."""
    found = [step.test for step in steps_of(query.steps) if step.test is not None]
    for step in query.steps:
        for predicate in step.predicates:
            for expr in walk(predicate):
                if isinstance(expr, Similar):
                    found += [expr.text, expr.name or ""]
                if isinstance(expr, Filter):
                    found += [expr.name, str(expr.value)]
    return found


@given(QUERIES)
def test_statement_contains_no_user_text(query: Query) -> None:
    marked = _marked(query)
    statement = compiled(marked).statement
    assert "MARK" not in statement
    assert all("MARK" not in str(name) for name in compiled(marked).params)


def _marked(query: Query) -> Query:
    """Return a query with MARK in every name and text."""
    text = show(query)
    try:
        parsed = parse(text)
    except QuerySyntaxError:
        assume(condition=False)
    return Query(tuple(_marked_step(step) for step in parsed.steps), parsed.position)


def _marked_step(step: Step) -> Step:
    predicates = tuple(_marked_expr(predicate) for predicate in step.predicates)
    return Step(step.axis, None if step.test is None else f"MARK{step.test}", step.position, predicates)


def _marked_expr(expr):  # noqa: ANN001, ANN202, PLR0911 - any expression; one return per kind
    match expr:
        case Similar(name, text, _):
            return Similar(None if name is None else f"MARK{name}", f"MARK{text}")
        case Filter(name, op, str(value), _):
            return Filter(f"MARK{name}", op, f"MARK{value}")
        case Filter(name, op, value, _):
            return Filter(f"MARK{name}", op, value)
    if hasattr(expr, "steps"):
        return type(expr)(expr.kind, tuple(_marked_step(step) for step in expr.steps))
    if hasattr(expr, "part"):
        return type(expr)(_marked_expr(expr.part))
    parts = tuple(_marked_expr(part) for part in expr.parts)
    if hasattr(expr, "divisor"):
        return type(expr)(parts, expr.divisor)
    return type(expr)(expr.kind, parts) if hasattr(expr, "kind") else type(expr)(parts)


def test_queries_of_the_same_form_share_a_statement() -> None:
    one = parse('/Day[2]/POI[@name = "x"][node ~= "art"]')
    other = parse('/Week[7]/Place[@kind = "y\' DETACH DELETE n"][node ~= "food"]')
    assert compiled(one).statement == compiled(other).statement


def test_statement_matches_the_tree_and_tests_types_by_parameters() -> None:
    statement = compiled(parse("/Day/POI")).statement
    assert statement.startswith("CYPHER 25\nMATCH (tree:Tree {group: $group, name: $tree})")
    assert "c0.type = $p0" in statement
    assert "c0.type = $p1" in statement


def test_sites_are_paths_to_the_nodes_that_a_match_compares() -> None:
    query = parse('/A[@x = 1][avg(//B[node ~= "m"])][2]/C[not name ~= "n" or @y = 2]')
    found = [(match.text, show(Query(steps))) for match, steps in sites(query)]
    assert found == [("m", "/A[2][@x = 1]//B"), ("n", "/A[2][@x = 1]/C")]


def test_statement_of_a_view_contains_no_user_text() -> None:
    source = ViewSource()
    query = parse('//Entity[@name = "MARK"][exists(/Edge[fact ~= "MARK"])]/*')
    scores = {match: vector("m") for match, _ in sites(query)}
    assert "MARK" not in compile_query(query, source, scores, QueryOptions(), {"group": "g"}).statement
    subjects = compile_subjects(parse('//Entity[@name = "MARK"]').steps, "name", source, {"group": "g"})
    assert "MARK" not in subjects.statement
    assert set(ATTRIBUTES) == {"Memory", "Session", "Category", "Entity", "Edge", "Episode"}
