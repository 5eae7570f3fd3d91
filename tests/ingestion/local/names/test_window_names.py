"""Names that a window shows by position or by a capital, and their kinds."""

import pytest

from mnemo.ingestion.local.names.window_names import find_names


@pytest.mark.parametrize(
    ("text", "restored", "kinds"),
    [
        ("i live in ghent", "i live in Ghent", ["place"]),
        ("i work at acme freight now", "i work at Acme Freight now", ["organisation"]),
        ("my sister odile sings", "my sister Odile sings", ["person"]),
        ("we have a dog called biscuit", "we have a dog called Biscuit", ["person"]),
        ("i live in a van", "i live in a van", []),
        ("i work at night", "i work at night", []),
        ("we went back to bed", "we went back to bed", []),
        ("JOÃO DA SILVA sings", "JOÃO DA SILVA sings", ["person"]),
        ("Maria dos Santos left", "Maria dos Santos left", ["person"]),
    ],
)
def test_a_name_is_known_by_its_position(text: str, restored: str, kinds: list[str]) -> None:
    names = find_names(["Ana"], [text])
    assert names.restore(text) == restored
    assert [span.kind for span in names.spans(restored)] == kinds


def test_a_common_word_is_a_name_only_where_a_name_stands() -> None:
    names = find_names(["Ana"], ["our dog is called biscuit"])
    assert names.restore("biscuit died, and i ate a biscuit") == "Biscuit died, and i ate a biscuit"


def test_a_speaker_is_a_person() -> None:
    assert [span.kind for span in find_names(["Aylin"], []).spans("Aylin sings")] == ["person"]
