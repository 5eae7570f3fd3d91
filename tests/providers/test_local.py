import asyncio
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemo.config import Settings
from mnemo.providers.local import LocalEmbedder

TEXTS = ["I moved to Lisbon in May.", "The cat sleeps on the sofa.", "", "日本へ行きました", "x" * 30_000]


@pytest.fixture(scope="module")
async def fresh() -> LocalEmbedder:
    """An embedder without a cache, so that every vector is computed."""
    return LocalEmbedder(Settings().cache_dir, cached=0)


async def test_vectors_are_float32_rows_of_unit_length(fresh: LocalEmbedder) -> None:
    vectors = await fresh.passages(TEXTS)
    assert vectors.shape == (5, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-6)


async def test_no_texts_return_no_rows(fresh: LocalEmbedder) -> None:
    assert (await fresh.passages([])).shape == (0, 384)


async def test_question_is_nearest_to_its_answer(fresh: LocalEmbedder) -> None:
    scores = await fresh.passages(TEXTS[:2]) @ (await fresh.questions(["Where did she move to?"]))[0]
    assert int(np.argmax(scores)) == 0


async def test_question_and_passage_of_one_text_differ(fresh: LocalEmbedder) -> None:
    assert not np.array_equal(await fresh.passages(TEXTS[:1]), await fresh.questions(TEXTS[:1]))


@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(others=st.lists(st.text(max_size=40), max_size=12), place=st.integers(0, 12))
async def test_vector_does_not_depend_on_other_texts(fresh: LocalEmbedder, others: list[str], place: int) -> None:
    alone = (await fresh.passages([TEXTS[0]]))[0]
    together = await fresh.passages([*others[:place], TEXTS[0], *others[place:]])
    assert np.array_equal(together[min(place, len(others))], alone)


async def test_text_is_cut_off_after_512_tokens(fresh: LocalEmbedder) -> None:
    vectors = await fresh.passages(["word " * 600, "word " * 700])
    assert np.array_equal(vectors[0], vectors[1])


async def test_lone_surrogate_is_embedded(fresh: LocalEmbedder) -> None:
    assert np.isfinite(await fresh.passages(["a\ud800b"])).all()


async def test_cached_vectors_equal_computed_ones(fresh: LocalEmbedder, embedder: LocalEmbedder) -> None:
    twice = [await embedder.passages(TEXTS[:2]), await embedder.passages(TEXTS[:2])]
    computed = await fresh.passages(TEXTS[:2])
    assert np.array_equal(twice[0], computed)
    assert np.array_equal(twice[1], computed)


async def test_event_loop_is_not_blocked_and_questions_do_not_queue(fresh: LocalEmbedder) -> None:
    importing = asyncio.create_task(fresh.passages([f"{number} " * 60 for number in range(60)]))
    await asyncio.sleep(0.01)
    await fresh.questions(["where?"])
    assert not importing.done()
    await importing


async def test_model_name_identifies_the_vector_space(embedder: LocalEmbedder) -> None:
    assert (embedder.model, embedder.dimensions) == ("local/e5-small-v2-q", 384)


async def test_closed_embedder_rejects_calls(tmp_path: Path) -> None:
    local = LocalEmbedder(tmp_path, threads=1)
    await local.close()
    with pytest.raises(RuntimeError, match="shutdown"):
        await local.passages(["text"])
