from dataclasses import replace

import pytest

from mnemo.errors import (
    MalformedReplyError,
    ProviderAuthError,
    ProviderError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitError,
    RunawayReplyError,
)
from mnemo.ingestion.extraction import Extraction, Fact, Mention, Window
from mnemo.ingestion.isolation import HOPELESS_STREAK, OUTAGE_STREAK, Isolated, fall_back, isolate, merge
from mnemo.models.results import Usage
from support.builders import ScriptedExtractor, episode

EPISODES = tuple(episode(f"Ana sees thing{n}", n) for n in range(20))
WINDOW = Window(group="g", episodes=EPISODES)


async def test_one_call_when_nothing_fails() -> None:
    extractor = ScriptedExtractor()
    outcome = await isolate(extractor, WINDOW)
    assert len(extractor.windows) == 1
    assert outcome.failed == {}
    assert [fact.episode for fact in outcome.extraction.facts] == [item.uuid for item in EPISODES]


@pytest.mark.parametrize("bad", range(20))
@pytest.mark.parametrize(
    "error",
    [MalformedReplyError("not JSON"), ProviderUnavailableError("500"), ProviderError("400"), ProviderTimeoutError("s")],
)
async def test_only_the_failing_episode_fails_at_any_position(bad: int, error: ProviderError) -> None:
    extractor = ScriptedExtractor({EPISODES[bad].content: error})
    outcome = await isolate(extractor, WINDOW)
    assert outcome.failed == {EPISODES[bad].uuid: f"{type(error).__name__}: {error}"}
    good = [item.uuid for item in EPISODES if item is not EPISODES[bad]]
    assert [fact.episode for fact in outcome.extraction.facts] == good
    assert len(extractor.windows) <= 12


async def test_episode_that_fails_only_in_company_is_read_alone() -> None:
    class RefusesContext(ScriptedExtractor):
        async def extract(self, window: Window) -> Extraction:
            if EPISODES[0] in window.context:
                message = "refused"
                raise MalformedReplyError(message)
            return await super().extract(window)

    window = replace(WINDOW, episodes=EPISODES[1:4], context=EPISODES[:1])
    outcome = await isolate(RefusesContext(), window)
    assert outcome.failed == {}
    assert [fact.episode for fact in outcome.extraction.facts] == [item.uuid for item in EPISODES[1:4]]


async def test_parts_merge_to_one_mention_per_name_in_window_order() -> None:
    outcome = await isolate(ScriptedExtractor({EPISODES[7].content: MalformedReplyError("no")}), WINDOW)
    ana, *_ = outcome.extraction.mentions
    assert ana.name == "Ana"
    assert ana.episodes == tuple(item.uuid for item in EPISODES if item is not EPISODES[7])
    assert len(outcome.extraction.mentions) == 20


@pytest.mark.parametrize(
    ("error", "calls"),
    [
        (ProviderUnavailableError("down"), OUTAGE_STREAK),
        (RateLimitError("429"), OUTAGE_STREAK),
        (ProviderTimeoutError("hangs"), 3),
    ],
)
async def test_outage_is_raised_after_few_calls(error: ProviderError, calls: int) -> None:
    extractor = ScriptedExtractor({"*": error})
    with pytest.raises(type(error)):
        await isolate(extractor, WINDOW)
    assert len(extractor.windows) == calls


async def test_outage_with_one_episode_is_an_outage() -> None:
    window = replace(WINDOW, episodes=EPISODES[:1])
    with pytest.raises(ProviderUnavailableError):
        await isolate(ScriptedExtractor({"*": ProviderUnavailableError("down")}), window)


async def test_refused_key_is_raised_at_once() -> None:
    extractor = ScriptedExtractor({"*": ProviderAuthError("key")})
    with pytest.raises(ProviderAuthError):
        await isolate(extractor, WINDOW)
    assert len(extractor.windows) == 1


async def test_always_invalid_replies_fail_the_window_after_bounded_calls() -> None:
    extractor = ScriptedExtractor({"*": MalformedReplyError("not JSON")})
    outcome = await isolate(extractor, WINDOW)
    assert set(outcome.failed) == {item.uuid for item in EPISODES}
    assert len(extractor.windows) == HOPELESS_STREAK


async def test_programming_error_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        await isolate(ScriptedExtractor({"*": ZeroDivisionError()}), WINDOW)


async def test_cost_of_failed_calls_is_counted() -> None:
    error = MalformedReplyError("no")
    error.usage = Usage(calls=2, input_tokens=5)  # type: ignore[attr-defined]  # as providers raise it
    window = replace(WINDOW, episodes=EPISODES[:2])
    outcome = await isolate(ScriptedExtractor({EPISODES[0].content: error}), window)
    assert outcome.extraction.usage == Usage(calls=5, input_tokens=110, output_tokens=10)


def test_merge_keeps_the_first_name_and_renames_facts() -> None:
    first = Extraction(mentions=(Mention(name="New York", episodes=("1",)),), dropped={"quote_not_found": 1})
    fact = Fact(
        subject="new york",
        relation="is",
        object=None,
        fact="It is big.",
        episode="2",
        quote="big",
        start=0,
        end=3,
        said_at=EPISODES[0].recorded_at,
    )
    second = Extraction(
        mentions=(Mention(name="new york", tags=("city",), episodes=("2",)),),
        facts=(fact,),
        dropped={"quote_not_found": 2},
    )
    merged = merge([first, second])
    (mention,) = merged.mentions
    assert (mention.name, mention.aliases, mention.tags) == ("New York", ("new york",), ("city",))
    assert mention.episodes == ("1", "2")
    assert merged.facts[0].subject == "New York"
    assert merged.dropped == {"quote_not_found": 3}


RUNAWAY = RunawayReplyError("repeats itself", usage=Usage(calls=1, output_tokens=2_000))
REASON = "RunawayReplyError: repeats itself"


async def test_window_whose_reply_runs_away_is_read_by_the_fallback_after_one_call() -> None:
    extractor, fallback = ScriptedExtractor({"*": RUNAWAY}), ScriptedExtractor()
    outcome = await isolate(extractor, WINDOW, fallback)
    assert (len(extractor.windows), len(fallback.windows)) == (1, 1)
    assert outcome.fallback == {item.uuid: REASON for item in EPISODES}
    assert (outcome.failed, outcome.pending) == ({}, {})
    assert [fact.episode for fact in outcome.extraction.facts] == [item.uuid for item in EPISODES]
    assert outcome.extraction.usage == Usage(calls=2, input_tokens=100, output_tokens=2_010)


async def test_window_whose_reply_runs_away_stays_pending_without_a_fallback() -> None:
    outcome = await isolate(ScriptedExtractor({"*": RUNAWAY}), WINDOW)
    assert outcome.pending == {item.uuid: REASON for item in EPISODES}
    assert (outcome.failed, outcome.fallback, outcome.extraction.facts) == ({}, {}, ())


async def test_only_the_part_that_runs_away_is_read_by_the_fallback() -> None:
    errors: dict[str, Exception] = {EPISODES[3].content: MalformedReplyError("no"), EPISODES[15].content: RUNAWAY}
    extractor = ScriptedExtractor(errors)
    outcome = await isolate(extractor, WINDOW, ScriptedExtractor())
    assert list(outcome.failed) == [EPISODES[3].uuid]
    assert set(outcome.fallback) == {item.uuid for item in EPISODES[10:]}
    good = [item.uuid for item in EPISODES if item is not EPISODES[3]]
    assert sorted(fact.episode for fact in outcome.extraction.facts) == sorted(good)


async def test_episode_the_fallback_cannot_read_stays_pending_with_a_reason() -> None:
    fallback = ScriptedExtractor({"*": ProviderError("no model")})
    outcome = await fall_back(Isolated(extraction=Extraction()), [(WINDOW, "why")], fallback)
    assert outcome.pending == {item.uuid: "ProviderError: no model" for item in EPISODES}
