"""Settings: `MNEMO_*` from the environment or a `.env` file, and the usual Neo4j and OpenAI names.

A nested setting joins with two underscores: `MNEMO_LLM__MODEL`, `MNEMO_EMBEDDING__PROVIDER`.
`NEO4J_URI`, `NEO4J_USERNAME`, `NEO4J_PASSWORD`, `NEO4J_DATABASE` and `OPENAI_API_KEY` are read too;
where both are set, the `MNEMO_*` name wins. `MNEMO_TREE__*`, the former name of `MNEMO_MEMTREE__*`, still
works with a deprecation warning.
"""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from mnemo.deprecation import warn_former_name
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
    """A section of the settings: read-only; an unknown name is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Neo4jSettings(BaseSettings):
    """The database server; without `uri` it is the local one that `mnemo up` starts."""

    model_config = SettingsConfigDict(env_prefix="NEO4J_", env_ignore_empty=True, frozen=True, extra="ignore")

    uri: str | None = None
    username: str = "neo4j"
    password: SecretStr | None = None
    database: str = "neo4j"
    plugin: Literal["auto", "never"] = "auto"
    """`never` uses plain Cypher even where the plugin is installed."""
    retry_s: float = Field(default=30.0, ge=0, le=600)
    """Seconds to try again while the server cannot be reached, counted once for all statements of a call."""


class _OpenAiKey(BaseSettings):
    """The API key under its usual name."""

    model_config = SettingsConfigDict(env_prefix="OPENAI_", env_ignore_empty=True, extra="ignore")

    api_key: SecretStr | None = None


class LlmSettings(_Section):
    """An OpenAI-compatible server; without a key and a `base_url` there is no LLM."""

    provider: Literal["auto", "openai", "graphiti", "none"] = "auto"
    """`auto` is `openai` if a key or a base URL is set, else `none`."""
    base_url: str | None = None
    model: str = "gpt-4.1-mini"
    api_key: SecretStr | None = None
    output: Literal["auto", "schema", "json", "text"] = "auto"
    """How replies are constrained to a schema; `auto` starts strict and falls back to what the server supports."""
    timeout_s: float = Field(default=60.0, gt=0)
    max_retries: int = Field(default=4, ge=0)
    concurrency: int = Field(default=8, ge=1)
    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    client: str | None = None
    """For `graphiti`: `module:factory` of a graphiti-core LLM client."""


class EmbeddingSettings(_Section):
    """The embedder: turns text into vectors."""

    provider: Literal["local", "openai", "sentence_transformers", "graphiti"] = "local"
    model: str | None = None
    """None is the provider's default: `e5-small-v2-q` for `local`."""
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
    """The reranker: reorders the results of a search; `none` keeps the fused order."""

    provider: Literal["none", "sentence_transformers", "http", "llm", "graphiti"] = "none"
    """`http` is a rerank endpoint like those of Cohere, Jina and TEI; `llm` asks the configured LLM."""
    model: str | None = None
    base_url: str | None = None
    """For `http`: the URL before `/rerank`, such as https://api.jina.ai/v1."""
    api_key: SecretStr | None = None
    timeout_s: float = Field(default=30.0, gt=0)
    client: str | None = None
    depth: int = Field(default=40, ge=1, le=500)
    """Most items of each type that are scored; the others follow in their former order."""


class IngestionSettings(_Section):
    """How messages become episodes, entities and facts."""

    profile: Literal["fast", "paper", "documents", "rounds"] = "fast"
    """`paper` asks the LLM a second time for what it missed; `documents` cuts texts into windows of `chunk_tokens`
    without overlap; `rounds` stores a turn and its reply as one episode."""
    extractor: Literal["auto", "llm", "local"] = "auto"
    fallback: Literal["local", "pending"] = "local"
    """What becomes of episodes on which the LLM's reply runs away (repeats itself, or never ends): `local` lets the
    local extractor read them, `pending` leaves them for the next run."""
    window: int = Field(default=20, ge=1, le=200)
    """Episodes read by one extraction."""
    context: int = Field(default=4, ge=0, le=50)
    """Earlier episodes shown to the extractor as context only."""
    zone: str = "UTC"
    """IANA zone of times given without one."""
    chunk_tokens: int = Field(default=512, ge=32, le=8192)
    """Longer messages are cut at sentence ends into chunks of at most this many tokens."""
    chunk_overlap_tokens: int = Field(default=32, ge=0, le=1024)
    max_chars: int = Field(default=2_000_000, ge=1_000)
    """A message longer than this is refused."""
    extract_system: bool = False
    """Whether facts are extracted from system messages; the messages are always stored."""
    groups_at_once: int = Field(default=4, ge=1, le=64)

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, zone: str) -> str:
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError) as error:
            message = f"must be an IANA zone such as Europe/Paris, got {zone!r}"
            raise ValueError(message) from error
        return zone


class SearchSettings(_Section):
    """Defaults of search and ask."""

    k: int = Field(default=10, ge=1, le=200)
    budget: int = Field(default=1_000, ge=50)
    """Most tokens of the context, counted offline."""


class HierarchySettings(_Section):
    """The categories over entities (Mnemis), and the walk through them that answers a question."""

    categoriser: Literal["auto", "llm", "local"] = "auto"
    """`auto` is the LLM if one is configured, else themes and clusters."""
    min_children: int = Field(default=2, ge=1)
    """Fewest members of a category."""
    max_layers: int = Field(default=4, ge=1, le=6)
    batch: int = Field(default=60, ge=2, le=500)
    """Nodes grouped by one request to the LLM."""
    drift: float = Field(default=0.5, gt=0)
    """A top category is rebuilt once this share of its entities was added since its last build."""
    rename: int = Field(default=20, ge=0)
    """Most categories that are renamed at the end of a run that added members to them; 0 turns renaming off.
    The LLM is asked once for all of them, if the run has a request left of the two per window that `fast` allows."""
    rename_tokens: int = Field(default=3_000, ge=200)
    """Most tokens of categories in that request."""
    rename_seconds: float = Field(default=20.0, gt=0)
    """Timeout of that request; after it the old names stay."""
    selector: Literal["auto", "llm", "embedding"] = "auto"
    """Who selects the nodes to descend into; `auto` is the LLM if one is configured."""
    layer_tokens: int = Field(default=6_000, ge=200)
    """Most tokens of candidates in one request; a larger layer is split over several, sent concurrently."""
    max_calls: int = Field(default=24, ge=1)
    """Most requests to the LLM per question."""
    max_nodes: int = Field(default=2_000, ge=1, le=10_000)
    """Most candidates of one layer, and most selected entities."""
    max_seconds: float = Field(default=60.0, gt=0)
    fusion: Literal["signals", "rrf"] = "signals"
    """How the route `both` orders its results without a reranker: one set of signals over all of them, or
    reciprocal rank fusion."""
    rrf_damping: int = Field(default=60, ge=0)
    """Damping of reciprocal rank fusion; 0 is the plain sum of 1 / rank of the Mnemis paper."""


class MemtreeSettings(_Section):
    """The memtree: the online tree over episodes (MemTree)."""

    enabled: bool = True
    """Whether every processed message is inserted."""
    threshold: float = Field(default=0.4, ge=0, le=1)
    """Minimum similarity to descend from the root: the paper's θ0."""
    rate: float = Field(default=0.5, ge=0)
    """How fast the threshold rises with depth: the paper's λ."""
    normaliser: float = Field(default=15.0, gt=0)
    """Divisor of the rate. 1 gives the formula as printed in the paper, with which nothing attaches below
    depth 3: the threshold at depth 2 is 1.087."""
    similarity_floor: float | None = Field(default=None, ge=0, lt=1)
    """Cosine of unrelated texts; None is the value measured for the embedding model, else 0."""
    batch: int = Field(default=200, ge=1, le=2_000)
    """Most inserts per transaction in bulk."""
    aggregate: Literal["batch", "insert"] = "batch"
    """`batch` writes each summary once per transaction: far fewer requests to the LLM during an import. `insert`
    writes it after every insert, as the paper does. For single messages both are the same."""
    summaries: Literal["auto", "llm", "extract"] = "auto"
    """Who writes the summaries. `auto` is the LLM in the profile `paper`, else the most central sentences, which
    cost nothing; in bulk the LLM takes about one request per message."""
    summary_tokens: int = Field(default=64, ge=16, le=1_024)
    """Most tokens of an inner node's content."""
    retrieval: Literal["collapsed", "traversal"] = "collapsed"
    """Search all nodes at once, or level by level from the root."""
    least_similarity: float = Field(default=0.0, ge=-1, le=1)
    """Minimum similarity of a result, on the scale of `similarity_floor`."""


class ServerSettings(_Section):
    """The local Neo4j server; None chooses by the memory of the machine."""

    bolt_port: int = Field(default=7687, ge=1, le=65535)
    http_port: int = Field(default=7474, ge=1, le=65535)
    heap_mb: int | None = Field(default=None, ge=256)
    page_cache_mb: int | None = Field(default=None, ge=64)
    start_timeout_s: float = Field(default=120.0, gt=0)
    java_options: str = ""
    """Further options of the Java runtime, separated by spaces, such as `-XX:+HeapDumpOnOutOfMemoryError`."""

    @field_validator("java_options")
    @classmethod
    def _can_be_split(cls, value: str) -> str:
        shlex.split(value)
        return value

    @property
    def java_option_list(self) -> tuple[str, ...]:
        """Return the options of the Java runtime one by one."""
        return tuple(shlex.split(self.java_options))


class ApiSettings(_Section):
    """The HTTP server that `mnemo serve` starts."""

    host: str = "127.0.0.1"
    """An address other than loopback requires `key`."""
    port: int = Field(default=7676, ge=0, le=65535)
    """0 is any free port."""
    key: SecretStr | None = Field(default=None, min_length=16)
    """None generates a key at the first start and keeps it in `home`, readable by its owner only."""
    max_body_bytes: int = Field(default=1_000_000, ge=1_000)
    """Most bytes of a request's body."""
    body_s: float = Field(default=30.0, gt=0)
    """Seconds in which a request's body must arrive."""
    max_connections: int = Field(default=200, ge=1)
    """Most connections at once; further requests get status 503."""


class _FormerSections(BaseSettings):
    """Sections under their former names; values are checked under the present ones."""

    model_config = SettingsConfigDict(
        env_prefix="MNEMO_", env_nested_delimiter="__", env_file=".env", env_ignore_empty=True, extra="ignore"
    )

    tree: dict[str, Any] = Field(default_factory=dict)


class _FormerNames(PydanticBaseSettingsSource):
    """Reads `MNEMO_TREE__*` from the environment and `.env`."""

    def get_field_value(self, field: object, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002  # whole sections only
        """Return nothing: `__call__` reads whole sections."""
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """Return the former sections that are set."""
        return {name: value for name, value in _FormerSections().model_dump().items() if value}


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
    """The only folder mnemo writes to: `cache/` (downloads) and `server/` (the database)."""
    group: str = "default"
    neo4j: Neo4jSettings = Field(default_factory=Neo4jSettings)
    llm: LlmSettings = LlmSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    rerank: RerankSettings = RerankSettings()
    ingestion: IngestionSettings = IngestionSettings()
    search: SearchSettings = SearchSettings()
    hierarchy: HierarchySettings = HierarchySettings()
    memtree: MemtreeSettings = MemtreeSettings()
    server: ServerSettings = ServerSettings()
    api: ApiSettings = ApiSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources, strongest first; the former names come last."""
        return init_settings, env_settings, dotenv_settings, file_secret_settings, _FormerNames(settings_cls)

    @model_validator(mode="before")
    @classmethod
    def _renamed(cls, given: Any) -> Any:
        """Read the former section `tree` as `memtree`, whose own fields win."""
        if not isinstance(given, Mapping) or "tree" not in given:
            return given
        warn_former_name("MNEMO_TREE__* (settings.tree)", "MNEMO_MEMTREE__* (settings.memtree)")
        others = {name: value for name, value in given.items() if name != "tree"}
        return {**others, "memtree": {**_fields(given["tree"]), **_fields(given.get("memtree"))}}

    @property
    def llm_key(self) -> SecretStr | None:
        """The LLM's key: `MNEMO_LLM__API_KEY`, else `OPENAI_API_KEY`."""
        return self.llm.api_key or _OpenAiKey().api_key

    @property
    def embedding_key(self) -> SecretStr | None:
        """The embedder's key: `MNEMO_EMBEDDING__API_KEY`, else the LLM's."""
        return self.embedding.api_key or self.llm_key

    @property
    def llm_provider(self) -> Literal["openai", "graphiti", "none"]:
        """The LLM provider, with `auto` resolved."""
        if self.llm.provider != "auto":
            return self.llm.provider
        return "openai" if self.llm.base_url or self.llm_key else "none"

    @property
    def api_key_file(self) -> Path:
        """Where the generated key of `mnemo serve` is kept."""
        return self.home / "api_key"

    @property
    def cache_dir(self) -> Path:
        """Downloads and compiled files; safe to delete while nothing runs."""
        return self.home / "cache"

    @property
    def server_dir(self) -> Path:
        """The folder of the local server: data, logs, password."""
        return self.home / "server"


def load_settings(**overrides: object) -> Settings:
    """Read settings from the environment and `.env`.

    Args:
        overrides: Sections or fields that win over the environment.

    Raises:
        ConfigError: A value is invalid. The message names the setting and never contains the value of a secret.
    """
    try:
        return Settings(**overrides)  # type: ignore[arg-type]  # pydantic validates what callers pass
    except ValidationError as error:
        problems = "; ".join(
            f"{'__'.join(str(part).upper() for part in item['loc'])}: {item['msg']}" for item in error.errors()
        )
        message = f"invalid settings (prefix MNEMO_): {problems}"
        raise ConfigError(message) from error


def _fields(section: Any) -> dict[str, Any]:
    """Return the fields of a section that were given, as a mapping or as the section itself."""
    if isinstance(section, BaseModel):
        return section.model_dump(exclude_unset=True)
    return dict(section or {})
