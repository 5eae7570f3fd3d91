from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from mnemo.bench.facts import CaseScene, parse, read_scenes
from mnemo.bench.facts.cases import Days
from mnemo.errors import ReaderError

HEAD = "== one\n@ 2025-03-09 18:30 Europe/Brussels\n"
EVERYDAY = Path(__file__).parents[2] / "cases" / "everyday"


def scene(text: str) -> CaseScene:
    (found,) = parse(HEAD + text, "dev_x")
    return found


def test_messages_are_a_minute_apart_in_their_zone() -> None:
    read = scene("Petra: hi\nnone\nWout (assistant): yo: yo\nnone\n@ 2025-05-18 21:05 Asia/Tokyo\nPetra: back\nnone\n")
    brussels, tokyo = ZoneInfo("Europe/Brussels"), ZoneInfo("Asia/Tokyo")
    assert [(said.speaker, said.role, said.content, said.at) for said in read.messages] == [
        ("Petra", "user", "hi", datetime(2025, 3, 9, 18, 30, tzinfo=brussels)),
        ("Wout", "assistant", "yo: yo", datetime(2025, 3, 9, 18, 31, tzinfo=brussels)),
        ("Petra", "user", "back", datetime(2025, 5, 18, 21, 5, tzinfo=tokyo)),
    ]
    assert read.messages[2].zone == "Asia/Tokyo"
    assert read.speakers == {"Petra", "Wout"}


def test_indented_lines_continue_a_message() -> None:
    (said,) = scene("Petra: look:\n  From: Egon\n\n  I moved.\nnone\n").messages
    assert said.content == "look:\nFrom: Egon\nI moved."


def test_a_fact_has_alternatives_and_times() -> None:
    (said,) = scene(
        "Petra: x\n"
        "fact: Petra/Petra Novak | live,not move | Ghent/ghent city | from 2025-02-24..2025-03-09 until 2026\n"
        "also: Petra | play | | at 2024-02 \n"
        "fact: Petra | swim | | open recurring\n"
    ).messages
    lived, played, swims = said.facts
    assert (lived.subjects, lived.stems, lived.objects) == (
        ("Petra", "Petra Novak"),
        ("live", "not move"),
        ("Ghent", "ghent city"),
    )
    assert lived.begins == Days(first=date(2025, 2, 24), last=date(2025, 3, 9))
    assert lived.until == Days(first=date(2026, 1, 1), last=date(2026, 12, 31))
    assert played.on == Days(first=date(2024, 2, 1), last=date(2024, 2, 29))
    assert (lived.required, played.required, played.objects) == (True, False, ())
    assert (swims.open, swims.recurring, swims.timed, lived.open) == (True, True, True, False)


def test_ends_and_entities_belong_to_the_message_above() -> None:
    first, second = scene(
        "Petra: i left\nends: Petra | live | Leeds | 2025-03-08..2025-03-09\nentity: Leeds/LEEDS | place\n"
        "Wout: ok\nnone\nentity?: Karr\n"
    ).messages
    assert first.ends[0].days == Days(first=date(2025, 3, 8), last=date(2025, 3, 9))
    assert first.ends[0].fact.objects == ("Leeds",)
    assert (first.entities[0].names, first.entities[0].kind, first.entities[0].required) == (
        ("Leeds", "LEEDS"),
        "place",
        True,
    )
    assert (second.nothing, second.entities[0].required, second.entities[0].kind) == (True, False, None)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Petra: hi\n", "dev_x:3: a message has neither facts nor `none`"),
        ("Petra: hi\nnone\nfact: Petra | a | b\n", "dev_x:3: a message has both `none` and facts"),
        ("Petra: hi\nfact: Petra | live\n", "dev_x:4: a fact must be subject | stems | object | time"),
        ("Petra: hi\nfact: Petra | live | Ghent | since 2025\n", "dev_x:4: a time must consist of"),
        ("Petra: hi\nfact: Petra | live | Ghent | from 2025-13\n", "dev_x:4: month must be in 1..12"),
        ("Petra: hi\nfact: Petra | a | b | at 2025-03-09..2025-03-08\n", "dev_x:4: a range must not end before"),
        ("Petra: hi\nends: Petra | live | Ghent\n", "dev_x:4: an end must be subject | stems | object | range"),
        ("Petra: hi\nentity: Ghent | city\n", "dev_x:4: an entity must be names | kind"),
        ("Petra (boss): hi\nnone\n", "dev_x:3: a role must be one of user, assistant"),
        ("none\n", "dev_x:3: this line must follow a message"),
        ("hello\n", "dev_x:3: a message needs a speaker, and a scene and a time above it"),
        ("@ 2025-03-09 25:00 Europe/Brussels\n", "dev_x:3: a time must be a day, a clock time and an IANA zone"),
        ("@ 2025-03-09 18:00 Europe/Ghent\n", "dev_x:3: a time must be a day, a clock time and an IANA zone"),
    ],
)
def test_invalid_line_is_reported_with_its_number(text: str, problem: str) -> None:
    with pytest.raises(ReaderError) as caught:
        parse(HEAD + text, "dev_x")
    assert str(caught.value).startswith(problem)


def test_a_folder_is_read_in_order_and_names_are_unique(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text(HEAD + "Petra: hi\nnone\n", encoding="utf-8")
    (tmp_path / "a.txt").write_text(HEAD.replace("one", "two") + "Petra: hi\nnone\n", encoding="utf-8")
    assert [(each.file, each.name) for each in read_scenes(tmp_path)] == [("a", "two"), ("b", "one")]
    (tmp_path / "c.txt").write_text(HEAD + "Petra: hi\nnone\n", encoding="utf-8")
    with pytest.raises(ReaderError, match="got twice: one"):
        read_scenes(tmp_path)


def test_folder_without_scenes_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match="no scene in"):
        read_scenes(tmp_path)


def test_everyday_cases_are_many_and_each_file_has_three_speakers() -> None:
    scenes = read_scenes(EVERYDAY)
    kept = [each for each in scenes if each.file.startswith("kept_")]
    assert sum(len(each.messages) for each in scenes) >= 700
    assert sum(len(each.messages) for each in kept) >= 100
    for file in {each.file for each in scenes}:
        assert len(frozenset[str]().union(*(each.speakers for each in scenes if each.file == file))) >= 3
