"""WhatsApp's text exports: layouts, order of day and month, system lines, media, clock changes."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemo.errors import ReaderError
from mnemo.ingestion.readers import read
from mnemo.ingestion.readers.stamps import Stamp
from mnemo.models.graph import Message

NOTICE = "Messages and calls are end-to-end encrypted. No one outside of this chat can read or listen to them."


def chat(folder: Path, *lines: str, name: str = "WhatsApp Chat with Book Club.txt", **options: str) -> list[Message]:
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [message for found in read(path, "whatsapp", **options) for message in found]  # type: ignore[arg-type]  # zone, dates


def when(message: Message) -> str:
    assert message.occurred_at is not None
    return message.occurred_at.strftime("%Y-%m-%d %H:%M:%S")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("25/05/2023, 14:05 - ", "2023-05-25 14:05:00"),
        ("25/5/23, 2:05 PM - ", "2023-05-25 14:05:00"),
        ("5/25/23, 2:05\u202fPM - ", "2023-05-25 14:05:00"),
        ("25.05.23, 14:05 - ", "2023-05-25 14:05:00"),
        ("25.05.23 um 14:05 - ", "2023-05-25 14:05:00"),
        ("25-05-2023 14:05 - ", "2023-05-25 14:05:00"),
        ("2023-05-25, 14:05 - ", "2023-05-25 14:05:00"),
        ("2023/05/25 14:05 - ", "2023-05-25 14:05:00"),
        ("25/5/2023, 2:05 p. m. - ", "2023-05-25 14:05:00"),
        ("25/5/2023, 12:05 a.m. - ", "2023-05-25 00:05:00"),
        ("2023/05/25 午後2:05 - ", "2023-05-25 14:05:00"),
        ("[25/05/2023, 14:05:33] ", "2023-05-25 14:05:33"),
        ("[25.05.23, 14:05:33] ", "2023-05-25 14:05:33"),
        ("[5/25/23, 2:05:33\u202fPM] ", "2023-05-25 14:05:33"),
        ("\u200e[2023-05-25, 2:05:33 PM] ", "2023-05-25 14:05:33"),
        ("25.5.2023 klo 14.05 - ", "2023-05-25 14:05:00"),
        ("25.05.23, 14:05 Uhr - ", "2023-05-25 14:05:00"),
    ],
)
def test_every_layout_gives_speaker_text_and_time(tmp_path: Path, header: str, expected: str) -> None:
    [message] = chat(tmp_path, f"{header}Ana Maria: See you at 5: sharp")
    assert (message.speaker, message.content, when(message)) == ("Ana Maria", "See you at 5: sharp", expected)


@pytest.mark.parametrize("date", ["2023년 5월 25일 오후 2:05", "2023. 5. 25. 오후 2:05"])
def test_the_korean_layout_has_a_comma_before_and_a_blank_behind_the_sender(tmp_path: Path, date: str) -> None:
    [message] = chat(tmp_path, f"{date}, Ana Maria : 안녕: 하세요")
    assert (message.speaker, message.content, when(message)) == ("Ana Maria", "안녕: 하세요", "2023-05-25 14:05:00")


def test_message_goes_on_until_the_next_header(tmp_path: Path) -> None:
    first, second = chat(
        tmp_path, "25/05/2023, 14:05 - Ana: List:", "- milk", "", "- 2 eggs", "25/05/2023, 14:06 - Ben: ok"
    )
    assert first.content == "List:\n- milk\n\n- 2 eggs"
    assert (second.content, second.session) == ("ok", "Book Club 2023-05-25")


def test_a_number_over_12_anywhere_decides_for_the_whole_file(tmp_path: Path) -> None:
    told = chat(tmp_path, "05/06/2023, 10:00 - Ana: a", "05/13/2023, 10:00 - Ana: b")
    assert [when(message)[:10] for message in told] == ["2023-05-06", "2023-05-13"]
    told = chat(tmp_path, "05/06/2023, 10:00 - Ana: a", "13/06/2023, 10:00 - Ana: b")
    assert [when(message)[:10] for message in told] == ["2023-06-05", "2023-06-13"]


def test_the_order_of_messages_decides_where_numbers_do_not(tmp_path: Path) -> None:
    told = chat(tmp_path, "09/05/2023, 10:00 - Ana: a", "01/06/2023, 10:00 - Ana: b")
    assert [when(message)[:10] for message in told] == ["2023-05-09", "2023-06-01"]
    told = chat(tmp_path, "05/09/2023, 10:00 - Ana: a", "06/01/2023, 10:00 - Ana: b")
    assert [when(message)[:10] for message in told] == ["2023-05-09", "2023-06-01"]


def test_dots_mean_day_first(tmp_path: Path) -> None:
    [message] = chat(tmp_path, "05.06.23, 10:00 - Ana: a")
    assert when(message)[:10] == "2023-06-05"


def test_dates_that_do_not_tell_are_an_error_that_says_how_to_tell(tmp_path: Path) -> None:
    lines = ("05/06/2023, 10:00 - Ana: a", "05/07/2023, 10:00 - Ana: b")
    with pytest.raises(ReaderError, match="both orders in sequence: read it with dates='day-first' or 'month-first'"):
        chat(tmp_path, *lines)
    assert [when(message)[:10] for message in chat(tmp_path, *lines, dates="month-first")] == [
        "2023-05-06",
        "2023-05-07",
    ]
    assert [when(message)[:10] for message in chat(tmp_path, *lines, dates="day-first")] == ["2023-06-05", "2023-07-05"]


def test_same_day_and_month_need_no_decision(tmp_path: Path) -> None:
    [message] = chat(tmp_path, "05/05/2023, 10:00 - Ana: a")
    assert when(message)[:10] == "2023-05-05"


def test_date_that_fits_no_order_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match=r"Club\.txt:2: wanted a day-first date, got '25/25/2023 10:00'"):
        chat(tmp_path, "25/05/2023, 10:00 - Ana: a", "25/25/2023, 10:00 - Ana: b")


def test_impossible_hour_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match=":1: wanted a day-first date, got '25/05/2023 25:05'"):
        chat(tmp_path, "25/05/2023, 25:05 - Ana: a")


@pytest.mark.parametrize(
    "line",
    [
        f"25/05/2023, 14:05 - {NOTICE}",
        "25/05/2023, 14:05 - Ana created group “Trip: the sequel”",
        '25/05/2023, 14:05 - Ana changed the subject from "A: b" to "C: d"',
        "25/05/2023, 14:05 - Ben joined using this group's invite link",
        "25/05/2023, 14:05 - Ana: This message was deleted",
        f"[25/05/2023, 14:05:00] Book Club: \u200e{NOTICE}",
        "[25/05/2023, 14:05:00] Ana: \u200eYou deleted this message.",
        "[25/05/2023, 14:05:00] Book Club: \u200eAna added Ben",
        "[25/05/2023, 14:05:00] Ana: \u200eMissed voice call",
    ],
)
def test_what_the_app_says_is_nobodys(tmp_path: Path, line: str) -> None:
    [message] = chat(tmp_path, line)
    assert (message.role, message.speaker) == ("system", None)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("<Media omitted>", "[media omitted]"),
        ("\u200eimage omitted", "[image omitted]"),
        ("IMG-20230525-WA0001.jpg (file attached)", "[attached IMG-20230525-WA0001.jpg]"),
        ("IMG-1.jpg (file attached)\nOur kite", "[attached IMG-1.jpg]\nOur kite"),
        ("\u200e<attached: 00000012-PHOTO.jpg>", "[attached 00000012-PHOTO.jpg]"),
        ("See you \u200e<This message was edited>", "See you"),
        ("Ben left and I added salt", "Ben left and I added salt"),
    ],
)
def test_media_are_named_and_stay_their_senders(tmp_path: Path, text: str, content: str) -> None:
    [message] = chat(tmp_path, f"[25/05/2023, 14:05:00] ~\u202fAna: {text}")
    assert (message.role, message.speaker, message.content) == ("user", "Ana", content)


def test_times_are_local_to_the_zone(tmp_path: Path) -> None:
    [message] = chat(tmp_path, "25/05/2023, 00:30 - Ana: a", zone="Pacific/Auckland")
    assert message.zone == "Pacific/Auckland"
    assert message.occurred_at == datetime(2023, 5, 24, 12, 30, tzinfo=UTC)
    assert message.session == "Book Club 2023-05-25"


def test_in_the_hour_shown_twice_the_order_of_messages_decides(tmp_path: Path) -> None:
    clocks = ("02:10", "02:50", "02:20", "02:30", "03:05")
    told = chat(tmp_path, *(f"29/10/2023, {clock} - Ana: x" for clock in clocks), zone="Europe/Berlin")
    instants = [message.occurred_at.astimezone(UTC).strftime("%H:%M") for message in told if message.occurred_at]
    assert instants == ["00:10", "00:50", "01:20", "01:30", "02:05"]


def test_file_without_dates_is_no_chat(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match=r":1: wanted a dated message such as .* got a line without a date"):
        chat(tmp_path, "Ana: hello")


def test_midnight_and_noon_on_a_12_hour_clock() -> None:
    stamps = [Stamp("1/2/23", clock, half) for clock, half in (("12:00", "AM"), ("12:00", "pm"), ("1:00", "p. m."))]
    assert [stamp.time("day-first").hour for stamp in stamps if stamp.time("day-first")] == [0, 12, 13]  # type: ignore[union-attr]  # None is left out
