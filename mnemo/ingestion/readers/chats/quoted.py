"""Removes signatures and quotes of earlier mails, so that a quote is not taken for the writer's own words.

Lines that begin with `>`, the line that introduces them (`On … wrote:`), everything below `Original Message` or a
block of `From: Sent: To:`, and everything below `-- `. In English, German, Spanish, French, Italian, Portuguese and
Dutch.
"""

import re

__all__ = ["own_words"]

_WROTE = r"wrote|schrieb(?: \S+){0,4}|a écrit|escribió|ha scritto|escreveu|schreef(?: \S+){0,4}|skrev"
_ATTRIBUTION = re.compile(
    rf"(?:On|Am|Le|El|Il|Em|Op|Den|\d{{4}}-\d\d-\d\d)\b(?=.*(?:\d{{4}}|\d{{1,2}}:\d\d)).{{5,300}}\b(?:{_WROTE})\s?:",
    re.IGNORECASE,
)
_LINES_OF_ATTRIBUTION = 3
_ORIGINAL = re.compile(
    r"\s*[-_*]{2,}\s*(?:(?:begin )?forwarded message|original (?:message|email)|ursprüngliche nachricht|"
    r"weitergeleitete nachricht|originalnachricht|message (?:d.origine|original|transféré)|"
    r"mensaje (?:original|reenviado)|"
    r"mensagem (?:original|encaminhada)|messaggio (?:originale|inoltrato)|oorspronkelijk bericht|doorgestuurd bericht)"
    r"\s*:?\s*[-_*]*\s*|begin forwarded message:\s*",
    re.IGNORECASE,
)
_FROM = re.compile(r"\*?(?:From|Von|De|Da|Van)\s?:\*?\s+\S.*", re.IGNORECASE)
_SENT = re.compile(
    r"\*?(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado(?: el| em)?|Fecha|Data|Inviato|Verzonden)\s?:\*?\s.*", re.IGNORECASE
)
_TO = re.compile(
    r"\*?(?:To|An|À|A|Para|Aan|Subject|Betreff|Objet|Asunto|Oggetto|Assunto|Onderwerp)\s?:.*", re.IGNORECASE
)
_BLOCK_LINES = 5
_RULE = re.compile(r"\s*_{5,}\s*")
_DEVICE = re.compile(
    r"\s*(?:Sent from (?:my |Mail|Outlook|Yahoo).*|Get Outlook for .*|Von meinem .{2,30} gesendet.*|"
    r"Gesendet (?:von|mit) .{2,40}|Envoyé (?:de(?:puis)?|à partir de) m.{2,40}|Enviado desde mi .{2,40}|"
    r"Enviado do meu .{2,40}|Inviato da(?:l mio)? .{2,40}|Verstuurd vanaf mijn .{2,40})\s*",
    re.IGNORECASE,
)


def own_words(text: str) -> str:
    """Return the writer's own part of a mail."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept: list[str] = []
    at = 0
    while at < len(lines):
        if _ends(lines, at):
            break
        if length := _attribution(lines, at):
            if not _is_quoted(lines, at + length):
                break
            at += length
            continue
        if not lines[at].lstrip().startswith(">") and not _DEVICE.fullmatch(lines[at]):
            kept.append(lines[at].rstrip())
        at += 1
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _ends(lines: list[str], at: int) -> bool:
    """Return whether the writer's own part ends above a line."""
    line = lines[at]
    if line in {"-- ", "--"} or _ORIGINAL.fullmatch(line):
        return True
    start = at + 1 if _RULE.fullmatch(line) else at
    if start >= len(lines) or not _FROM.fullmatch(lines[start].strip()):
        return False
    block = [line.strip() for line in lines[start + 1 : start + 1 + _BLOCK_LINES]]
    return any(map(_SENT.fullmatch, block)) and any(map(_TO.fullmatch, block))


def _attribution(lines: list[str], at: int) -> int:
    """Return how many lines introduce a quote here; 0 for none."""
    for length in range(1, _LINES_OF_ATTRIBUTION + 1):
        joined = " ".join(line.strip() for line in lines[at : at + length])
        if len(lines) >= at + length and _ATTRIBUTION.fullmatch(joined):
            return length
    return 0


def _is_quoted(lines: list[str], at: int) -> bool:
    """Whether the next line that is not blank is marked as a quote."""
    following = next((line for line in lines[at:] if line.strip()), ">")
    return following.lstrip().startswith(">")
