"""The tokenizer and the network of the built-in embedder.

The network is kept as onnxruntime optimises it, beside the downloaded artifact: it then loads in 0.05 s instead of
0.5 s. The vectors have the same bits either way.
"""

import hashlib
import platform
import secrets
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mnemo.artifacts import artifact
from mnemo.files import write_atomically
from mnemo.providers.base import Vectors

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, SessionOptions

__all__ = ["DIMENSIONS", "NAME", "LocalModel"]

NAME = "e5-small-v2-q"
DIMENSIONS = 384
_MAX_TOKENS = 512
_MAX_CHARS = 20_000
"""Characters to tokenise, far more than 512 tokens of any text; the rest would be cut off anyway."""


class LocalModel:
    """e5-small-v2 as int8 ONNX; thread-safe."""

    def __init__(self, cache_dir: Path) -> None:
        """Load it, after a download if the cache has none.

        Args:
            cache_dir: The artifact cache; see `mnemo.artifacts`.

        Raises:
            ArtifactError: It cannot be downloaded.
        """
        from tokenizers import Tokenizer  # noqa: PLC0415  # only needed for the first text

        jar = artifact(cache_dir, NAME)
        with zipfile.ZipFile(jar) as files:
            self._tokenizer = Tokenizer.from_str(files.read(f"{NAME}-tokenizer.json").decode())
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_MAX_TOKENS)
        self._session = _session(cache_dir / "prepared", jar)

    def vector(self, text: str) -> Vectors:
        """Return the mean of the last layer over all tokens, scaled to unit length: (384,)."""
        clean = text[:_MAX_CHARS].encode("utf-8", "replace").decode()
        ids = np.array([self._tokenizer.encode(clean).ids], np.int64)
        fed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        hidden: Vectors = self._session.run(["last_hidden_state"], fed)[0]
        mean = hidden[0].mean(axis=0, dtype=np.float64)
        vector: Vectors = (mean / np.linalg.norm(mean)).astype(np.float32)
        return vector


def _session(folder: Path, jar: Path) -> "InferenceSession":
    """Load the prepared network, or prepare it; one that was altered or is of another version is not used."""
    import onnxruntime  # noqa: PLC0415  # 0.2 s to import, and only needed for the first text

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    prepared = folder / f"{jar.stem}-onnxruntime-{onnxruntime.__version__}-{platform.machine()}.onnx"
    network = _read(prepared)
    if network is None:
        return _prepared(prepared, jar, options)
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])


def _read(prepared: Path) -> bytes | None:
    """Return a prepared network; None if there is none whose hash is the one written beside it."""
    with suppress(OSError):
        network = prepared.read_bytes()
        if hashlib.sha256(network).hexdigest() == _hash_file(prepared).read_text():
            return network
    return None


def _prepared(path: Path, jar: Path, options: "SessionOptions") -> "InferenceSession":
    """Load the network of the artifact, and keep it as optimised; if it cannot be kept, it is used all the same."""
    import onnxruntime  # noqa: PLC0415  # loaded already by the caller

    with zipfile.ZipFile(jar) as files:
        network = files.read(f"{NAME}.onnx")
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with suppress(Exception):  # a full or read-only disk: OSError here, an error of its own from onnxruntime
        path.parent.mkdir(parents=True, exist_ok=True)
        options.optimized_model_filepath = str(partial)
        onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
        write_atomically(_hash_file(path), hashlib.sha256(partial.read_bytes()).hexdigest())
        partial.replace(path)
    with suppress(OSError):
        partial.unlink(missing_ok=True)
    return session


def _hash_file(prepared: Path) -> Path:
    return prepared.with_suffix(".sha256")
