import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from mnemo.errors import QuerySyntaxError
from mnemo.semxpath.language.parser import parse
from mnemo.semxpath.language.printer import show
from mnemo.semxpath.language.syntax import (
    MAX_CHARS,
    Aggregate,
    And,
    At,
    Complement,
    Expr,
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
from support.queries import QUERIES

PIECES = ["/", "//", "Day", "*", "[", "]", "(", ")", "1", "-1", ":", "@x", "=", "~=", '"m"', "node", " and ", " or "]
PIECES += ["not ", "1 - ", "avg(", "exists(", "+", ",", "0", "'", "`", "\\", "contains", "min("]


def predicate(text: str) -> Expr:
    return parse(f"/a[{text}]").steps[0].predicates[0]


@given(QUERIES)
def test_printing_then_parsing_gives_the_same_query(query: Query) -> None:
    text = show(query)
    assume(len(text) <= MAX_CHARS)
    try:
        parsed = parse(text)
    except QuerySyntaxError as error:
        assert "at most" in str(error)  # noqa: PT017 - only a limit may refuse a printed query
        return
    assert parsed == query
    assert show(parsed) == text


@given(st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@example("(" * 2000)
@example("/a[" + "not " * 499)
@example("/a[" + "1 - " * 499)
@example("/a[node ~= '\ud800']")
def test_any_text_parses_or_fails_at_an_offset_inside_it(text: str) -> None:
    try:
        query = parse(text)
    except QuerySyntaxError as error:
        outcome: Query | QuerySyntaxError = error
    else:
        outcome = parse(show(query))
        assert outcome == query
    if isinstance(outcome, QuerySyntaxError):
        assert 0 <= outcome.offset <= len(text)
        assert outcome.query == text
        assert "^" in outcome.underlined


def test_precedence_from_weakest_is_or_and_not_minus_times() -> None:
    a, b, c = (Similar(None, text) for text in "abc")
    written = 'node ~= "a" or node ~= "b" and not node ~= "c"'
    assert predicate(written) == Or((a, And((b, Not(c)))))
    assert predicate('1 - node ~= "a" * node ~= "b"') == Complement(Product((a, b)))
    assert predicate('(1 - node ~= "a") * node ~= "b"') == Product((Complement(a), b))
    assert predicate('not node ~= "a" and node ~= "b"') == And((Not(a), b))


def test_parses_each_kind_of_expression() -> None:
    a, b = Similar(None, "a"), Similar("name", "b")
    assert predicate("(node ~= 'a' + name =~ 'b') / 2") == Mean((a, b), 2)
    assert predicate("gmean(node ~= 'a', name ~= 'b')") == Fold("gmean", (a, b))
    assert predicate("avg(/x//*[2])") == Aggregate("avg", (Step("child", "x"), Step("descendant", None, At(2))))
    assert predicate("exists(/x)") == Aggregate("exists", (Step("child", "x"),))
    assert predicate("`node` ~= 'x'") == Similar("node", "x")
    assert predicate("not ~= 'x'") == Similar("not", "x")
    assert predicate('@d >= "x"') == Filter("d", ">=", "x")
    assert predicate("@d = -2.5") == Filter("d", "=", -2.5)
    assert predicate("@d != true") == Filter("d", "!=", value=True)


def test_positions_are_single_or_ranges() -> None:
    written = {"2": At(2), "-1": At(-1), "1:2": Span(1, 2), "-2:": Span(-2, None), ":3": Span(None, 3)}
    for text, position in {**written, ":": Span(None, None)}.items():
        assert parse(f"/a[{text}]").steps[0].position == position
    assert parse("(/a)[2]") == Query((Step("child", "a"),), At(2))


def test_backslash_escapes_the_next_character() -> None:
    assert predicate(r"node ~= 'it\'s \\ \n'") == Similar(None, r"it's \ n")


@pytest.mark.parametrize(
    ("query", "offset", "words"),
    [
        ("", 0, "expected / or //, got the end of the query"),
        ("/", 1, "expected a type or"),
        ("/a]", 2, "expected / or // or"),
        ("/a[0:2]", 3, "a position must be between 1"),
        ("/a[1.5]", 3, "whole number"),
        ("/a[2000000000]", 3, "a position must be between 1"),
        ("/a[node ~= m]", 11, "a string in quotes"),
        ("/a[node ~= 'm]", 11, "not closed"),
        ("/a[@x ~ 1]", 6, "unexpected character"),
        ("/a[@x]", 5, "expected = or"),
        ("/a[(node ~= 'a' + node ~= 'b')]", 30, "expected /"),
        ("/a[(node ~= 'a' + node ~= 'b') / 0]", 33, "above 0"),
        ("/a[@x = 1e999]", 8, "64-bit"),
        ("(/a)", 4, r"expected \["),
        ("/a" * 33, 65, "at most 32 steps"),
        ("/a" + "[@x = 1]" * 65, 515, "at most 64 predicates"),
        ("/a[@x = '" + "x" * 2000 + "']", 2000, "at most 2,000 characters"),
    ],
)
def test_error_has_message_and_offset(query: str, offset: int, words: str) -> None:
    with pytest.raises(QuerySyntaxError, match=words) as caught:
        parse(query)
    assert caught.value.offset == offset


def test_underline_puts_a_caret_under_the_error() -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        parse("/Day[0]")
    assert caught.value.underlined.splitlines()[:2] == ["/Day[0]", "     ^"]
