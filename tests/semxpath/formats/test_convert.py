import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mnemo.errors import ArgumentError, ReaderError
from mnemo.models.tree import TreeNode
from mnemo.semxpath.formats.convert import dump, guess, load

NAMES = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=6).filter(lambda name: name != "Version")
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
)
OBJECTS = st.recursive(
    st.dictionaries(NAMES, SCALARS | st.lists(SCALARS, max_size=3), max_size=3),
    lambda inner: st.dictionaries(NAMES, SCALARS | inner | st.lists(inner, max_size=3), max_size=4),
    max_leaves=12,
)
TEXTS = st.text(st.sampled_from("\t\n\r") | st.characters(min_codepoint=32, max_codepoint=0xD7FF), max_size=8)
ATTRIBUTES = st.dictionaries(st.sampled_from(["k", "@text", "n-1"]), TEXTS)
ELEMENTS = st.recursive(
    st.builds(TreeNode, type=st.sampled_from(["A", "b", "x:c"]), attributes=ATTRIBUTES),
    lambda inner: st.builds(TreeNode, type=st.just("D"), children=st.lists(inner, max_size=4).map(tuple)),
    max_leaves=10,
)


@given(OBJECTS | st.lists(OBJECTS, min_size=1, max_size=3))
def test_json_objects_are_exported_as_imported(data: object) -> None:
    text, notes = dump(load(json.dumps(data), "json").root, "json")
    assert json.loads(text) == data
    assert list(_order(json.loads(text))) == list(_order(data))
    assert notes == ()


def _order(data: object):  # noqa: ANN202 - a generator of member names
    if isinstance(data, dict):
        for name, value in data.items():
            yield name
            yield from _order(value)
    elif isinstance(data, list):
        for item in data:
            yield from _order(item)


@given(ELEMENTS)
def test_trees_survive_a_round_trip_through_xml(node: TreeNode) -> None:
    text, notes = dump(node, "xml")
    assert load(text, "xml").root == node
    assert notes == ()


@given(ELEMENTS)
def test_trees_survive_a_round_trip_through_explicit_json_and_yaml(node: TreeNode) -> None:
    for name in ("json", "yaml"):
        text, _ = dump(node, name)
        again = load(text, name).root
        assert [(one.type, one.attributes) for one in again.walk()] == [
            (one.type, one.attributes) for one in node.walk()
        ]


def _state(node: TreeNode) -> tuple[str, dict]:
    return node.type, dict(node.attributes)


def test_xml_keeps_text_between_elements_and_the_order_of_attributes() -> None:
    source = '<p b="1" a="2">One <b>two</b> three &amp; &lt;four&gt;</p>\n'
    root = load(source, "xml").root
    assert root.attributes == {"b": "1", "a": "2", "text": "One "}
    assert root.children[0].attributes == {"text": "two", "tail": " three & <four>"}
    assert dump(root, "xml")[0] == source


def test_xml_import_reports_what_it_drops() -> None:
    read = load("<?xml version='1.0'?><!DOCTYPE a><!-- x --><a><?p q?><![CDATA[t]]></a>", "xml")
    assert read.notes == (
        "1 document types were dropped",
        "1 comments were dropped",
        "1 processing instructions were dropped",
        "1 CDATA sections were dropped",
    )
    assert read.root.attributes == {"text": "t"}


def test_yaml_import_keeps_dates_as_written_and_reports_what_it_drops() -> None:
    source = "Trip:\n  on: 2026-05-01\n  at: '2026'\n  Day:\n  - n: 1\n  - n: 2\n"
    read = load(source, "yaml")
    assert read.root.attributes == {"on": "2026-05-01", "at": "2026"}
    assert dump(read.root, "yaml")[0] == source.replace("  on:", "  'on':")
    noted = load("a: &x {b: 1} # note\nc: *x\n", "yaml")
    assert noted.notes == ("1 aliases were dropped", "1 comments were dropped")
    assert yaml.safe_load(dump(noted.root, "yaml")[0]) == {"a": {"b": 1}, "c": {"b": 1}}


def test_json_uses_explicit_nodes_for_interleaved_children() -> None:
    root = load("<a><b/><c/><b/></a>", "xml").root
    assert json.loads(dump(root, "json")[0]) == {
        "type": "a",
        "attributes": {},
        "children": [{"type": name, "attributes": {}, "children": []} for name in "bcb"],
    }


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("<a>", "xml", "line 1, column"),
        ("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "xml", "entities are not supported"),
        ("<a><Version/></a>", "xml", "reserved"),
        ('{"a": 1, "a": 2}', "json", "twice"),
        ('{"a": [}', "json", "line 1, column 8"),
        ('{"a": NaN}', "json", "not a JSON number"),
        ('{"a": "\\ud800"}', "json", "surrogate"),
        ("[1, 2]", "json", "must be an object or a list"),
        ('{"": 1}', "json", "must have 1 to 200"),
        ('{"a":' * 500 + "1" + "}" * 500, "json", "levels"),
        ("a: 1\na: 2\n", "yaml", "line 2, column 1: the key 'a' is duplicate"),
        ("a: 1\n---\nb: 2\n", "yaml", "line 2"),
        ("a: !!python/object:x {}", "yaml", "plain data"),
        ("? [1]\n: 2\n", "yaml", "a key is not text"),
        ("", "xml", "line 1, column 0"),
        ("", "json", "line 1, column 1"),
        ("", "yaml", "must be an object or a list"),
        ("<a>" * 1_000 + "</a>" * 1_000, "xml", "at most 200 levels, got more at line 1"),
        ("<a>" * 1_000_000, "xml", "at most 200 levels"),
        ("<a/><b/>", "xml", "junk after document"),
        ("<a k='1' k='2'/>", "xml", "duplicate attribute"),
        ("<a>&nbsp;</a>", "xml", "undefined entity"),
        ("<!DOCTYPE a SYSTEM 'x.dtd'><a>&e;</a>", "xml", "entity 'e' is not declared"),
        ("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>", "xml", "entities are not supported"),
        ("<!DOCTYPE a [<!ENTITY % e SYSTEM 'file:///x'> %e;]><a/>", "xml", "entities are not supported"),
        (
            "<!DOCTYPE a [<!ENTITY l0 'ha'>"
            + "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
            + "]><a>&l9;</a>",
            "xml",
            "entities are not supported",
        ),
        ('{"a": ["\\ud800"]}', "json", "surrogate"),
        ('{"a": 1e999}', "json", "finite"),
        ('{"a": ' + "1" * 5_000 + "}", "json", "too many digits"),
        ('{"a": ' + "[" * 450 + "]" * 450 + "}", "json", "levels"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "json", "levels"),
        ("[" * 5_000, "yaml", "levels"),
        ("{a: " * 1_000 + "1" + "}" * 1_000, "yaml", "levels"),
        ("a: &a [*a]\n", "yaml", "recursive"),
        (
            "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10)),
            "yaml",
            "nested aliases",
        ),
        ("a: !!binary aGVsbG8=\n", "yaml", "got a bytes"),
        ("a: !!set {x, y}\n", "yaml", "got a set"),
        ("a: !x 1\n", "yaml", "tag '!x'"),
        ("a: .nan\n", "yaml", "finite"),
        ("a: \ud800\n", "yaml", "not YAML of plain data"),
    ],
)
def test_invalid_documents_are_refused_with_a_reason(text: str, name: str, words: str) -> None:
    with pytest.raises(ReaderError, match=words):
        load(text, name)


@pytest.mark.parametrize(
    "source",
    [
        "<a>one <b>two</b> <c>x</c> end</a>\n",
        "<p>Hi <b>a</b> <b>b</b></p>\n",
        '<a xml:space="preserve">  <b> </b></a>\n',
        "<a>\n   text\n  <b/>\n</a>\n",
        '<x:a xmlns:x="u" xmlns="v">\n  <b x:k="1"/>\n</x:a>\n',
        '<a z="1" y="&#10;&#9;">&lt;&amp;&gt;&#13;</a>\n',
        '<a text="1" tail="2">body</a>\n',
    ],
)
def test_xml_is_exported_as_imported(source: str) -> None:
    read = load(source, "xml")
    assert read.notes == ()
    assert load(dump(read.root, "xml")[0], "xml").root == read.root
    assert dump(read.root, "xml")[0].replace("\r", "&#13;").replace("&quot;'", "&quot;'") == source


def test_xml_import_reports_dropped_whitespace() -> None:
    read = load("<a>\n  <b> </b>\n  <c><![CDATA[ ]]></c>\n</a>", "xml")
    assert read.notes == ("2 texts of only whitespace were dropped", "1 CDATA sections were dropped")


def test_yaml_keeps_times_and_leading_zeros_as_written() -> None:
    read = load("a: 12:30\nb: 012\nc: 0x1F\nd: 1_000\ne: 190:20:30.15\nf: -2.5\ng: .5\nh: yes\n", "yaml")
    assert read.root.attributes == {
        "a": "12:30",
        "b": "012",
        "c": 31,
        "d": 1000,
        "e": "190:20:30.15",
        "f": -2.5,
        "g": 0.5,
        "h": True,
    }
    assert load(dump(read.root, "yaml")[0], "yaml").root.attributes == read.root.attributes


def test_yaml_import_reports_keys_converted_to_text() -> None:
    read = load("1: a\ntrue: b\nc: d\n", "yaml")
    assert read.root.attributes == {"1": "a", "true": "b", "c": "d"}
    assert read.notes == ("2 keys that are not text were converted to text",)


def test_json_import_reports_rounded_numbers() -> None:
    assert load('{"a": 0.1234567890123456789, "b": 1.50, "c": 1e-99999999999999999999}', "json").notes == (
        "2 numbers were rounded to 64 bits, such as 0.1234567890123456789",
    )


@pytest.mark.parametrize(
    "data",
    [
        {"type": "x", "children": []},
        {"children": [{"attributes": {"z": 1}, "type": "B"}], "type": "A"},
        {"type": "A", "attributes": {"k": [[1], {"b": None}]}},
    ],
)
def test_explicit_nodes_are_exported_with_the_members_they_were_imported_with(data: dict) -> None:
    assert json.dumps(json.loads(dump(load(json.dumps(data), "json").root, "json")[0])) == json.dumps(data)


def test_byte_order_mark_is_ignored() -> None:
    for name, text in (("xml", "<a/>"), ("json", '{"a": {}}'), ("yaml", "a: {}")):
        assert load("\ufeff" + text, name).root.type == "a"


def test_tree_that_is_too_deep_for_a_format_is_refused() -> None:
    node = TreeNode(type="a")
    for _ in range(3_000):
        node = TreeNode(type="a", children=(node,))
    for name in ("xml", "json", "yaml"):
        with pytest.raises(ArgumentError, match="too many levels"):
            dump(node, name)


def test_types_are_renamed_on_import() -> None:
    read = load("<a><Version n='1'><b/></Version></a>", "xml", rename={"Version": "Release"})
    assert [node.type for node in read.root.walk()] == ["a", "Release", "b"]


def test_invalid_xml_names_can_only_be_exported_to_other_formats() -> None:
    with pytest.raises(ArgumentError, match="not an XML name"):
        dump(TreeNode(type="a b"), "xml")
    assert json.loads(dump(TreeNode(type="a b"), "json")[0])["type"] == "a b"
    with pytest.raises(ArgumentError, match="control characters"):
        dump(TreeNode(type="a", attributes={"x": "\x00"}), "xml")


def test_format_is_guessed_from_the_suffix() -> None:
    assert [guess(name) for name in ("a.xml", "b.JSON", "c.d.yml", "e.yaml")] == ["xml", "json", "yaml", "yaml"]
    with pytest.raises(ArgumentError, match="must end in"):
        guess("a.txt")
    with pytest.raises(ArgumentError, match="format must be"):
        load("", "toml")
    with pytest.raises(ArgumentError, match="format must be"):
        dump(TreeNode(type="a"), "toml")
