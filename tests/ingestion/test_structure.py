"""Media marks are hidden from the extractor, and links between notes become facts."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from mnemo.ingestion.extraction import Extraction, Fact, Mention, Window
from mnemo.ingestion.structure import StructuredExtractor, with_notes, without_media
from mnemo.models.graph import Episode

AT = datetime(2024, 3, 9, tzinfo=UTC)


def episode(content: str, *, uuid: str = "e1", role: str = "document", **metadata: str) -> Episode:
    return Episode(
        uuid=uuid,
        group="g",
        content=content,
        role=role,  # type: ignore[arg-type]  # one of the roles
        speaker=None if role == "document" else "Jule",
        session="s",
        position=0,
        occurred_at=AT,
        zone="UTC",
        source=None,
        source_id=uuid,
        content_hash="",
        recorded_at=AT,
        metadata=metadata,
    )


def window(*episodes: Episode, context: tuple[Episode, ...] = ()) -> Window:
    return Window(group="g", episodes=episodes, context=context)


@dataclass
class Seeing:
    """An extractor that records the windows it gets and returns one fact about the last word of the first message."""

    shown: list[Window] = field(default_factory=list)

    async def extract(self, window: Window) -> Extraction:
        self.shown.append(window)
        first = window.episodes[0]
        start = first.content.rfind(" ") + 1
        mention = Mention(name="Jule", episodes=(first.uuid,))
        fact = Fact(
            subject="Jule",
            relation="says",
            object=None,
            fact="Jule says",
            episode=first.uuid,
            quote=first.content[start:],
            start=start,
            end=len(first.content),
            said_at=AT,
        )
        return Extraction(mentions=(mention,), facts=(fact,))


def test_link_is_a_fact_between_two_notes_quoting_its_line() -> None:
    content = "About her.\nMy sister owns the boat Kittiwake.\nMore."
    found = with_notes(
        Extraction(), window(episode(content, note="Odile", tags='["sailing"]', links='[["Kittiwake", "Kittiwake"]]'))
    )
    assert [(m.name, m.tags, m.episodes) for m in found.mentions] == [
        ("Odile", ("sailing",), ("e1",)),
        ("Kittiwake", (), ("e1",)),
    ]
    [fact] = found.facts
    assert (fact.subject, fact.relation, fact.object, fact.fact) == (
        "Odile",
        "links_to",
        "Kittiwake",
        "Odile links to Kittiwake",
    )
    assert fact.quote == "My sister owns the boat Kittiwake." == content[fact.start : fact.end]


def test_note_and_extracted_entity_of_one_name_are_merged() -> None:
    said = Extraction(mentions=(Mention(name="odile", kind="person", tags=("sister",), episodes=("e0",)),))
    note = episode("x", note="Odile", title="Odile Marsh", aliases='["Odi"]', tags='["sailing"]')
    [mention] = with_notes(said, window(note)).mentions
    assert (mention.name, mention.kind, mention.tags) == ("odile", "person", ("sailing", "sister"))
    assert (mention.aliases, mention.episodes) == (("Odile Marsh", "Odi"), ("e0", "e1"))


def test_the_same_link_twice_in_a_window_is_one_fact() -> None:
    links = '[["Ghent", "Ghent"]]'
    one = episode("in Ghent", note="Odile", links=links)
    two = episode("to Ghent", uuid="e2", note="Odile", links=links)
    found = with_notes(Extraction(), window(one, two))
    assert len(found.facts) == 1
    assert [m.episodes for m in found.mentions] == [("e1", "e2"), ("e1", "e2")]


def test_note_without_a_name_gives_no_link_facts() -> None:
    found = with_notes(Extraction(), window(episode("Met Odile.", links='[["Odile", "Odile"]]')))
    assert ([m.name for m in found.mentions], found.facts) == (["Odile"], ())


def test_link_is_extracted_only_from_its_own_chunk() -> None:
    assert with_notes(Extraction(), window(episode("First half", links='[["Odile", "Odile"]]'))).mentions == ()


def test_unrelated_metadata_is_ignored() -> None:
    odd = episode("x [photo]", note="N", links="no json", tags='{"a": 1}', aliases="5", media='[1, {"a": 2}]')
    assert [m.name for m in with_notes(Extraction(), window(odd)).mentions] == ["N"]
    assert without_media(window(odd)) == window(odd)


def test_only_documents_are_notes() -> None:
    said = episode("See Odile", role="user", note="N", links='[["Odile", "Odile"]]')
    assert with_notes(Extraction(), window(said)) == Extraction()


async def test_media_marks_are_blanked_for_the_extractor_and_quotes_stay_whole() -> None:
    message = episode("[attached a.jpg] at home [photo]", role="user", media='["[attached a.jpg]", "[photo]"]')
    seeing = Seeing()
    found = await StructuredExtractor(seeing).extract(window(message))
    assert [e.content for e in seeing.shown[0].episodes] == [" " * 16 + " at home " + " " * 7]
    [fact] = found.facts
    assert fact.quote == message.content[fact.start : fact.end]


async def test_message_with_only_media_is_not_extracted() -> None:
    media = episode("[bild weggelassen]", uuid="e1", role="user", media='["[bild weggelassen]"]')
    words = episode("I moved", uuid="e2", role="user")
    seeing = Seeing()
    await StructuredExtractor(seeing).extract(window(media, words, context=(replace(media, uuid="e0"),)))
    assert [[e.uuid for e in shown.episodes] for shown in seeing.shown] == [["e2"]]
    assert seeing.shown[0].context == ()
    assert await StructuredExtractor(seeing).extract(window(media)) == Extraction()
    assert len(seeing.shown) == 1


async def test_window_without_media_is_passed_unchanged() -> None:
    seeing, given = Seeing(), window(episode("I moved", role="user"))
    await StructuredExtractor(seeing).extract(given)
    assert seeing.shown[0] is given
