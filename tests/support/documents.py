"""Small PDF and Word files, made where they are needed."""

import io
from collections.abc import Sequence

import docx
import pypdf


def pdf(pages: Sequence[str]) -> bytes:
    """Return a PDF with a page for each text, which has no brackets."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        shown = " ".join(f"({line}) Tj T*" for line in text.split("\n"))
        stream = f"BT /F1 12 Tf 50 700 Td 14 TL {shown} ET"
        font = "/Resources << /Font << /F1 3 0 R >> >>"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {5 + 2 * number} 0 R {font} >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    return _assembled(objects)


def _assembled(objects: Sequence[str]) -> bytes:
    out, places = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    return out + f"{end}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF".encode()


def locked_pdf(text: str) -> bytes:
    """Return a PDF that opens with a password only."""
    writer = pypdf.PdfWriter()
    writer.append(io.BytesIO(pdf([text])))
    writer.encrypt("secret", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def word() -> bytes:
    """Return a Word file with a title, a heading, a list, a table and an author."""
    document = docx.Document()
    document.core_properties.title, document.core_properties.author = "Trip plan", "Ines"
    document.add_heading("Trip", 0)
    document.add_paragraph("We leave for Faro on Monday.")
    document.add_heading("Day two", 2)
    document.add_paragraph("Rosa owns a bakery.", style="List Bullet")
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Hotel", "Marina"
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()
