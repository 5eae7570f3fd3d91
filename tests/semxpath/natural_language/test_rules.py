import pytest

from mnemo.samples.domains import domain
from mnemo.semxpath.formats.convert import load
from mnemo.semxpath.natural_language.llm_plan import VersionReference
from mnemo.semxpath.natural_language.rules import translate
from mnemo.semxpath.schema import infer
from mnemo.semxpath.trees.edits import Delete, Insert, Move, Update

SCHEMAS = {
    name: infer(load(domain(name).text, domain(name).format_name).root)  # type: ignore[arg-type]  # one of the three sample domains
    for name in ("trip", "todo", "meals")
}


@pytest.mark.parametrize(
    ("name", "words", "query"),
    [
        ("trip", "restaurants on day 2", "//Day[2]/Restaurant"),
        ("trip", "Show me the first place of day 3!", "//Day[3]/Place[1]"),
        ("trip", "what is the last restaurant of day 9?", "//Day[9]/Restaurant[-1]"),
        ("trip", "days about modern art", '//Day[max(//*[node ~= "modern art"])]'),
        ("trip", "all vegetarian restaurants", '//Restaurant[@cuisine = "vegetarian"]'),
        ("trip", "museums", '//Place[@kind = "museum"]'),
        ("trip", "places with price under 10", "//Place[@price < 10]"),
        ("todo", "first task of the Garden project", '//Project[@name = "Garden"]/Task[1]'),
        ("todo", "open tasks of the Car project", '//Project[@name = "Car"]/Task[@status = "open"]'),
        ("todo", "tasks due before 2026-03-01", '//Task[@due < "2026-03-01"]'),
        ("meals", "lunch meals on Friday", '//Day[@name = "Friday"]/Meal[@kind = "lunch"]'),
        ("meals", "ingredients of the dinner on Monday", '//Day[@name = "Monday"]/Meal[@kind = "dinner"]/Ingredient'),
    ],
)
def test_simple_reads_are_translated(name: str, words: str, query: str) -> None:
    request = translate(words, SCHEMAS[name])
    assert request is not None
    assert (request.kind, request.by, request.query) == ("read", "rules", query)


def test_simple_edits_are_translated() -> None:
    def edits(words: str, name: str = "trip") -> tuple:
        request = translate(words, SCHEMAS[name])
        assert request is not None
        assert request.kind == "edit"
        return request.edits

    museum = '(//Place[@name = "Museu do Azulejo"])[1]'
    assert edits("move the Museu do Azulejo to day 8") == (Move(query=museum, parent="//Day[8]"),)
    assert edits("delete the places on day 3") == (Delete(query="//Day[3]/Place"),)
    assert edits("remove the last place of day 3") == (Delete(query="//Day[3]/Place[-1]"),)
    (added,) = edits("add a restaurant Time Out to day 10")
    assert isinstance(added, Insert)
    assert (added.parent, added.node.type, added.node.attributes) == ("//Day[10]", "Restaurant", {"name": "Time Out"})
    (marked,) = edits("mark the tax return as done", "todo")
    assert isinstance(marked, Update)
    assert marked.attributes == {"status": "done"}
    (renamed,) = edits("rename MAAT to EDP Museum")
    assert isinstance(renamed, Update)
    assert renamed.attributes == {"name": "EDP Museum"}


@pytest.mark.parametrize(
    ("words", "version"),
    [
        ("go back to version 3", VersionReference(query="/Version[@number = 3]")),
        ("undo", VersionReference(query="(/Version)[-1]", before=True)),
        (
            "as it was before I cancelled the dinner",
            VersionReference(query='/Version[node ~= "cancelled the dinner"]', before=True),
        ),
    ],
)
def test_simple_reverts_are_translated(words: str, version: VersionReference) -> None:
    request = translate(words, SCHEMAS["trip"])
    assert request is not None
    assert (request.kind, request.version) == ("revert", version)


@pytest.mark.parametrize("words", ["", "sing me a song", "why?", "'; DROP", "move", "add x to y"])
def test_other_requests_match_no_rule(words: str) -> None:
    assert translate(words, SCHEMAS["trip"]) is None
