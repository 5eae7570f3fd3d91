"""Settings: `MNEMO_*` from the environment or a `.env` file, and the usual Neo4j and OpenAI names.

A nested setting joins with two underscores: `MNEMO_LLM__MODEL`, `MNEMO_EMBEDDING__PROVIDER`.
`NEO4J_URI`, `NEO4J_USERNAME`, `NEO4J_PASSWORD`, `NEO4J_DATABASE` and `OPENAI_API_KEY` count too;
where both are given, the `MNEMO_*` name wins.
"""

from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from mnemo.errors import ConfigError

__all__ = [
    "ApiSettings",
    "EmbeddingSettings",
    "HierarchySettings",
    "IngestionSettings",
    "LlmSettings",
    "MemtreeSettings",
    "Neo4jSettings",
    "RerankSettings",
    "SearchSettings",
    "ServerSettings",
    "Settings",
    "load_settings",
]


class _Section(BaseModel):
    """A group of settings: read-only, and a name that is not one is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Neo4jSettings(BaseSettings):
    """Which server holds the memory; with no `uri`, the local one that `mnemo up` starts."""

    model_config = SettingsConfigDict(env_prefix="NEO4J_", env_ignore_empty=True, frozen=True, extra="ignore")

    uri: str | None = None
    username: str = "neo4j"
    password: SecretStr | None = None
    database: str = "neo4j"
    plugin: Literal["auto", "never"] = "auto"
    """`never` takes the plain-Cypher path even where the plugin is installed."""


class _OpenAiKey(BaseSettings):
    """The key under its usual name."""

    model_config = SettingsConfigDict(env_prefix="OPENAI_", env_ignore_empty=True, extra="ignore")

    api_key: SecretStr | None = None


class LlmSettings(_Section):
    """Any OpenAI-compatible server; no key and no `base_url` means no LLM."""

    provider: Literal["auto", "openai", "graphiti", "none"] = "auto"
    """`auto` is `openai` where a key or a base URL is set, else `none`."""
    base_url: str | None = None
    model: str = "gpt-4.1-mini"
    api_key: SecretStr | None = None
    output: Literal["auto", "schema", "json", "text"] = "auto"
    """How replies are held to a schema; `auto` starts strict and steps down by what the server can do."""
    timeout_s: float = Field(default=60.0, gt=0)
    max_retries: int = Field(default=4, ge=0)
    concurrency: int = Field(default=8, ge=1)
    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    client: str | None = None
    """For `graphiti`: `module:factory` of a graphiti-core LLM client."""


class EmbeddingSettings(_Section):
    """Who turns text into vectors."""

    provider: Literal["local", "openai", "sentence_transformers", "graphiti"] = "local"
    model: str | None = None
    """None is the provider's own default: `e5-small-v2-q` for `local`."""
    base_url: str | None = None
    api_key: SecretStr | None = None
    dimensions: int | None = Field(default=None, ge=8, le=4096)
    batch_size: int = Field(default=32, ge=1)
    threads: int | None = Field(default=None, ge=1)
    timeout_s: float = Field(default=60.0, gt=0)
    concurrency: int = Field(default=8, ge=1)
    client: str | None = None
    """For `graphiti`: `module:factory` of a graphiti-core embedder client."""


class RerankSettings(_Section):
    """Who reorders what the routes found; `none` keeps the fused order."""

    provider: Literal["none", "sentence_transformers", "http", "llm", "graphiti"] = "none"
    """`http` is a rerank endpoint as Cohere, Jina and TEI have it; `llm` asks the configured LLM."""
    model: str | None = None
    base_url: str | None = None
    """For `http`: what `/rerank` comes behind, such as https://api.jina.ai/v1."""
    api_key: SecretStr | None = None
    timeout_s: float = Field(default=30.0, gt=0)
    client: str | None = None
    depth: int = Field(default=40, ge=1, le=500)
    """Most items of a type that are scored; the others keep their order behind them."""


class IngestionSettings(_Section):
    """How conversations become memory."""

    profile: Literal["fast", "paper", "documents", "rounds"] = "fast"
    """`paper` asks the LLM a second time what it missed; `documents` cuts texts into windows of `chunk_tokens`
    without overlap; `rounds` makes one episode of a turn and its reply."""
    extractor: Literal["auto", "llm", "local"] = "auto"
    window: int = Field(default=20, ge=1, le=200)
    """Episodes that one extraction reads."""
    context: int = Field(default=4, ge=0, le=50)
    """Earlier episodes shown beside a window, not extracted from."""
    zone: str = "UTC"
    """IANA zone of times that come without one."""
    chunk_tokens: int = Field(default=512, ge=32, le=8192)
    """Longer messages are cut at sentence ends into chunks of this many tokens."""
    chunk_overlap_tokens: int = Field(default=32, ge=0, le=1024)
    max_chars: int = Field(default=2_000_000, ge=1_000)
    """A message longer than this is refused."""
    extract_system: bool = False
    """Whether system messages are extracted from; they are stored in any case."""
    groups_at_once: int = Field(default=4, ge=1, le=64)

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, zone: str) -> str:
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError) as error:
            message = f"wanted an IANA zone such as Europe/Paris, got {zone!r}"
            raise ValueError(message) from error
        return zone


class SearchSettings(_Section):
    """How questions are answered."""

    k: int = Field(default=10, ge=1, le=200)
    budget: int = Field(default=1_000, ge=50)
    """Most tokens of a context, by the offline counter."""


class HierarchySettings(_Section):
    """The hierarchy over entities (Mnemis) and the walk down it."""

    categoriser: Literal["auto", "llm", "local"] = "auto"
    """`auto` is the LLM where one is configured, else themes and clusters."""
    min_children: int = Field(default=2, ge=1)
    """Least members of a category."""
    max_layers: int = Field(default=4, ge=1, le=6)
    batch: int = Field(default=60, ge=2, le=500)
    """Nodes that one call to the LLM groups."""
    drift: float = Field(default=0.5, gt=0)
    """Share of the entities under a top category that came since it was built, from which it is built anew."""
    rename: int = Field(default=20, ge=0)
    """Most categories whose name and tags are looked at again at the end of a run that has added to them; 0 is none.
    An LLM is asked once for all of them, where the run has a call left of the two a window that `fast` allows."""
    rename_tokens: int = Field(default=3_000, ge=200)
    """Most tokens of categories in that call."""
    rename_seconds: float = Field(default=20.0, gt=0)
    """Longest that it may take; then the old names stay."""
    selector: Literal["auto", "llm", "embedding"] = "auto"
    """Who chooses on the way down; `auto` is the LLM where one is configured."""
    layer_tokens: int = Field(default=6_000, ge=200)
    """Most tokens of candidates in one call; larger layers are offered in several, side by side."""
    max_calls: int = Field(default=24, ge=1)
    """Most requests to the LLM for one question."""
    max_nodes: int = Field(default=2_000, ge=1, le=10_000)
    """Most candidates of one layer, and most chosen entities."""
    max_seconds: float = Field(default=60.0, gt=0)
    fusion: Literal["signals", "rrf"] = "signals"
    """How both routes become one order where no reranker is configured: all finds compared by one set of signals,
    or reciprocal rank fusion."""
    rrf_damping: int = Field(default=60, ge=0)
    """Of reciprocal rank fusion; 0 is the plain sum of 1 / rank of the Mnemis paper."""


class MemtreeSettings(_Section):
    """The online tree over episodes (MemTree)."""

    enabled: bool = True
    """Whether it grows with every message."""
    threshold: float = Field(default=0.4, ge=0, le=1)
    """Least similarity to go down from the root: the paper's θ0."""
    rate: float = Field(default=0.5, ge=0)
    """How fast the threshold rises with depth: the paper's λ."""
    normaliser: float = Field(default=15.0, gt=0)
    """Depth that the rate is divided by. With 1 it is the formula as printed in the paper, under which
    nothing attaches below depth 3: the threshold at depth 2 is 1.087."""
    similarity_floor: float | None = Field(default=None, ge=0, lt=1)
    """Cosine that counts as no similarity at all; None is the one measured for the embedding model, else 0."""
    batch: int = Field(default=200, ge=1, le=2_000)
    """Most inserts of one transaction in bulk."""
    aggregate: Literal["batch", "insert"] = "batch"
    """`batch` writes the summary above several inserts of one transaction once, at its end: far fewer LLM
    calls for an import. `insert` writes it after each, as the paper does. For messages that come singly
    both are the same."""
    summaries: Literal["auto", "llm", "extract"] = "auto"
    """Who writes them. `auto` is the LLM in the profile `paper`, and the most central sentences in the others, so
    that the tree costs no call: in bulk the LLM takes about one for each message."""
    summary_tokens: int = Field(default=64, ge=16, le=1_024)
    """Most tokens of the content of an inner node."""
    retrieval: Literal["collapsed", "traversal"] = "collapsed"
    """Over all nodes at once, or level by level from the root."""
    least_similarity: float = Field(default=0.0, ge=-1, le=1)
    """What a node must have to be found, on the scale of `similarity_floor`."""


class ServerSettings(_Section):
    """The local Neo4j server; None chooses by the machine."""

    bolt_port: int = Field(default=7687, ge=1, le=65535)
    http_port: int = Field(default=7474, ge=1, le=65535)
    heap_mb: int | None = Field(default=None, ge=256)
    page_cache_mb: int | None = Field(default=None, ge=64)
    start_timeout_s: float = Field(default=120.0, gt=0)


class ApiSettings(_Section):
    """Where `mnemo serve` listens, and who is let in."""

    host: str = "127.0.0.1"
    """Any other than a loopback address wants `key`."""
    port: int = Field(default=7676, ge=0, le=65535)
    """0 is any free one."""
    key: SecretStr | None = Field(default=None, min_length=16)
    """None makes one at the first start and keeps it in `home`, readable by its owner alone."""


class Settings(BaseSettings):
    """All settings, read once and passed down."""

    model_config = SettingsConfigDict(
        env_prefix="MNEMO_",
        env_nested_delimiter="__",
        env_file=".env",
        env_ignore_empty=True,
        frozen=True,
        extra="ignore",
    )

    home: Path = Field(default_factory=lambda: platformdirs.user_data_path("mnemo", appauthor=False))
    """The one folder outside the project: `cache/` (downloads) and `server/` (the database)."""
    group: str = "default"
    neo4j: Neo4jSettings = Field(default_factory=Neo4jSettings)
    llm: LlmSettings = LlmSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    rerank: RerankSettings = RerankSettings()
    ingestion: IngestionSettings = IngestionSettings()
    search: SearchSettings = SearchSettings()
    hierarchy: HierarchySettings = HierarchySettings()
    tree: MemtreeSettings = MemtreeSettings()
    server: ServerSettings = ServerSettings()
    api: ApiSettings = ApiSettings()

    @property
    def llm_key(self) -> SecretStr | None:
        """The LLM's key: its own setting, else `OPENAI_API_KEY`."""
        return self.llm.api_key or _OpenAiKey().api_key

    @property
    def embedding_key(self) -> SecretStr | None:
        """The embedder's key: its own setting, else the LLM's."""
        return self.embedding.api_key or self.llm_key

    @property
    def llm_provider(self) -> Literal["openai", "graphiti", "none"]:
        """Which LLM provider is meant, `auto` resolved."""
        if self.llm.provider != "auto":
            return self.llm.provider
        return "openai" if self.llm.base_url or self.llm_key else "none"

    @property
    def api_key_file(self) -> Path:
        """Where the key of `mnemo serve` is kept when none is set."""
        return self.home / "api_key"

    @property
    def cache_dir(self) -> Path:
        """Downloads and compiled files; safe to delete while nothing runs."""
        return self.home / "cache"

    @property
    def server_dir(self) -> Path:
        """The local server's own home: data, logs, password."""
        return self.home / "server"


def load_settings(**overrides: object) -> Settings:
    """Read settings from the environment and `.env`.

    Args:
        overrides: Sections or fields that win over the environment.

    Raises:
        ConfigError: A value does not fit; names the setting, not the value of a secret.
    """
    try:
        return Settings(**overrides)  # type: ignore[arg-type]  # pydantic validates what callers pass
    except ValidationError as error:
        problems = "; ".join(
            f"{'__'.join(str(part).upper() for part in item['loc'])}: {item['msg']}" for item in error.errors()
        )
        message = f"these settings (prefix MNEMO_) do not fit: {problems}"
        raise ConfigError(message) from error
