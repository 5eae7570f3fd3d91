"""Contacts that speakers give as their own, and those of others."""

import pytest

from mnemo.ingestion.local.facts.contacts import contacts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("my number is 555 0101", [("phone_number_is", "555 0101", False)]),
        ("got a new number: 555 0202", [("phone_number_is", "555 0202", True)]),
        ("cell is the same, 416 555 0132", [("phone_number_is", "416 555 0132", False)]),
        ("had to change my number, creepy calls. it's 647 555 0178", [("phone_number_is", "647 555 0178", True)]),
        ("note my email changes to fay@example.com today", [("email_is", "fay@example.com", True)]),
        ("lost my phone, the new number is 555 010 3344", [("phone_number_is", "555 010 3344", True)]),
        ("text me at 555 0199 tonight", [("phone_number_is", "555 0199", False)]),
        (
            "mail me at a.b@example.com, my number is 555 0101",
            [
                ("email_is", "a.b@example.com", False),
                ("phone_number_is", "555 0101", False),
            ],
        ),
        ("her number is 555 0404", []),
        ("Tom's new number is 555 0404", []),
        ("the plumber's number: 555 0404", []),
        ("call your phone company on 0800 555 0404", []),
        ("order number 555 0404 has shipped", []),
    ],
)
def test_only_the_speakers_own_contacts_are_found(text: str, found: list[tuple[str, str, bool]]) -> None:
    assert [(each.relation, each.value, each.replaces) for each in contacts(text)] == found
