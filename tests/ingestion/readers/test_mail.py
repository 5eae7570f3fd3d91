"""Mail: .eml files and mboxes."""

from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from mnemo.ingestion.readers.chats.quoted import own_words
from support.reader_cases import CASES, expected, messages, rendered, tolerant, write


@pytest.mark.parametrize("case", ["mail/reply.eml", "mail/box.mbox"])
def test_mails_are_read_with_speakers_and_times(case: str) -> None:
    assert rendered(CASES / case) == expected(case)


def mail(text: str = "I moved to Porto.", **headers: str) -> EmailMessage:
    message = EmailMessage()
    shown = {"From": "Ana Lopes <ana@a.example>", "To": "Ben <ben@a.example>", "Subject": "Porto"}
    for name, value in (shown | {"Date": "Sat, 09 Mar 2024 18:21:10 +0000"} | headers).items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message


@pytest.mark.parametrize(
    ("sender", "speaker"),
    [
        ("Ana Lopes <ana@a.example>", "Ana Lopes"),
        ('"Lopes, Ana" <ana@a.example>', "Ana Lopes"),
        ('"Lopes, Jr." <ana@a.example>', "Lopes, Jr."),
        ("ana@a.example", "ana"),
        ("'Ana' <ana@a.example>", "Ana"),
    ],
)
def test_the_sender_is_the_speaker(tmp_path: Path, sender: str, speaker: str) -> None:
    assert [m.speaker for m in messages(write(tmp_path, "a.eml", mail(From=sender).as_bytes()))] == [speaker]


def test_time_subject_and_id_are_read(tmp_path: Path) -> None:
    made = mail(Subject="AW: Re: [2]: Porto", Message_ID="<x@a.example>", Date="Sat, 09 Mar 2024 18:21:10 -0500")
    [message] = messages(write(tmp_path, "a.eml", made.as_bytes()))
    assert message.occurred_at == datetime(2024, 3, 9, 23, 21, 10, tzinfo=UTC)
    assert (message.zone, message.source_id, message.metadata["subject"]) == (
        "Etc/GMT+5",
        "mail:x@a.example",
        "AW: Re: [2]: Porto",
    )


def test_html_is_used_without_plain_text(tmp_path: Path) -> None:
    made = mail()
    made.set_content(
        "<html><head><style>p{}</style></head><body><p>I moved to <b>Porto</b>.</p><p>Bye</p>"
        '<div class="gmail_quote">On Friday Ben wrote: <blockquote>Where are you?</blockquote></div></body></html>',
        subtype="html",
    )
    assert [m.content for m in messages(write(tmp_path, "a.eml", made.as_bytes()))] == ["I moved to Porto.\n\nBye"]


def test_attachments_are_named_and_not_read(tmp_path: Path) -> None:
    made = mail("See the plan.")
    made.add_attachment("secret plan", filename="plan.txt")
    made.add_attachment(mail("forwarded text"))
    [message] = messages(write(tmp_path, "a.eml", made.as_bytes()))
    assert message.content == "See the plan.\n[attached plan.txt]\n[attached rfc822]"


def test_a_mail_without_a_date_has_an_unknown_time(tmp_path: Path) -> None:
    made = mail()
    del made["Date"]
    [message], report = tolerant(write(tmp_path, "a.eml", made.as_bytes()))
    assert message.occurred_at is None
    assert report.files[0].notes == ("a mail has no date that can be read; its time is unknown",)


def test_mail_without_a_sender_does_not_stop_an_mbox(tmp_path: Path) -> None:
    parts = [mail("one").as_bytes(), b"Subject: nobody\n\nhm\n", mail("three").as_bytes()]
    box = b"".join(b"From x@a.example Sat Mar  9 18:21:10 2024\n" + part + b"\n" for part in parts)
    found, report = tolerant(write(tmp_path, "a.mbox", box))
    assert [m.content for m in found] == ["one", "three"]
    assert [each.reason for each in report.left_out] == ["is no mail with a From"]


def test_line_starting_with_from_does_not_split_a_mail(tmp_path: Path) -> None:
    box = b"From x@a.example Sat Mar  9 18:21:10 2024\n" + mail("Hello\n\nFrom here on it rains.").as_bytes()
    assert [m.content for m in messages(write(tmp_path, "a.mbox", box))] == ["Hello\n\nFrom here on it rains."]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Yes!\n\n> Do you come?\n> Or not?", "Yes!"),
        (
            "Yes!\n\nOn Fri, 8 Mar 2024 at 09:00, Ben <b@a.example> wrote:\n> Do you come?\n\nAnd bring cake.",
            "Yes!\n\nAnd bring cake.",
        ),
        ("Yes!\n\nOn Fri, 8 Mar 2024 at 09:00, Ben Okoro\n<b@a.example> wrote:\n> Do you come?", "Yes!"),
        ("Ja!\n\nAm Fr., 8. März 2024 um 09:00 Uhr schrieb Ben <b@a.example>:\n> Kommst du?", "Ja!"),
        ("Oui !\n\nLe ven. 8 mars 2024 à 09:00, Ben <b@a.example> a écrit :\n> Tu viens ?", "Oui !"),
        ("¡Sí!\n\nEl vie, 8 mar 2024 a las 9:00, Ben (<b@a.example>) escribió:\n> ¿Vienes?", "¡Sí!"),
        ("Sì!\n\nIl giorno ven 8 mar 2024 alle ore 09:00 Ben <b@a.example> ha scritto:\n> Vieni?", "Sì!"),
        ("Sim!\n\nEm sex., 8 de mar. de 2024 às 09:00, Ben <b@a.example> escreveu:\n> Vens?", "Sim!"),
        ("Ja!\n\nOp vr 8 mrt 2024 om 09:00 schreef Ben <b@a.example>:\n> Kom je?", "Ja!"),
        ("Yes!\n\n-----Original Message-----\nFrom: Ben\nDo you come?", "Yes!"),
        ("See below\n\n---------- Forwarded message ---------\nFrom: Ben\nI live in Leeds", "See below"),
        ("Ja!\n\nVon: Ben\nGesendet: Freitag\nAn: Ana\nBetreff: Fest\n\nIch wohne in Leeds", "Ja!"),
        (
            "Yes!\n\n________________________________\nFrom: Ben\nSent: Friday\nTo: Ana\nSubject: x\n\nI live in Leeds",
            "Yes!",
        ),
        ("Yes!\n\n-- \nAna Lopes\nKorst Ltd", "Yes!"),
        ("Yes!\n\nSent from my iPhone", "Yes!"),
        ("On Friday we moved. From: Leeds to: York.", "On Friday we moved. From: Leeds to: York."),
        ("On 8 March 2024 I wrote a book:\nit is long", "On 8 March 2024 I wrote a book:\nit is long"),
    ],
)
def test_quoted_text_and_signatures_are_removed(text: str, own: str) -> None:
    assert own_words(text) == own
