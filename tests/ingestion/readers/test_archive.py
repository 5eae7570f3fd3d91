"""Zip archives as programs export them, and malicious ones."""

import io
import stat
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from mnemo.errors import ReaderError
from support.reader_cases import CASES, names, spoken, tolerant, write


def packed(files: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)  # a fixed date: the same bytes in every process
    return out.getvalue()


def case(name: str) -> bytes:
    return CASES.joinpath(name).read_bytes()


def test_chatgpt_archive_ignores_other_files(tmp_path: Path) -> None:
    files = {
        "conversations.json": case("assistants/chatgpt.json"),
        "user.json": "{}",
        "chat.html": "<html><body>again</body></html>",
        "something_new.json": '{"x": 1}',
        "file-1.png": b"\x89PNG",
    }
    found, report = tolerant(write(tmp_path, "export.zip", packed(files)))
    assert [m.source_id for m in found] == ["m1", "m2", "m3"]
    assert [str(each) for each in report.left_out] == [
        "conversations.json: $[1]: is no ChatGPT conversation ('Broken'): it has no `mapping` with its messages"
    ]
    assert report.skipped == {"other parts of an export": 3, "images": 1}


@pytest.mark.parametrize(
    ("name", "inside"),
    [("WhatsApp Chat - Book Club.zip", "_chat.txt"), ("export.zip", "WhatsApp Chat with Book Club.txt")],
)
def test_whatsapp_archive_is_named_after_the_chat(tmp_path: Path, name: str, inside: str) -> None:
    text = "[13.03.24, 18:21:00] Ana: I moved\r\n\u200e[13.03.24, 18:22:00] Ana: \u200e<attached: 01-menu.pdf>\r\n"
    files = {inside: text, "01-menu.pdf": b"%PDF-1.4", "02-PHOTO.jpg": b"\xff\xd8"}
    path = write(tmp_path, name, packed(files))
    found, report = tolerant(path)
    assert spoken(found) == [("Ana", "I moved"), ("Ana", "[attached 01-menu.pdf]")]
    assert (names(path), report.left_out) == (["Book Club"], ())


def test_slack_archive_finds_its_users(tmp_path: Path) -> None:
    folder = CASES / "slack/export"
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.json")}
    found, report = tolerant(write(tmp_path, "slack.zip", packed(files)))
    assert spoken(found)[0] == ("Ben Okoro", "My sister Odile lives in Ghent")
    assert (len(found), report.left_out) == (6, ())


@pytest.mark.parametrize(
    ("files", "speakers"),
    [
        ({"conversations.json": "assistants/claude.json"}, {"user", "assistant"}),
        (
            {"ChatExport_2024/result.json": "telegram/single.json"},
            {"Rosalind", "Tomas", "Cat Shelter", "deleted account user3"},
        ),
        (
            {"your_instagram_activity/messages/inbox/z/message_1.json": "meta/message_1.json"},
            {"Zoë", "Ben Okoro", None},
        ),
        ({"Takeout/Google Chat/Groups/DM/messages.json": "google-chat/DM Rosa/messages.json"}, {"Rosa Costa", "Jon"}),
        ({"a/b/channel.json": "discord/channel.json"}, {"Ana", "ben", "LevelBot", None}),
        ({"mail/box.mbox": "mail/box.mbox"}, {"Ana Lopes", "ben"}),
    ],
)
def test_archives_of_other_programs_are_detected(
    tmp_path: Path, files: dict[str, str], speakers: set[str | None]
) -> None:
    data = packed({name: case(source) for name, source in files.items()} | {"settings/account.json": '{"a": 1}'})
    found, _ = tolerant(write(tmp_path, "export.zip", data))
    assert {m.speaker for m in found} == speakers


def test_an_archive_of_notes_is_read_like_a_folder(tmp_path: Path) -> None:
    files = {"a.md": "# A", "b.json": '{"x": 1}', "__MACOSX/._a.md": "x", "c.jpg": b"\xff\xd8", "d/e.txt": "E"}
    found, report = tolerant(write(tmp_path, "notes.zip", packed(files)))
    assert [m.content for m in found] == ["# A", "E"]
    assert [each.file for each in report.left_out] == ["b.json"]
    assert report.skipped == {"hidden": 1, "images": 1}


def test_an_archive_in_a_folder_is_read_too(tmp_path: Path) -> None:
    write(tmp_path, "notes.zip", packed({"a.md": "# A", "b.json": '{"x": 1}'}))
    write(tmp_path, "z.txt", "Z")
    found, report = tolerant(tmp_path)
    assert [m.content for m in found] == ["# A", "Z"]
    assert [each.file for each in report.left_out] == ["notes.zip/b.json"]
    assert [file.file for file in report.files] == ["notes.zip/a.md", "z.txt"]


@pytest.mark.parametrize("name", ["../evil.md", "/etc/evil.md", "a/../../evil.md", "C:/evil.md", "..\\evil.md"])
def test_paths_outside_the_archive_are_skipped(tmp_path: Path, name: str) -> None:
    found, report = tolerant(write(tmp_path, "a.zip", packed({name: "evil", "fine.md": "Fine"})))
    assert [m.content for m in found] == ["Fine"]
    assert [each.reason for each in report.left_out] == ["has a path that leads outside the archive"]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.zip"]


def test_a_link_in_an_archive_is_not_followed(tmp_path: Path) -> None:
    out = io.BytesIO()
    with ZipFile(out, "w") as archive:
        link = ZipInfo("link.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("a.txt", "A")
    found, _ = tolerant(write(tmp_path, "a.zip", out.getvalue()))
    assert [m.content for m in found] == ["A"]


def test_zip_bomb_is_skipped(tmp_path: Path) -> None:
    found, report = tolerant(write(tmp_path, "bomb.zip", packed({"bomb.txt": b"0" * (30 * 2**20), "a.md": "A"})))
    assert [m.content for m in found] == ["A"]
    assert [str(each) for each in report.left_out] == [
        "bomb.txt: unpacks to 30 MB, more than is safe to read from an archive"
    ]


def test_nested_archive_is_skipped(tmp_path: Path) -> None:
    inner = packed({"x.md": "X"})
    found, report = tolerant(write(tmp_path, "a.zip", packed({"inner.zip": inner, "a.md": "A"})))
    assert [m.content for m in found] == ["A"]
    assert [each.reason for each in report.left_out] == [
        "is an archive inside an archive; unpack it and read the folder"
    ]


def test_encrypted_entry_is_skipped(tmp_path: Path) -> None:
    data = bytearray(packed({"a.md": "A text", "b.md": "B text"}))
    for start in (data.find(b"PK\x03\x04") + 6, data.find(b"PK\x01\x02") + 8):
        data[start] |= 1
    found, report = tolerant(write(tmp_path, "a.zip", bytes(data)))
    assert [m.content for m in found] == ["B text"]
    assert [str(each) for each in report.left_out] == ["a.md: is protected by a password"]


def test_damaged_entry_is_reported_by_name(tmp_path: Path) -> None:
    data = bytearray(packed({"a.md": "A text of some length, which is packed and then broken"}))
    data[45:50] = b"\x00" * 5
    _, report = tolerant(write(tmp_path, "a.zip", bytes(data)))
    assert [each.reason.split(":")[0] for each in report.left_out] == ["cannot be read"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (packed({"a.md": "A"})[:40], "is a damaged or incomplete zip archive"),
        (packed({}), "is an empty zip archive"),
        (packed({"a.jpg": b"\xff\xd8"}), "is an archive without files that are read here"),
    ],
)
def test_unreadable_archive_error_gives_the_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(ReaderError, match=reason):
        tolerant(write(tmp_path, "a.zip", data))


def test_users_of_an_archive_are_read_only_from_its_root(tmp_path: Path) -> None:
    day = '[{"type": "message", "user": "U1", "text": "hi", "ts": "1710008470.000200"}]'
    users = '[{"id": "U1", "name": "ana", "real_name": "Ana Lopes"}]'
    data = packed({"export/users.json": users, "export/channels.json": "[]", "export/general/2024-03-09.json": day})
    found, _ = tolerant(write(tmp_path, "a.zip", data))
    assert spoken(found) == [("Ana Lopes", "hi")]
