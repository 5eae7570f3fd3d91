"""The most frequent complaints about memory systems, end to end with the built-in models."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from mnemo import AsyncMemory, Message
from mnemo.errors import ArgumentError
from mnemo.models.graph import Edge, Entity
from mnemo.models.results import Counts
from mnemo.providers.local import LocalEmbedder
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.memories import settings_of

pytestmark = pytest.mark.slow

MAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


@pytest.fixture
async def memory(
    server_endpoint: Endpoint, database: Database, embedder: LocalEmbedder, group: str
) -> AsyncIterator[AsyncMemory]:
    assert database.version
    settings = settings_of(server_endpoint, memtree={"enabled": False})
    async with AsyncMemory(settings, group=group, embedder=embedder) as opened:
        yield opened


def dated(*lines: tuple[str, str], speaker: str = "Ana", zone: str = "UTC") -> list[Message]:
    """Build messages of one person, each with the local time at which it was written."""
    return [
        Message(
            content=content,
            speaker=speaker,
            session="s",
            occurred_at=datetime.fromisoformat(when).replace(tzinfo=ZoneInfo(zone)),
        )
        for when, content in lines
    ]


async def edges(memory: AsyncMemory, as_of: str = "") -> list[Edge]:
    """Return the facts that hold now or at a given time, or all with `ever`."""
    moment = "ever" if as_of == "ever" else datetime.fromisoformat(as_of).replace(tzinfo=UTC) if as_of else None
    page = await memory.list("edges", as_of=moment)  # type: ignore[arg-type]  # ever, or a moment
    return [edge for edge in page.items if isinstance(edge, Edge)]


async def names(memory: AsyncMemory) -> dict[str, Entity]:
    """Return the entities by name."""
    page = await memory.list("entities", limit=1_000)
    return {entity.name: entity for entity in page.items if isinstance(entity, Entity)}


@pytest.mark.parametrize(
    ("when", "zone", "content", "day"),
    [
        ("2023-05-08T13:56", "UTC", "I lost my passport last Saturday.", "2023-05-06"),
        ("2021-03-01T09:00", "UTC", "I painted the shed the day before yesterday.", "2021-02-27"),
        ("2024-03-01T09:00", "UTC", "I painted the shed yesterday.", "2024-02-29"),
        ("2023-01-02T08:00", "UTC", "I adopted a parrot three days ago.", "2022-12-30"),
        ("2023-05-09T00:30", "Pacific/Auckland", "I adopted a parrot yesterday.", "2023-05-08"),
        ("2023-05-08T23:45", "America/Los_Angeles", "I adopted a parrot today.", "2023-05-08"),
        ("2025-10-26T01:30", "Europe/Berlin", "I adopted a parrot yesterday.", "2025-10-25"),
    ],
)
async def test_time_phrase_is_relative_to_the_message_and_its_zone(
    memory: AsyncMemory, when: str, zone: str, content: str, day: str
) -> None:
    await memory.add(dated((when, content), zone=zone))
    (edge,) = [each for each in await edges(memory, "ever") if each.valid_from is not None]
    assert edge.valid_from is not None
    assert (edge.valid_from.astimezone(ZoneInfo(zone)).isoformat()[:16], edge.precision) == (f"{day}T00:00", "day")
    assert f"({day})" in edge.fact
    assert edge.when is not None
    assert edge.when in content


@pytest.mark.parametrize("content", ["I lost my passport last Saturday.", "I moved to Oslo yesterday."])
async def test_message_without_a_time_gives_no_dates(memory: AsyncMemory, content: str) -> None:
    await memory.add(Message(content=content, speaker="Ana"))
    found = await edges(memory, "ever")
    assert found
    assert {(edge.valid_from, edge.precision) for edge in found} == {(None, "unknown")}


@pytest.mark.parametrize(
    ("old", "new", "turn", "before", "after"),
    [
        ("I work at Acme.", "I joined Birch last week.", "2023-06-05", "Acme", "Birch"),
        ("I live in Leeds.", "I moved to Oslo in April.", "2023-04-01", "Leeds", "Oslo"),
        ("I work as a nurse.", "I now work as a pilot.", "2023-06-14", "nurse", "pilot"),
        ("My favourite colour is green.", "My favourite colour is now red.", "2023-06-14", "green", "red"),
        ("I study at Leeds University.", "I now study at Oslo University.", "2023-06-14", "Leeds", "Oslo"),
        ("I'm engaged to Tom.", "I got married to Tom yesterday.", "2023-06-13", "engaged", "married"),
        ("I'm based in Leeds.", "I'm now based in Oslo.", "2023-06-14", "Leeds", "Oslo"),
        ("I work for Siemens.", "I switched from Siemens to Bosch in May.", "2023-05-01", "works for", "Bosch"),
        ("My phone number is 555-1234.", "My new phone number is 555-9876.", "2023-06-14", "1234", "9876"),
        ("My manager is Carla.", "Dev is my new manager.", "2023-06-14", "Carla", "Dev"),
        ("I'm a junior developer.", "I got promoted to director in May.", "2023-05-01", "junior", "director"),
        ("I have two children.", "I have three children now.", "2023-06-14", "two", "three"),
        ("I drive a Toyota.", "I sold my Toyota last week.", "2023-06-05", "drives", "sold"),
        ("I'm a vegetarian.", "I stopped being vegetarian.", "2023-06-14", "is a vegetarian", "stopped"),
        ("I'm dating Tom.", "Tom and I split up yesterday.", "2023-06-13", "dating", "split"),
        ("I don't eat meat.", "I eat meat now.", "2023-06-14", "not", "now"),
    ],
)
async def test_newer_of_two_conflicting_facts_is_current_and_history_has_both(
    memory: AsyncMemory, old: str, new: str, turn: str, before: str, after: str
) -> None:
    await memory.add(dated(("2023-01-10T09:00", old)))
    await memory.add(dated(("2023-06-14T09:00", new)))
    now = [edge.fact for edge in await edges(memory)]
    assert [fact for fact in now if after in fact]
    assert not [fact for fact in now if before in fact]
    closed = [edge for edge in await edges(memory, "ever") if before in edge.fact]
    assert [edge.valid_to and edge.valid_to.date().isoformat() for edge in closed] == [turn]
    assert [edge.fact for edge in await edges(memory, "2023-02-01") if before in edge.fact]


@pytest.mark.parametrize("spread", [True, False])
@pytest.mark.parametrize(
    ("opinions", "now"),
    [
        (["I love coffee.", "I hate coffee."], "dislikes"),
        (["I hate coffee.", "I love coffee."], "likes"),
        (["I have always hated coffee.", "I love coffee."], "likes"),
        (["I love coffee.", "I don't like coffee anymore.", "I love coffee."], "likes"),
        (["I enjoy coffee.", "I can't stand coffee."], "dislikes"),
    ],
)
async def test_newest_opinion_holds(  # spread: messages are added in several calls
    memory: AsyncMemory, opinions: list[str], now: str, *, spread: bool
) -> None:
    messages = dated(*((f"2023-0{month}-01T09:00", opinion) for month, opinion in enumerate(opinions, 1)))
    for batch in [[each] for each in messages] if spread else [messages]:
        await memory.add(batch)
    assert [edge.relation for edge in await edges(memory) if "coffee" in edge.fact] == [now]
    assert len(await edges(memory, "ever")) == len(opinions)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I work at Acme.", "I adopted a dog named Rex."),
        ("I live in Leeds.", "My sister lives in Oslo."),
        ("I love coffee.", "I hate tea."),
        ("I work at Acme.", "I joined a gym."),
        ("I have a cat.", "I bought a car."),
        ("I'm a vegetarian.", "I'm a nurse."),
        ("I speak French.", "I speak Polish."),
        ("My brother is Tom.", "My brother is Max."),
        ("I have a son named Leo.", "I have a daughter named Mia."),
        ("I live in Leeds.", "I'm moving to Oslo next month."),
        ("I play the violin.", "I sold my car."),
    ],
)
async def test_facts_of_other_subjects_or_relations_end_nothing(memory: AsyncMemory, first: str, second: str) -> None:
    await memory.add(dated(("2023-01-10T09:00", first)))
    before = {edge.uuid for edge in await edges(memory)}
    assert before
    await memory.add(dated(("2023-06-14T09:00", second)))
    assert before <= {edge.uuid for edge in await edges(memory)}


@pytest.mark.parametrize(
    ("lines", "apart"),
    [
        (["I filed ticket PX-48231.", "I closed ticket PX-48213."], ("PX-48231", "PX-48213")),
        (["I flew on flight BA 117.", "I flew on flight BA 171."], ("BA 117", "BA 171")),
        (["I bought an iPhone 14.", "I sold an iPhone 15."], ("iPhone 14", "iPhone 15")),
        (["I met Sam Vieira.", "I met Sam Okafor."], ("Sam Vieira", "Sam Okafor")),
        (["I met Mr Smith.", "I met Mrs Smith."], ("Mr Smith", "Mrs Smith")),
        (["I fixed Ticket 4711.", "I closed Ticket 4712."], ("Ticket 4711", "Ticket 4712")),
        (["I use Python 3.11.", "I use Python 3.12."], ("Python 3.11", "Python 3.12")),
        (["I live at 12 Oak Street.", "I live at 21 Oak Street."], ("12 Oak Street", "21 Oak Street")),
    ],
)
async def test_two_facts_of_a_multi_valued_relation_coexist(
    memory: AsyncMemory, lines: list[str], apart: tuple[str, str]
) -> None:
    for day, line in enumerate(lines, 1):
        await memory.add(dated((f"2023-05-0{day}T09:00", line)))
    known = await names(memory)
    found = [{uuid for name, entity in known.items() for uuid in [entity.uuid] if part in name} for part in apart]
    assert all(found), list(known)
    assert not found[0] & found[1]


@pytest.mark.parametrize(
    ("lines", "forms"),
    [
        (["I work at DGIA."] * 4, {"DGIA"}),
        (["I moved to New York City.", "NYC is loud.", "I love NYC."], {"New York City", "NYC"}),
        (["I work at Café Noir.", "Cafe Noir is closed today.", "I love Café  Noir."], {"Café Noir", "Cafe Noir"}),
    ],
)
async def test_forms_of_one_name_are_one_entity(memory: AsyncMemory, lines: list[str], forms: set[str]) -> None:
    for day, line in enumerate(lines, 1):
        await memory.add(dated((f"2023-05-0{day}T09:00", line)))
    known = [entity for name, entity in (await names(memory)).items() if {name, *entity.aliases} & forms]
    assert len(known) == 1, [(entity.name, entity.aliases) for entity in known]


@pytest.mark.parametrize("content", ["", "   ", "\n\t ", "\u200b", "\u3000"])
async def test_message_without_words_is_rejected_and_nothing_stored(memory: AsyncMemory, content: str) -> None:
    with pytest.raises(ArgumentError):
        await memory.add([Message(content="I live in Leeds."), Message(content=content)])
    assert await memory.status() == Counts()


async def test_message_of_300_000_characters_is_chunked_and_found(memory: AsyncMemory) -> None:
    filler = "The minutes of the parish council were read and agreed to without a vote. " * 4_100
    text = f"{filler[:150_000]} The zeppelin landed near Bonn at dawn. {filler[150_000:300_000]}"
    added = await memory.add(Message(content=text, role="document", source="minutes.txt"), when="later")
    assert added.new > 100
    found = await memory.search("Where did the zeppelin land?", budget=400)
    assert "zeppelin" in found.episodes[0].item.content
    assert found.context.tokens <= 400


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ("昨日、妹と一緒に東京タワーに行きました。", "妹とどこに行きましたか"),
        ("我上周在上海买了一把小提琴。", "我买了什么乐器"),
        ("Ich habe gestern in Zürich ein Klavier gekauft.", "Was wurde in Zurich gekauft?"),
        ("J'ai adopté un chien appelé Éclair à Besançon.", "chien Eclair Besancon"),
        ("We had 🍕 and 🎳 for Zoë's birthday.", "🎳 Zoe"),
        ("سافرت إلى القاهرة مع أختي.", "القاهرة"),
    ],
)
async def test_any_language_is_stored_and_found_unchanged(memory: AsyncMemory, content: str, question: str) -> None:
    await memory.add([*dated(("2023-05-01T09:00", "I like boats.")), Message(content=content, speaker="Kei")])
    assert await memory.status() == Counts(done=2)
    assert (await memory.search(question)).episodes[0].item.content == content


@pytest.mark.parametrize(
    "question",
    [
        'who said "boat" (or ship) AND NOT tea?',
        "boat~2 AND +tea -sail",
        "a/b\\c boat*",
        "title:boat^4 [a TO b]",
        "boat" * 300,
    ],
)
async def test_question_syntax_is_treated_as_text(memory: AsyncMemory, question: str) -> None:
    await memory.add(dated(("2023-05-01T09:00", "I like my boat.")))
    assert (await memory.search(question)).episodes


async def test_adding_a_longer_file_adds_only_new_lines(memory: AsyncMemory) -> None:
    lines = [(f"2023-05-{day:02}T09:00", f"I met Friend{day} in Town{day}.") for day in range(1, 9)]
    messages = dated(*lines)
    await memory.add(messages[:6])
    before = {edge.uuid for edge in await edges(memory, "ever")}
    again = await memory.add(messages[:6])
    assert (again.new, again.known) == (0, 6)
    assert {edge.uuid for edge in await edges(memory, "ever")} == before
    more = await memory.add(messages)
    assert (more.new, more.known) == (2, 6)
    assert await memory.status() == Counts(done=8)
