"""File types without readable text, recognised by their first bytes."""

__all__ = ["SNIFFED_BYTES", "binary_kind", "wide_encoding"]

SNIFFED_BYTES = 4096
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"BM", "a BMP image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"%PDF-", "a PDF file"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file (save it as .docx)"),
    (b"{\\rtf", "an RTF file (save it as .docx or text)"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"OggS", "an Ogg sound or video"),
    (b"ID3", "an MP3 sound"),
    (b"\xff\xfb", "an MP3 sound"),
    (b"fLaC", "a FLAC sound"),
    (b"\x1aE\xdf\xa3", "a Matroska or WebM video"),
    (b"wOFF", "a font"),
    (b"bplist00", "a binary property list"),
)
_IN_TEXT_TOO = {b"BM", b"MZ", b"BZh", b"ID3", b"OggS", b"fLaC", b"wOFF"}
"""Signatures made of letters: they count only where control characters follow."""
_BOX = 8
_CONTROLS = bytes(set(range(32)) - {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1B, 0x1C, 0x1D, 0x1E, 0x1F})
_MOST_CONTROLS = 0.02


def binary_kind(head: bytes) -> str | None:
    """Name what a file is by its first bytes; None for text, also in UTF-16 or UTF-32.

    Args:
        head: Up to `SNIFFED_BYTES` from the start of the file.
    """
    controls = len(head) - len(head.translate(None, _CONTROLS))
    for signature, kind in _SIGNATURES:
        if head.startswith(signature) and (signature not in _IN_TEXT_TOO or controls):
            return kind
    if head[:4] == b"RIFF" and controls:
        return {b"WEBP": "a WebP image", b"WAVE": "a WAV sound"}.get(head[8:12], "a sound or video")
    if head[4:_BOX] == b"ftyp":
        return "a HEIC image" if head[_BOX : _BOX + 3] == b"hei" else "an MP4 sound or video"
    return None if _is_wide(head) or controls <= _MOST_CONTROLS * len(head) else "a binary file"


def _is_wide(head: bytes) -> bool:
    """Return whether zero bytes are where UTF-16 or UTF-32 has them, and there are no other control characters."""
    marked = head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff"))
    return marked or wide_encoding(head) is not None


def wide_encoding(head: bytes) -> str | None:
    """Return UTF-16 or UTF-32 without a byte order mark by the places of zero bytes; None for anything else."""
    zeros = [head[place::4].count(0) for place in range(4)]
    if not sum(zeros) or len(head) < 2:  # noqa: PLR2004  # one character of UTF-16
        return None
    quarter = max(1, len(head) // 4)
    full = [zero >= quarter * 0.9 for zero in zeros]
    if full[1:] == [True, True, True] and not full[0]:
        return "utf-32-le"
    if full[:3] == [True, True, True] and not full[3]:
        return "utf-32-be"
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    if max(even, odd) * 5 < len(head) or min(even, odd) * 20 > len(head):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"
