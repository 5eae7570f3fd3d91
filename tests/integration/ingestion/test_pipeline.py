from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mnemo.config import IngestionSettings
from mnemo.errors import ArgumentError, GroupError, MalformedReplyError, ProviderUnavailableError
from mnemo.ingestion.pipeline import Pipeline
from mnemo.ingestion.progress import STAGES
from mnemo.models.graph import Message
from mnemo.models.progress import Progress
from mnemo.models.results import Counts
from mnemo.providers.base import Embedder
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.builders import CountingDatabase, ScriptedExtractor
from support.snapshot import snapshot

LINES = [f"Ana visited Place{n}" for n in range(100)]
MESSAGES = [Message(content=line, session="trip", speaker="Ana") for line in LINES]


def pipeline_of(database: Database, embedder: Embedder, extractor: ScriptedExtractor | None = None) -> Pipeline:
    return Pipeline(database, embedder, extractor or ScriptedExtractor())


def positions(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.startswith("Episode") and "->" not in line]


async def test_acknowledged_messages_are_pending_in_order(
    database: Database, embedder: Embedder, group: str, server_endpoint: Endpoint
) -> None:
    pipeline = pipeline_of(database, embedder)
    added = await pipeline.acknowledge(group, MESSAGES[:5])
    assert (added.new, added.known, len(set(added.uuids))) == (5, 0, 5)
    assert await pipeline.status(group) == Counts(pending=5)
    lines = await snapshot(server_endpoint, group)
    assert sum("-NEXT" in line for line in lines) == 4
    for position in range(5):
        assert any(f'"position": {position},' in line and LINES[position] in line for line in positions(lines))


async def test_adding_a_longer_file_adds_only_new_lines(
    database: Database, embedder: Embedder, group: str, server_endpoint: Endpoint
) -> None:
    pipeline = pipeline_of(database, embedder)
    first = await pipeline.acknowledge(group, MESSAGES[:20])
    await pipeline.process(group)
    again = await pipeline.acknowledge(group, MESSAGES[:30])
    assert (again.new, again.known) == (10, 20)
    assert again.uuids[:20] == first.uuids
    assert await pipeline.status(group) == Counts(pending=10, done=20)
    lines = await snapshot(server_endpoint, group)
    assert sum("-NEXT" in line for line in lines) == 29


async def test_order_is_kept_across_batches(
    database: Database, embedder: Embedder, group: str, server_endpoint: Endpoint
) -> None:
    messages = [Message(content=f"line {n}", session=f"s{n % 3}") for n in range(1201)]
    added = await pipeline_of(database, embedder).acknowledge(group, messages)
    assert added.new == 1201
    lines = positions(await snapshot(server_endpoint, group))
    assert any('"line 1200"' in line and '"position": 400,' in line for line in lines)


async def test_one_invalid_message_stores_nothing(database: Database, embedder: Embedder, group: str) -> None:
    pipeline = pipeline_of(database, embedder)
    with pytest.raises(ArgumentError, match="message 3"):
        await pipeline.acknowledge(group, [*MESSAGES[:3], Message(content=" "), *MESSAGES[4:]])
    assert await pipeline.status(group) == Counts()


async def test_processing_makes_entities_and_facts_once(database: Database, embedder: Embedder, group: str) -> None:
    extractor = ScriptedExtractor()
    pipeline = pipeline_of(database, embedder, extractor)
    await pipeline.acknowledge(group, MESSAGES[:45])
    processed = await pipeline.process(group)
    assert (processed.done, processed.failed, processed.pending, processed.stopped) == (45, 0, 0, None)
    assert (processed.entities, processed.edges) == (46, 45)
    assert len(extractor.windows) == 3
    assert processed.usage.calls == 3
    assert await pipeline.process(group) == replace(
        processed, done=0, entities=0, edges=0, usage=type(processed.usage)(), seconds={}
    )
    assert await pipeline.status(group) == Counts(done=45)


async def test_windows_include_preceding_messages_as_context(
    database: Database, embedder: Embedder, group: str
) -> None:
    extractor = ScriptedExtractor()
    pipeline = pipeline_of(database, embedder, extractor)
    await pipeline.acknowledge(group, MESSAGES[:30])
    await pipeline.process(group)
    await pipeline.acknowledge(group, MESSAGES[:31])
    await pipeline.process(group)
    shown = [[item.content for item in window.context] for window in extractor.windows]
    assert shown == [[], LINES[11:15], LINES[26:30]]


async def test_one_failing_episode_leaves_99_done_and_retry_processes_it(
    database: Database, embedder: Embedder, group: str
) -> None:
    extractor = ScriptedExtractor({LINES[37]: MalformedReplyError("the reply is no JSON")})
    pipeline = pipeline_of(database, embedder, extractor)
    added = await pipeline.acknowledge(group, MESSAGES)
    processed = await pipeline.process(group)
    assert (processed.done, processed.failed, processed.pending) == (99, 1, 0)
    assert processed.reasons == {added.uuids[37]: "MalformedReplyError: the reply is no JSON"}
    assert await pipeline.status(group) == Counts(done=99, failed=1)
    assert (await pipeline.outcome(group, added.uuids[36:38])).reasons == processed.reasons
    extractor.errors.clear()
    mended = await pipeline.retry(group)
    assert (mended.done, mended.edges) == (1, 1)
    assert await pipeline.status(group) == Counts(done=100)
    assert [item.content for item in extractor.windows[-1].context] == LINES[33:37]


async def test_outage_leaves_all_pending_and_is_reported(database: Database, embedder: Embedder, group: str) -> None:
    extractor = ScriptedExtractor({"*": ProviderUnavailableError("connection refused")})
    pipeline = pipeline_of(database, embedder, extractor)
    await pipeline.acknowledge(group, MESSAGES[:45])
    processed = await pipeline.process(group)
    assert (processed.done, processed.failed, processed.pending) == (0, 0, 45)
    assert processed.stopped == "ProviderUnavailableError: connection refused"
    assert await pipeline.status(group) == Counts(pending=45)
    extractor.errors.clear()
    assert (await pipeline.process(group)).done == 45


async def test_outage_midway_keeps_finished_windows(database: Database, embedder: Embedder, group: str) -> None:
    errors = {line: ProviderUnavailableError("down") for line in LINES[40:]}
    pipeline = pipeline_of(database, embedder, ScriptedExtractor(errors))
    await pipeline.acknowledge(group, MESSAGES)
    processed = await pipeline.process(group)
    assert (processed.done, processed.failed, processed.pending) == (40, 0, 60)
    assert processed.stopped is not None


async def test_a_window_takes_three_round_trips(database: Database, embedder: Embedder, group: str) -> None:
    counting = CountingDatabase(database)
    pipeline = pipeline_of(counting, embedder)  # type: ignore[arg-type]  # has what the pipeline calls
    await pipeline.acknowledge(group, MESSAGES)
    counting.calls.clear()
    await pipeline.process(group)
    assert counting.calls["ingestion/candidates"] == 5
    assert counting.calls["ingestion/write"] == 5
    assert sum(counting.calls.values()) <= 5 * 2 + 7


async def test_progress_and_profile_name_every_stage(database: Database, embedder: Embedder, group: str) -> None:
    pipeline = pipeline_of(database, embedder)
    await pipeline.acknowledge(group, MESSAGES[:40])
    seen: list[Progress] = []
    processed = await pipeline.process(group, seen.append)
    assert seen[-1] == Progress(stage="write", done=40, total=40, counts={"entities": 41, "facts": 40, "calls": 2})
    assert [each.done for each in seen] == sorted(each.done for each in seen)
    assert tuple(processed.seconds) == STAGES


async def test_groups_run_concurrently_and_totals_add_up(database: Database, embedder: Embedder, group: str) -> None:
    pipeline = Pipeline(database, embedder, ScriptedExtractor(), settings=IngestionSettings(groups_at_once=2))
    groups = [f"{group}-{n}" for n in range(3)]
    for name in groups:
        await pipeline.acknowledge(name, MESSAGES[:25])
    processed = await pipeline.process(groups)
    assert (processed.done, processed.entities, processed.edges) == (75, 78, 75)


async def test_invalid_group_is_rejected_before_any_work(database: Database, embedder: Embedder, group: str) -> None:
    pipeline = pipeline_of(database, embedder)
    await pipeline.acknowledge(group, MESSAGES[:5])
    with pytest.raises(GroupError):
        await pipeline.process([group, ""])
    assert await pipeline.status(group) == Counts(pending=5)


@pytest.mark.parametrize(
    ("zone", "kept"),
    [
        ("Pacific/Auckland", "Pacific/Auckland"),
        ("Europe/Paris", "Europe/Paris"),
        ("Etc/GMT+3", "Etc/GMT+3"),
        ("EST", "America/Panama"),
        ("UTC", "UTC"),
    ],
)
async def test_times_and_metadata_come_back_as_they_were_given(
    database: Database, embedder: Embedder, group: str, zone: str, kept: str
) -> None:
    when = datetime(2023, 10, 29, 0, 30, tzinfo=UTC)
    message = Message(content="Ana likes Tea", occurred_at=when, zone=zone, source="chat.txt", metadata={"a": "b"})
    extractor = ScriptedExtractor()
    pipeline = pipeline_of(database, embedder, extractor)
    await pipeline.acknowledge(group, [message])
    await pipeline.process(group)
    (stored,) = extractor.windows[0].episodes
    assert (stored.occurred_at, stored.zone) == (when, kept)
    assert (stored.source, stored.metadata) == ("chat.txt", {"a": "b"})
