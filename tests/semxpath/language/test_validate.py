import pytest

from mnemo.errors import QuerySchemaError
from mnemo.models.tree import TreeNode
from mnemo.semxpath.language.parser import parse
from mnemo.semxpath.language.validate import check, suggest, tree_vocabulary
from mnemo.semxpath.schema import describe, infer, kind_of, merge, schema_from_json, schema_to_json

TREE = TreeNode(
    type="Trip",
    children=(
        TreeNode(
            type="Day", attributes={"date": "2026-05-01"}, children=(TreeNode(type="POI", attributes={"name": "x"}),)
        ),
        TreeNode(type="Day", attributes={"date": "2026-05-02", "n": 3}),
    ),
)
VOCABULARY = tree_vocabulary(infer(TREE))


@pytest.mark.parametrize(
    "query",
    ["/Day", "//*[@name = 'x']", "/Version[@number = 1]", "/Day[avg(/POI[name ~= 'x'])]", "//*[@summary = 'x']"],
)
def test_names_in_the_schema_pass(query: str) -> None:
    check(parse(query), VOCABULARY)


@pytest.mark.parametrize(
    ("query", "offset", "expected"),
    [
        ("/day", 1, ("Day",)),
        ("//Dya", 2, ("Day",)),
        ("/Day[avg(/Poi)]", 10, ("POI",)),
        ("/Day[@dat = 1]", 6, ("date",)),
        ("/Day[not (@x = 1 or Date ~= 'x')]", 11, ("date", "n")),
        ("/Version[@numbers = 1]", 10, ("number",)),
        ("//*[@nam = 1]", 5, ("name",)),
    ],
)
def test_unknown_name_is_an_error_with_suggestions(query: str, offset: int, expected: tuple[str, ...]) -> None:
    with pytest.raises(QuerySchemaError) as caught:
        check(parse(query), VOCABULARY)
    assert (caught.value.offset, caught.value.expected[: len(expected)]) == (offset, expected)
    assert f"`{expected[0]}`" in str(caught.value)


def test_suggestions_ignore_case_and_are_sorted_by_similarity() -> None:
    assert suggest("restaurant", ["Hotel", "Restaurants", "Restaurant"]) == ("Restaurant", "Restaurants")
    assert suggest("zzz", ["Day"]) == ()


def test_schema_has_examples_children_counts_and_paths() -> None:
    schema = infer(TREE)
    assert schema.types["Day"].count == 2
    assert schema.types["Day"].attributes["date"].examples == ("2026-05-01", "2026-05-02")
    assert schema.types["Day"].attributes["date"].kinds == ("date",)
    assert schema.types["Day"].attributes["n"].count == 1
    assert schema.types["Day"].children == ("POI",)
    assert schema.types["POI"].paths == ("Trip/Day/POI",)
    assert schema_from_json(schema_to_json(schema)) == schema
    assert merge(schema, schema).count("Day") == 4
    assert schema.count(None) == 4
    assert "Trip [root] x1: attributes none\n  children: Day" in describe(schema)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "empty"),
        ("", "empty"),
        (True, "boolean"),
        (1, "integer"),
        (1.5, "number"),
        ("12", "integer"),
        ("-1.5", "number"),
        ("2026-05-01T10:00", "date"),
        ("x", "text"),
        ([1], "list"),
        ({"a": 1}, "object"),
    ],
)
def test_kind_of_a_value(value: object, kind: str) -> None:
    assert kind_of(value) == kind
