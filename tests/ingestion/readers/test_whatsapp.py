"""WhatsApp's text exports: layouts, order of day and month, system lines, media, clock changes."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemo.errors import ReaderError
from mnemo.ingestion.readers import read
from mnemo.ingestion.readers.stamps import Stamp
from mnemo.models.graph import Message
from support.reader_cases import CASES, expected, rendered, tolerant

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
def test_korean_layout_is_parsed(tmp_path: Path, date: str) -> None:
    [message] = chat(tmp_path, f"{date}, Ana Maria : 안녕: 하세요")
    assert (message.speaker, message.content, when(message)) == ("Ana Maria", "안녕: 하세요", "2023-05-25 14:05:00")


def test_message_continues_until_the_next_header(tmp_path: Path) -> None:
    first, second = chat(
        tmp_path, "25/05/2023, 14:05 - Ana: List:", "- milk", "", "- 2 eggs", "25/05/2023, 14:06 - Ben: ok"
    )
    assert first.content == "List:\n- milk\n\n- 2 eggs"
    assert (second.content, second.session) == ("ok", "Book Club 2023-05-25")


def test_a_number_over_12_anywhere_decides_for_the_whole_file(tmp_path: Path) -> None:
    messages = chat(tmp_path, "05/06/2023, 10:00 - Ana: a", "05/13/2023, 10:00 - Ana: b")
    assert [when(message)[:10] for message in messages] == ["2023-05-06", "2023-05-13"]
    messages = chat(tmp_path, "05/06/2023, 10:00 - Ana: a", "13/06/2023, 10:00 - Ana: b")
    assert [when(message)[:10] for message in messages] == ["2023-06-05", "2023-06-13"]


def test_message_order_decides_ambiguous_dates(tmp_path: Path) -> None:
    messages = chat(tmp_path, "09/05/2023, 10:00 - Ana: a", "01/06/2023, 10:00 - Ana: b")
    assert [when(message)[:10] for message in messages] == ["2023-05-09", "2023-06-01"]
    messages = chat(tmp_path, "05/09/2023, 10:00 - Ana: a", "06/01/2023, 10:00 - Ana: b")
    assert [when(message)[:10] for message in messages] == ["2023-05-09", "2023-06-01"]


def test_dots_mean_day_first(tmp_path: Path) -> None:
    [message] = chat(tmp_path, "05.06.23, 10:00 - Ana: a")
    assert when(message)[:10] == "2023-06-05"


def test_ambiguous_dates_are_an_error_that_names_the_option(tmp_path: Path) -> None:
    lines = ("05/06/2023, 10:00 - Ana: a", "05/07/2023, 10:00 - Ana: b")
    with pytest.raises(
        ReaderError, match="fit day-first and month-first; say which with dates='day-first' or dates='month-first'"
    ):
        chat(tmp_path, *lines)
    assert [when(message)[:10] for message in chat(tmp_path, *lines, dates="month-first")] == [
        "2023-05-06",
        "2023-05-07",
    ]
    assert [when(message)[:10] for message in chat(tmp_path, *lines, dates="day-first")] == ["2023-06-05", "2023-07-05"]


def test_same_day_and_month_need_no_decision(tmp_path: Path) -> None:
    [message] = chat(tmp_path, "05/05/2023, 10:00 - Ana: a")
    assert when(message)[:10] == "2023-05-05"


def test_impossible_date_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match=r"Club\.txt:2: '25/25/2023 10:00' is no day-first date"):
        chat(tmp_path, "25/05/2023, 10:00 - Ana: a", "25/25/2023, 10:00 - Ana: b")


def test_impossible_hour_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match=":1: '25/05/2023 25:05' is no day-first date"):
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
def test_app_messages_have_no_speaker(tmp_path: Path, line: str) -> None:
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
def test_media_are_marked_and_keep_their_sender(tmp_path: Path, text: str, content: str) -> None:
    [message] = chat(tmp_path, f"[25/05/2023, 14:05:00] ~\u202fAna: {text}")
    assert (message.role, message.speaker, message.content) == ("user", "Ana", content)


def test_times_are_local_to_the_given_zone(tmp_path: Path) -> None:
    [message] = chat(tmp_path, "25/05/2023, 00:30 - Ana: a", zone="Pacific/Auckland")
    assert message.zone == "Pacific/Auckland"
    assert message.occurred_at == datetime(2023, 5, 24, 12, 30, tzinfo=UTC)
    assert message.session == "Book Club 2023-05-25"


def test_message_order_decides_times_in_the_repeated_hour(tmp_path: Path) -> None:
    clocks = ("02:10", "02:50", "02:20", "02:30", "03:05")
    messages = chat(tmp_path, *(f"29/10/2023, {clock} - Ana: x" for clock in clocks), zone="Europe/Berlin")
    instants = [message.occurred_at.astimezone(UTC).strftime("%H:%M") for message in messages if message.occurred_at]
    assert instants == ["00:10", "00:50", "01:20", "01:30", "02:05"]


def test_file_without_dates_is_not_a_chat(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match=r":1: has no date; a WhatsApp chat begins with a line such as"):
        chat(tmp_path, "Ana: hello")


def test_midnight_and_noon_on_a_12_hour_clock() -> None:
    stamps = [Stamp("1/2/23", clock, half) for clock, half in (("12:00", "AM"), ("12:00", "pm"), ("1:00", "p. m."))]
    assert [stamp.time("day-first").hour for stamp in stamps if stamp.time("day-first")] == [0, 12, 13]  # type: ignore[union-attr]  # None is left out


@pytest.mark.parametrize("case", ["whatsapp/WhatsApp Chat mit Jule.txt", "whatsapp/ios-german.txt"])
def test_german_exports_are_read_with_speakers_and_times(case: str) -> None:
    assert rendered(CASES / case) == expected(case)


LAYOUTS = ("13/03/2024, 18:21 - Jule: {}", "[13.03.24, 18:21:00] Jule: {}", "[13.03.24, 18:21:00] Jule: \u200e{}")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "text",
    [
        "This message was deleted",
        "You deleted this message.",
        "Diese Nachricht wurde gelöscht.",
        "Du hast diese Nachricht gelöscht.",
        "Se eliminó este mensaje.",
        "Eliminaste este mensaje.",
        "Ce message a été supprimé",
        "Vous avez supprimé ce message",
        "Questo messaggio è stato eliminato.",
        "Hai eliminato questo messaggio.",
        "Mensagem apagada",
        "Você apagou esta mensagem.",
        "Dit bericht is verwijderd",
        "Je hebt dit bericht verwijderd.",
        "Missed voice call at 18:21",
        "Verpasster Sprachanruf um 18:21",
        "Llamada de voz perdida a las 18:21",
        "Appel vidéo manqué",
        "Chiamata vocale persa alle 18:21",
        "Chamada de voz perdida às 18:21",
        "Gemiste spraakoproep",
        NOTICE,
        "Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt. Niemand außerhalb dieses Chats kann sie lesen.",
        "Los mensajes y las llamadas están cifrados de extremo a extremo. Nadie fuera de este chat puede leerlos.",
        "Les messages et les appels sont chiffrés de bout en bout. Aucun tiers ne peut les lire.",
        "I messaggi e le chiamate sono crittografati end-to-end. Nessuno al di fuori di questa chat può leggerli.",
        "As mensagens e as chamadas são protegidas com a criptografia de ponta a ponta.",
        "Berichten en gesprekken worden end-to-end versleuteld. Niemand buiten deze chat kan ze lezen.",
        "Warte auf diese Nachricht. Dies kann etwas dauern.",
        "null",
    ],
)
def test_app_messages_in_seven_languages_have_no_speaker(tmp_path: Path, layout: str, text: str) -> None:
    [message] = chat(tmp_path, layout.format(text))
    assert (message.role, message.speaker, message.content) == ("system", None, text)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("<Medien ausgeschlossen>", "[medien ausgeschlossen]"),
        ("Bild weggelassen", "[bild weggelassen]"),
        ("Sprachnachricht weggelassen", "[sprachnachricht weggelassen]"),
        ("<Multimedia omitido>", "[multimedia omitido]"),
        ("imagen omitida", "[imagen omitida]"),
        ("<Médias omis>", "[médias omis]"),
        ("image absente", "[image absente]"),
        ("<Media omessi>", "[media omessi]"),
        ("immagine omessa", "[immagine omessa]"),
        ("<Mídia oculta>", "[mídia oculta]"),
        ("imagem ocultada", "[imagem ocultada]"),
        ("<Media weggelaten>", "[media weggelaten]"),
        ("afbeelding weggelaten", "[afbeelding weggelaten]"),
        ("IMG-1.jpg (Datei angehängt)", "[attached IMG-1.jpg]"),
        ("IMG-1.jpg (archivo adjunto)", "[attached IMG-1.jpg]"),
        ("IMG-1.jpg (fichier joint)", "[attached IMG-1.jpg]"),
        ("IMG-1.jpg (file allegato)", "[attached IMG-1.jpg]"),
        ("IMG-1.jpg (arquivo anexado)", "[attached IMG-1.jpg]"),
        ("IMG-1.jpg (bestand bijgevoegd)", "[attached IMG-1.jpg]"),
        ("IMG-20240309-WA0001.jpg (plik załączony)", "[attached IMG-20240309-WA0001.jpg]"),
        ("<Anhang: 00000012-PHOTO.jpg>", "[attached 00000012-PHOTO.jpg]"),
        ("<adjunto: 00000012-PHOTO.jpg>", "[attached 00000012-PHOTO.jpg]"),
        ("<pièce jointe : 00000012-PHOTO.jpg>", "[attached 00000012-PHOTO.jpg]"),
        ("<allegato: 00000012-PHOTO.jpg>", "[attached 00000012-PHOTO.jpg]"),
        ("<anexado: 00000012-PHOTO.jpg>", "[attached 00000012-PHOTO.jpg]"),
        ("<bijgevoegd: 00000012-PHOTO.jpg>", "[attached 00000012-PHOTO.jpg]"),
        ("Standort: https://maps.google.com/?q=52.5,13.4", "[Standort: https://maps.google.com/?q=52.5,13.4]"),
    ],
)
def test_media_in_seven_languages_are_named_and_marked(tmp_path: Path, layout: str, text: str, content: str) -> None:
    [message] = chat(tmp_path, layout.format(text))
    assert (message.role, message.speaker, message.content) == ("user", "Jule", content)
    assert json.loads(message.metadata["media"]) == [content]


@pytest.mark.parametrize(
    "line",
    [
        "Ana hat die Gruppe „Reise: Plan“ erstellt",
        "Ana creó el grupo “Viaje: plan”",
        "Ana a créé le groupe « Voyage : plan »",
        "Ana ha creato il gruppo “Viaggio: piano”",
        'Ana criou o grupo "Viagem: plano"',
        "Ana heeft de groep 'Reis: plan' aangemaakt",
        "Ana hat Ben hinzugefügt",
        "Ana añadió a Ben",
        "Ana a ajouté Ben",
        "Ana ha aggiunto Ben",
        "Ana adicionou Ben",
        "Ana heeft Ben toegevoegd",
        "Deine Sicherheitsnummer für Ana hat sich geändert. Tippe hier: mehr",
        "Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt. Mehr: tippen",
    ],
)
def test_line_without_a_sender_has_no_speaker_in_any_language(tmp_path: Path, line: str) -> None:
    [message] = chat(tmp_path, f"13/03/2024, 18:21 - {line}")
    assert (message.role, message.speaker, message.content) == ("system", None, line)


@pytest.mark.parametrize("layout", LAYOUTS[:2])
@pytest.mark.parametrize(
    "text",
    [
        "I deleted this message by accident, sorry",
        "Video call tonight?",
        "Missed voice call from mum again, I should ring her",
        "<3",
        "I left the <b>bold</b> pub",
        "report.pdf (see page 3) is wrong",
        "Foto: ich habe sie gemacht",
        "Ben left and I added salt",
        "Ich habe dich zur Liste hinzugefügt",
        "@Ana added me to the list",
        "Messages and calls are what I live for",
    ],
)
def test_similar_messages_of_people_keep_their_speaker(tmp_path: Path, layout: str, text: str) -> None:
    [message] = chat(tmp_path, layout.format(text))
    assert (message.role, message.speaker, message.content) == ("user", "Jule", text)


@pytest.mark.parametrize(
    "mark",
    [
        "<This message was edited>",
        "<Diese Nachricht wurde bearbeitet.>",
        "<Se editó este mensaje.>",
        "<Ce message a été modifié>",
        "<Questo messaggio è stato modificato>",
        "<Mensagem editada>",
        "<Dit bericht is bewerkt>",
    ],
)
def test_edited_mark_is_removed(tmp_path: Path, mark: str) -> None:
    [message] = chat(tmp_path, f"[13.03.24, 18:21:00] Jule: See you \u200e{mark}")
    assert message.content == "See you"


def test_a_contact_with_quotes_in_the_name_is_a_speaker(tmp_path: Path) -> None:
    [message] = chat(tmp_path, '13/03/2024, 18:21 - Ana "Bee" Smith: hi')
    assert message.speaker == 'Ana "Bee" Smith'


@pytest.mark.parametrize(
    ("name", "session"),
    [
        ("WhatsApp Chat with Ben.txt", "Ben"),
        ("WhatsApp Chat with Ben (1).txt", "Ben"),
        ("WhatsApp-Chat mit Ben.txt", "Ben"),
        ("WhatsApp Chat - Ben.txt", "Ben"),
        ("Chat de WhatsApp con Ben.txt", "Ben"),
        ("Discussion WhatsApp avec Ben.txt", "Ben"),
        ("Chat WhatsApp con Ben.txt", "Ben"),
        ("Conversa do WhatsApp com Ben.txt", "Ben"),
        ("WhatsApp-chat met Ben.txt", "Ben"),
    ],
)
def test_chat_is_named_after_its_file(tmp_path: Path, name: str, session: str) -> None:
    [message] = chat(tmp_path, "13/03/2024, 18:21 - Ben: hi", name=name)
    assert message.session == f"{session} 2024-03-13"


def test_invalid_date_skips_only_its_message(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(
        "13/03/2024, 18:21 - Ana: a\n45/03/2024, 18:22 - Ana: b\n14/03/2024, 18:23 - Ana: c\n", encoding="utf-8"
    )
    found, report = tolerant(path)
    assert [message.content for message in found] == ["a", "c"]
    assert [str(each) for each in report.left_out] == ["chat.txt: 2: '45/03/2024 18:22' is no day-first date"]
