"""Detects the encoding of a text file: by byte order mark, zero bytes, valid UTF-8, else by its letters.

charset-normalizer detects encodings other than UTF-8 and UTF-16. Its short samples of Western text fit
several code pages equally well, so Windows-1252 (of which printable Latin-1 is a part) wins whenever it fits
as well as the best and gives plausible words.
"""

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass

from charset_normalizer import from_bytes

from mnemo.ingestion.readers.files.signatures import wide_encoding

__all__ = ["Encoding", "encoding_of"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 64_000
_FAVOURITE = "cp1252"
_CANDIDATES = [
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "koi8_r"),
    *("cp932", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr", "iso8859_2", "mac_roman"),
]
_SLACK = 0.05
"""How much more noise than the best guess Windows-1252 may have."""
_DAMAGE = 4
"""Valid characters beyond ASCII for each invalid byte that make a file damaged UTF-8, not another encoding."""
_MOST_ACCENTED = 0.35
_ODD_INSIDE = re.compile(
    r"[^\W\d_][\xa1-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf×÷†‡‰\u2039\u203a™Ÿ][^\W\d_]|[a-zß-ÿ][À-ÖØ-ÞŠŽŒŸ][a-zß-ÿ]"
)
_NAMES = {"koi8_r": "KOI8-R", "cp932": "Shift-JIS", "shift_jis": "Shift-JIS", "big5": "Big5"}


@dataclass(frozen=True, slots=True)
class Encoding:
    """How to decode a file."""

    codec: str
    """Name of a Python codec."""
    errors: str = "strict"
    """`replace` where invalid bytes become U+FFFD."""
    note: str = ""
    """What to tell about it; empty for UTF-8 and UTF-16."""


def encoding_of(head: bytes, blocks: Iterable[bytes]) -> Encoding:
    """Return the encoding of a text file.

    Args:
        head: Its first bytes.
        blocks: The whole file; read only where neither mark nor zero bytes tell.
    """
    marked = next((name for mark, name in _MARKS if head.startswith(mark)), None)
    if marked or (marked := wide_encoding(head)):
        return Encoding(marked, "replace")
    counts = _Utf8Check()
    for block in blocks:
        counts.see(block)
    counts.see(b"", final=True)
    if not counts.invalid:
        return Encoding("utf-8")
    if counts.valid >= counts.invalid * _DAMAGE:
        damage = "byte that is not UTF-8 was" if counts.invalid == 1 else "bytes that are not UTF-8 were"
        return Encoding("utf-8", "replace", f"{counts.invalid} {damage} replaced by U+FFFD")
    codec = _guess(bytes(counts.sample))
    return Encoding(codec, "replace", f"not UTF-8; read as {_name(codec)}")


class _Utf8Check:
    """Counts valid characters beyond ASCII and invalid bytes, and keeps lines that have either."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self.valid = self.invalid = 0
        self.sample = bytearray()

    def see(self, block: bytes, *, final: bool = False) -> None:
        text = self._decoder.decode(block, final)
        if text.isascii():
            return
        beyond = [character for character in text if character > "\x7f"]
        invalid = sum("\udc80" <= character <= "\udcff" for character in beyond)
        self.invalid += invalid
        self.valid += len(beyond) - invalid
        for line in block.splitlines(keepends=True):
            if len(self.sample) < _SAMPLE_BYTES and not line.isascii():
                self.sample += line[:_SAMPLE_BYTES]


def _guess(sample: bytes) -> str:
    """Return the codec that fits best."""
    matches = list(from_bytes(sample, cp_isolation=_CANDIDATES))
    if not matches:
        return _FAVOURITE
    best = matches[0]
    for match in matches:
        names = {match.encoding, *match.could_be_from_charset}
        if _FAVOURITE in names and match.chaos <= best.chaos + _SLACK and _is_plausible(str(match)):
            return _FAVOURITE
    return best.encoding


def _is_plausible(text: str) -> bool:
    """Whether text looks like a Western language: few letters with accents, no symbols inside words."""
    letters = [character for character in text if character.isalpha()]
    accented = sum(character > "\x7f" for character in letters)
    return accented <= max(_MOST_ACCENTED * len(letters), 1) and _ODD_INSIDE.search(text) is None


def _name(codec: str) -> str:
    if codec in _NAMES:
        return _NAMES[codec]
    return codec.replace("cp", "Windows-") if codec.startswith("cp") else codec.replace("_", "-").upper()
