"""Every error mnemo raises, in one tree.

A message says what was wanted, what came, and what to do. It never carries the text of a
memory, a password, or data of a group other than the caller's.

    MnemoError
    ├── ConfigError (ValueError)             a setting is missing or does not fit
    ├── ArgumentError (ValueError)           an argument does not fit
    │   └── GroupError                       a group name is refused
    ├── NotFoundError (LookupError)          nothing of that name in this group
    ├── ConflictError                        someone else wrote first
    ├── StoreError                           the database
    │   ├── StoreUnavailableError (ConnectionError)   not reachable now; retryable
    │   ├── StoreTransientError              deadlock, leader switch; retryable
    │   ├── StoreAuthError (PermissionError) wrong name or password, or no right
    │   ├── StoreReadOnlyError               the server takes no writes
    │   ├── StoreVersionError                the server is too old, or has no such feature
    │   ├── SchemaError                      migrations and database disagree
    │   └── EmbeddingMismatchError           memory was embedded by another model
    ├── ProviderError                        an LLM, embedder or reranker
    │   ├── ProviderUnavailableError (ConnectionError)  refused, 5xx; retryable
    │   ├── RateLimitError                   429; retryable, carries the wait asked for
    │   ├── ProviderTimeoutError (TimeoutError)  no answer in time; retryable
    │   ├── ProviderAuthError (PermissionError)  key missing or refused
    │   └── MalformedReplyError (ValueError) the reply could not be read, twice
    │       └── RunawayReplyError            the reply went on until its limit
    ├── IngestionError                       a window of episodes could not be processed
    │   └── ReaderError (ValueError)         a file is not of the format it was read as
    ├── QueryError (ValueError)              a Semantic XPath query
    │   ├── QuerySyntaxError                 it does not parse
    │   └── QuerySchemaError                 it names what the tree does not have
    └── LauncherError                        the local server
        ├── ArtifactError                    a download failed or has the wrong hash
        ├── DiskError (OSError)              the disk is full, read-only or not permitted
        └── StartError                       the server did not come up, or not down
"""

__all__ = [
    "ArgumentError",
    "ArtifactError",
    "ConfigError",
    "ConflictError",
    "DiskError",
    "EmbeddingMismatchError",
    "GroupError",
    "IngestionError",
    "LauncherError",
    "MalformedReplyError",
    "MnemoError",
    "NotFoundError",
    "ProviderAuthError",
    "ProviderError",
    "ProviderTimeoutError",
    "ProviderUnavailableError",
    "QueryError",
    "QuerySchemaError",
    "QuerySyntaxError",
    "RateLimitError",
    "ReaderError",
    "RunawayReplyError",
    "SchemaError",
    "StartError",
    "StoreAuthError",
    "StoreError",
    "StoreReadOnlyError",
    "StoreTransientError",
    "StoreUnavailableError",
    "StoreVersionError",
]


class MnemoError(Exception):
    """Root of the tree; catching it catches all that mnemo raises on purpose."""

    retryable = False
    """Whether the same call may succeed later with nothing changed by the caller."""


class ConfigError(MnemoError, ValueError):
    """A setting is missing or does not fit."""


class ArgumentError(MnemoError, ValueError):
    """An argument does not fit; nothing was read or written."""


class GroupError(ArgumentError):
    """A group name is empty, blank, too long or has control characters."""


class NotFoundError(MnemoError, LookupError):
    """Nothing of that name or uuid in this group."""


class ConflictError(MnemoError):
    """Someone else wrote first; read again and decide."""


class StoreError(MnemoError):
    """The database refused or failed."""


class StoreUnavailableError(StoreError, ConnectionError):
    """The database cannot be reached now."""

    retryable = True


class StoreTransientError(StoreError):
    """A deadlock, a leader switch or the like, still there after the retries."""

    retryable = True


class StoreAuthError(StoreError, PermissionError):
    """The user name or password is wrong, or the user lacks a right."""


class StoreReadOnlyError(StoreError):
    """The server or database takes no writes."""


class StoreVersionError(StoreError):
    """The server is too old, or lacks a feature that was asked for."""


class SchemaError(StoreError):
    """The migrations in the database and those shipped here disagree."""


class EmbeddingMismatchError(StoreError):
    """The memory was embedded by another model, or one of another dimension."""


class ProviderError(MnemoError):
    """An LLM, embedder or reranker refused or failed."""


class ProviderUnavailableError(ProviderError, ConnectionError):
    """The provider cannot be reached or answers 5xx."""

    retryable = True

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        """Keep the wait that the provider asked for, in seconds, if it asked for one."""
        super().__init__(message)
        self.retry_after_s = retry_after_s


class RateLimitError(ProviderError):
    """The provider answers 429, still after the retries."""

    retryable = True

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        """Keep the wait that the provider asked for, in seconds, if it asked for one."""
        super().__init__(message)
        self.retry_after_s = retry_after_s


class ProviderTimeoutError(ProviderError, TimeoutError):
    """No answer within the timeout."""

    retryable = True


class ProviderAuthError(ProviderError, PermissionError):
    """The key is missing or refused."""


class MalformedReplyError(ProviderError, ValueError):
    """A reply could not be read, and neither could the one after asking again."""

    def __init__(self, message: str, *, usage: object = None) -> None:
        """Keep what both replies cost, a `mnemo.models.results.Usage`, if it is known."""
        super().__init__(message)
        self.usage = usage


class RunawayReplyError(MalformedReplyError):
    """A reply repeated itself until its token limit, or reached the limit twice."""


class IngestionError(MnemoError):
    """A window of episodes could not be processed; they stay acknowledged."""


class ReaderError(IngestionError, ValueError):
    """A file is not of the format it was read as; names the file and the place."""


class QueryError(MnemoError, ValueError):
    """A Semantic XPath query does not fit; carries the query, the offset and what was expected."""

    def __init__(self, message: str, *, query: str, offset: int, expected: tuple[str, ...] = ()) -> None:
        """Keep what an editor needs to underline the place.

        Args:
            message: What is wrong and what to do, without the query.
            query: The whole query as given.
            offset: Characters before the place, 0 to len(query).
            expected: What would have fitted there, most likely first.
        """
        super().__init__(message)
        self.query = query
        self.offset = offset
        self.expected = expected


class QuerySyntaxError(QueryError):
    """The query does not parse."""


class QuerySchemaError(QueryError):
    """The query names a type or attribute that the tree does not have."""


class LauncherError(MnemoError):
    """The local server."""


class ArtifactError(LauncherError):
    """A download failed, is incomplete or has the wrong hash."""


class DiskError(LauncherError, OSError):
    """The disk is full, read-only, or the folder is not permitted."""


class StartError(LauncherError):
    """The server did not come up, or did not go down."""
