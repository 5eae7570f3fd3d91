"""Every error mnemo raises, in one tree.

A message says what was expected, what was given, and what to do. It never contains the text of a
memory, a password, or data of another group.

    MnemoError
    ├── ConfigError (ValueError)             a setting is missing or invalid
    ├── ArgumentError (ValueError)           an argument is invalid
    │   └── GroupError                       a group name is invalid
    ├── NotFoundError (LookupError)          the group has nothing of that name
    ├── ConflictError                        a concurrent update was written first
    ├── StoreError                           the database
    │   ├── StoreUnavailableError (ConnectionError)   cannot be reached; retryable
    │   ├── StoreTransientError              deadlock, leader switch; retryable
    │   ├── StoreAuthError (PermissionError) wrong user name or password, or a missing right
    │   ├── StoreReadOnlyError               the server takes no writes
    │   ├── StoreVersionError                the server is too old or lacks a feature
    │   ├── SchemaError                      the migrations differ from those of the database
    │   └── EmbeddingMismatchError           the memory was embedded by another model
    ├── ProviderError                        an LLM, embedder or reranker
    │   ├── ProviderUnavailableError (ConnectionError)  refused, 5xx; retryable
    │   ├── RateLimitError                   429; retryable, with the requested wait
    │   ├── ProviderTimeoutError (TimeoutError)  no answer in time; retryable
    │   ├── ProviderAuthError (PermissionError)  key missing or refused
    │   └── MalformedReplyError (ValueError) the reply could not be parsed, twice
    │       └── RunawayReplyError            the reply went on until its limit
    ├── IngestionError                       a window of episodes could not be processed
    │   └── ReaderError (ValueError)         a file, or a part of one, cannot be read
    ├── QueryError (ValueError)              a Semantic XPath query
    │   ├── QuerySyntaxError                 it does not parse
    │   └── QuerySchemaError                 it names something that the tree does not have
    └── LauncherError                        the local server
        ├── ArtifactError                    a download failed or has the wrong hash
        ├── DiskError (OSError)              the disk is full, read-only or not permitted
        └── StartError                       the server did not start, or did not stop
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
    """Base of all errors that mnemo raises on purpose."""

    retryable = False
    """Whether the same call may succeed later without any change by the caller."""


class ConfigError(MnemoError, ValueError):
    """A setting is missing or invalid."""


class ArgumentError(MnemoError, ValueError):
    """An argument is invalid; nothing was read or written."""


class GroupError(ArgumentError):
    """A group name is empty, blank, too long or contains control characters."""


class NotFoundError(MnemoError, LookupError):
    """The group has nothing with that name or uuid."""


class ConflictError(MnemoError):
    """A concurrent update was written first; nothing of this one was. Read again and retry."""


class StoreError(MnemoError):
    """The database refused the call or failed."""


class StoreUnavailableError(StoreError, ConnectionError):
    """The database cannot be reached."""

    retryable = True


class StoreTransientError(StoreError):
    """A deadlock, leader switch or similar that persists after the retries."""

    retryable = True


class StoreAuthError(StoreError, PermissionError):
    """The user name or password is wrong, or the user lacks a right."""


class StoreReadOnlyError(StoreError):
    """The server or database is read-only."""


class StoreVersionError(StoreError):
    """The server is too old or lacks a required feature."""


class SchemaError(StoreError):
    """The migrations recorded in the database differ from those of this version."""


class EmbeddingMismatchError(StoreError):
    """The memory was embedded by another model, or in another dimension."""


class ProviderError(MnemoError):
    """An LLM, embedder or reranker refused the call or failed."""


class ProviderUnavailableError(ProviderError, ConnectionError):
    """The provider cannot be reached, or answers 5xx."""

    retryable = True

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        """Keep the wait that the provider requested, in seconds; None if it requested none."""
        super().__init__(message)
        self.retry_after_s = retry_after_s


class RateLimitError(ProviderError):
    """The provider answers 429, also after the retries."""

    retryable = True

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        """Keep the wait that the provider requested, in seconds; None if it requested none."""
        super().__init__(message)
        self.retry_after_s = retry_after_s


class ProviderTimeoutError(ProviderError, TimeoutError):
    """No answer within the timeout."""

    retryable = True


class ProviderAuthError(ProviderError, PermissionError):
    """The API key is missing or refused."""


class MalformedReplyError(ProviderError, ValueError):
    """A reply could not be parsed, and neither could the reply to a second request."""

    def __init__(self, message: str, *, usage: object = None) -> None:
        """Keep the cost of both replies, a `mnemo.Usage`, if it is known."""
        super().__init__(message)
        self.usage = usage


class RunawayReplyError(MalformedReplyError):
    """A reply repeated itself until its token limit, or reached the limit twice."""


class IngestionError(MnemoError):
    """A window of episodes could not be processed; they stay stored."""


class ReaderError(IngestionError, ValueError):
    """A file, or a part of one, cannot be read; names the file, the place in it and the reason."""

    def __init__(self, reason: str, *, place: str = "") -> None:
        """Keep the two parts of the message.

        Args:
            reason: What is wrong and, where it helps, what to do.
            place: The file, with the line or JSON path where that is known.
        """
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place = place
        self.reason = reason


class QueryError(MnemoError, ValueError):
    """A Semantic XPath query is invalid; has the query, the offset and what was expected."""

    def __init__(self, message: str, *, query: str, offset: int, expected: tuple[str, ...] = ()) -> None:
        """Keep what an editor needs to underline the error.

        Args:
            message: What is wrong and what to do, without the query.
            query: The whole query as given.
            offset: Position of the error in characters, 0 to len(query).
            expected: What is valid there, most likely first.
        """
        super().__init__(message)
        self.query = query
        self.offset = offset
        self.expected = expected

    @property
    def underlined(self) -> str:
        """The query on one line, a caret under the error on the next, then the message."""
        line = "".join(character if character.isprintable() else " " for character in self.query)
        return f"{line}\n{' ' * self.offset}^\n{self}"


class QuerySyntaxError(QueryError):
    """The query does not parse."""


class QuerySchemaError(QueryError):
    """The query names a type or attribute that the tree does not have."""


class LauncherError(MnemoError):
    """The local server failed."""


class ArtifactError(LauncherError):
    """A download failed, is incomplete or has the wrong hash."""


class DiskError(LauncherError, OSError):
    """The disk is full or read-only, or the folder may not be written."""


class StartError(LauncherError):
    """The server did not start, or did not stop."""
