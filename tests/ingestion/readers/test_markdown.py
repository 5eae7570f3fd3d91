"""Markdown and notes."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemo.ingestion.readers.documents.links import without_brackets
from support.reader_cases import CASES, expected, messages, rendered, tolerant, when, write


def test_markdown_sections_keep_their_parent_headings(tmp_path: Path) -> None:
    text = (
        "---\ntitle: Trip\ndate: 2025-07-04\n---\nIntro.\n\n# Plan\n\nGo.\n\n## Day 1\nFly.\n\n```\n# no heading\n```\n"
    )
    text += "\nLater\n-----\nRest.\n"
    outcome = messages(write(tmp_path, "trip.md", text))
    assert [(m.metadata.get("heading"), m.metadata["line"], m.content) for m in outcome] == [
        (None, "1", "Intro."),
        ("Plan", "7", "# Plan\n\nGo."),
        ("Plan > Day 1", "11", "## Day 1\nFly.\n\n```\n# no heading\n```"),
        ("Plan > Later", "18", "Later\n-----\nRest."),
    ]
    assert {(m.role, m.speaker, m.session, m.metadata["title"]) for m in outcome} == {
        ("document", None, "trip", "Trip")
    }
    assert outcome[0].occurred_at == datetime(2025, 7, 4, tzinfo=UTC)


def test_markdown_rule_at_the_top_is_not_front_matter(tmp_path: Path) -> None:
    [message] = messages(write(tmp_path, "a.md", "---\n\nJust text.\n"))
    assert message.content == "---\n\nJust text."


def note(folder: Path, *lines: str, name: str = "note.md", body: str = "Body") -> Path:
    return write(folder, name, "\n".join(("---", *lines, "---", body)))


@pytest.mark.parametrize(
    "date",
    [
        "2025-03-09",
        "2025-03-09 # when",
        "'2025-03-09'",
        '"2025-03-09"  # when',
        "2025/03/09",
        "2025.03.09",
        "2025-3-9",
        "20250309",
        "9 March 2025",
        "9. März 2025",
        "9 de marzo de 2025",
        "9 mars 2025",
        "9 marzo 2025",
        "9 de março de 2025",
        "9 maart 2025",
        "March 9, 2025",
        "Mar 9 2025",
        "9th of March 2025",
        "Sunday, 9 March 2025",
        "Sunday, March 9th, 2025",
        "09.03.2025",
        "2025年3月9日",
        "[[2025-03-09]]",
        "[2025-03-09]",
    ],
)
def test_common_date_formats_are_parsed(tmp_path: Path, date: str) -> None:
    [message], report = tolerant(note(tmp_path, f"date: {date}"))
    assert (when(message), message.content) == ("2025-03-09 00:00:00", "Body")
    assert report.files[0].notes == ()


@pytest.mark.parametrize(
    ("date", "expected_time"),
    [
        ("2025-03-09T18:30:00", "2025-03-09 18:30:00"),
        ("2025-03-09 18:30", "2025-03-09 18:30:00"),
        ("2025-03-09T18:30:00Z", "2025-03-09 18:30:00"),
        ("2025-03-09 18:30:00 +0100", "2025-03-09 18:30:00"),
        ("9 March 2025, 6:30 PM", "2025-03-09 18:30:00"),
        ("202503091830", "2025-03-09 18:30:00"),
        ("1741545000", "2025-03-09 18:30:00"),
        ("25/12/2025", "2025-12-25 00:00:00"),
        ("12/25/2025", "2025-12-25 00:00:00"),
        ("05/05/2025", "2025-05-05 00:00:00"),
    ],
)
def test_date_with_a_time_or_an_unambiguous_order_is_parsed(tmp_path: Path, date: str, expected_time: str) -> None:
    assert [when(m) for m in messages(note(tmp_path, f"date: {date}"))] == [expected_time]


@pytest.mark.parametrize(
    ("date", "remark"),
    [
        ("", "date is empty"),
        ("''", "date is empty"),
        ("null", "date is empty"),
        ("~", "date is empty"),
        ("# later", "date is empty"),
        ("{{date}}", "date '{{date}}' is no date that can be read"),
        ("<% tp.date.now() %>", "date '<% tp.date.now() %>' is no date that can be read"),
        ("2025-13-45", "date '2025-13-45' is no date that can be read"),
        ("2025", "date '2025' is no date that can be read"),
        ("tomorrow", "date 'tomorrow' is no date that can be read"),
        ("03/04/2025", "date '03/04/2025' fits day-first and month-first (say which with --dates)"),
        ("{a: b}", "date is empty"),
    ],
)
def test_unparsable_date_is_unknown_and_reported(tmp_path: Path, date: str, remark: str) -> None:
    [message], report = tolerant(note(tmp_path, "title: T", f"date: {date}"))
    assert (message.occurred_at, message.metadata["title"]) == (None, "T")
    assert report.files[0].notes == (f"front matter: {remark}; the time is unknown",)
    assert not report.left_out


def test_the_order_of_day_and_month_can_be_given(tmp_path: Path) -> None:
    assert [when(m)[:10] for m in messages(note(tmp_path, "date: 03/04/2025"), dates="day-first")] == ["2025-04-03"]


@pytest.mark.parametrize("key", ["date", "Date", "created", "Created", "date created", "published"])
def test_date_field_has_several_names(tmp_path: Path, key: str) -> None:
    assert [when(m)[:10] for m in messages(note(tmp_path, f"{key}: 2025-03-09"))] == ["2025-03-09"]


def test_daily_note_is_dated_by_its_file_name(tmp_path: Path) -> None:
    assert when(messages(write(tmp_path, "2025-03-09.md", "Body"))[0])[:10] == "2025-03-09"
    assert when(messages(write(tmp_path, "2025-03-09 Meeting.md", "Body"))[0])[:10] == "2025-03-09"
    assert when(messages(write(tmp_path, "Plans for 2025-03-09.md", "Body"))[0]) == "-"


@pytest.mark.parametrize(
    "front",
    [
        "title: [unclosed\ndate: 2025-03-09",
        "title: a: b\ndate: 2025-03-09",
        "date: 2025-03-09\ntitle: {{title}}",
        "# a comment\ndate: 2025-03-09",
        "date: 2025-03-09\na: &x [1]\nb: *x",
    ],
)
def test_invalid_yaml_front_matter_is_read_line_by_line(tmp_path: Path, front: str) -> None:
    assert [when(m)[:10] for m in messages(write(tmp_path, "a.md", f"---\n{front}\n---\nBody"))] == ["2025-03-09"]


def test_toml_front_matter_is_read(tmp_path: Path) -> None:
    [message] = messages(write(tmp_path, "a.md", '+++\ntitle = "T"\ndate = 2025-03-09\n+++\nBody'))
    assert (when(message)[:10], message.metadata["title"], message.content) == ("2025-03-09", "T", "Body")


@pytest.mark.parametrize(
    "text", ["---\n\nSome prose: yes\n\n---\nmore", "---\nno end: x\nmore", "--- \njust words here\n---\nmore"]
)
def test_prose_between_rules_is_kept(tmp_path: Path, text: str) -> None:
    assert "".join(m.content for m in messages(write(tmp_path, "a.md", text))).replace(" \n", "\n") == text.replace(
        " \n", "\n"
    )


# Vaults


def test_a_vault_is_read_with_its_notes_tags_and_links() -> None:
    assert rendered(CASES / "vault") == expected("vault")


@pytest.mark.parametrize(
    ("line", "text", "links"),
    [
        ("See [[Odile]].", "See Odile.", [("Odile", "Odile")]),
        ("See [[People/Odile|my sister]].", "See my sister.", [("Odile", "my sister")]),
        ("See [[Odile#Work]] and [[Odile^b1|her]].", "See Odile and her.", [("Odile", "Odile"), ("Odile", "her")]),
        ("See [[#Work]].", "See Work.", []),
        ("See [[Odile.md]].", "See Odile.", [("Odile", "Odile")]),
        ("See ![[Odile]].", "See Odile.", [("Odile", "Odile")]),
        ("See [her](People/Odile%20Marsh.md).", "See her.", [("Odile Marsh", "her")]),
        ("See [the page](https://a.example/b.md).", "See [the page](https://a.example/b.md).", []),
        ("Code `[[x]]` stays.", "Code `[[x]]` stays.", []),
        ("| [[Odile\\|her]] |", "| her |", [("Odile", "her")]),
        ("On [[2025-03-09]].", "On 2025-03-09.", []),
        ("Not [[closed.", "Not [[closed.", []),
    ],
)
def test_links_become_their_link_text(line: str, text: str, links: list[tuple[str, str]]) -> None:
    found = without_brackets(line)
    assert (found.text, [(link.target, link.shown) for link in found.links]) == (text, links)


def test_a_picture_is_marked_as_media(tmp_path: Path) -> None:
    [message] = messages(write(tmp_path, "a.md", "Us: ![[faro.png]]"))
    assert (message.content, message.metadata["media"]) == ("Us: [attached faro.png]", '["[attached faro.png]"]')


def test_links_in_fenced_code_are_unchanged(tmp_path: Path) -> None:
    [message] = messages(write(tmp_path, "a.md", "```\na[[1]] [[Odile]]\n```"))
    assert message.content == "```\na[[1]] [[Odile]]\n```"
    assert "links" not in message.metadata


@pytest.mark.parametrize(
    ("name", "title", "shown"),
    [
        ("Odile", None, "Odile"),
        ("Odile", "Odile Marsh", "Odile"),
        ("my-trip-to-faro", "My trip to Faro", "My trip to Faro"),
        ("README", "The boat", "The boat"),
        ("2025-03-09", None, None),
        ("index", None, None),
    ],
)
def test_note_is_named_after_its_file_or_title(tmp_path: Path, name: str, title: str | None, shown: str | None) -> None:
    [message] = messages(note(tmp_path, f"title: {title}" if title else "tags: boat", name=f"{name}.md"))
    assert message.metadata.get("note") == shown


@pytest.mark.parametrize(
    "tags",
    [
        "[sailing, friends]",
        "sailing, friends",
        "sailing friends",
        "'#sailing, #friends'",
        "\n  - sailing\n  - '#friends'",
    ],
)
def test_tag_formats_are_parsed(tmp_path: Path, tags: str) -> None:
    [message] = messages(note(tmp_path, f"tags: {tags}"))
    assert message.metadata["tags"] == '["sailing", "friends"]'


def test_plain_markdown_file_is_not_a_note(tmp_path: Path) -> None:
    [message] = messages(write(tmp_path, "plain.md", "Just text."))
    assert message.metadata == {"line": "1"}
