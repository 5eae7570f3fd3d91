"""Recognises files that are zip archives inside: Office files, books, programs."""

from zipfile import BadZipFile, ZipFile

from mnemo.ingestion.readers.files.source import Source, format_error

__all__ = ["packed_kind"]

_KINDS = (
    ("word/document.xml", "docx"),
    ("xl/workbook.xml", "an Excel file (save it as CSV)"),
    ("ppt/presentation.xml", "a PowerPoint file (save it as PDF)"),
    ("META-INF/container.xml", "an EPUB book (convert it to HTML)"),
    ("META-INF/MANIFEST.MF", "a Java archive"),
    ("content.xml", "an OpenDocument file (save it as .docx)"),
    ("AndroidManifest.xml", "an Android app"),
)


def packed_kind(source: Source) -> str | None:
    """Return `docx`, the name of another kind that cannot be read, or None for a plain archive.

    Raises:
        ReaderError: The archive is damaged.
    """
    with source.mapped_errors(), source.open() as file:
        try:
            with ZipFile(file) as archive:
                names = set(archive.namelist())
        except BadZipFile as error:
            raise format_error(source.path, "is a damaged or incomplete zip archive") from error
    return next((kind for name, kind in _KINDS if name in names), None)
