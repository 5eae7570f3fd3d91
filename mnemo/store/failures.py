"""Maps errors of the driver and the database to `mnemo.errors`, in this place only.

A mapped error names our query and the server's status code. It never contains the server's message, which may
quote stored data, nor the query's text or parameters.
"""

from neo4j.exceptions import (
    AuthError,
    ConfigurationError,
    ConstraintError,
    CypherSyntaxError,
    DatabaseUnavailable,
    DriverError,
    Forbidden,
    ForbiddenOnReadOnlyDatabase,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
    UnsupportedServerProduct,
)

from mnemo.errors import (
    ConfigError,
    ConflictError,
    DiskError,
    MnemoError,
    SchemaError,
    StoreAuthError,
    StoreError,
    StoreReadOnlyError,
    StoreTransientError,
    StoreUnavailableError,
    StoreVersionError,
)

__all__ = ["MINIMUM_VERSION", "is_deleted_meanwhile", "map_error"]

MINIMUM_VERSION = "2026.02"
"""The first Neo4j version with stable filters inside vector index searches."""

_DELETED = "Neo.ClientError.Statement.EntityNotFound"
_DISK = ("No space left", "Read-only file system", "OutOfDiskSpace")
_TOO_OLD = f"the server does not support this call; Neo4j {MINIMUM_VERSION} or newer is required"
_BUSY = "the database is still busy after retries; try again"
_RESTART = "then restart it (`mnemo up` for the local server)"
_NO_WRITES = "the database is read-only; use one that accepts writes"
_BY_CODE: dict[str, tuple[type[MnemoError], str]] = {
    "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase": (StoreReadOnlyError, _NO_WRITES),
    "Neo.ClientError.Database.DatabaseReadOnly": (StoreReadOnlyError, _NO_WRITES),
    "Neo.ClientError.Database.DatabaseNotFound": (ConfigError, "there is no such database; check NEO4J_DATABASE"),
    _DELETED: (StoreTransientError, _BUSY),
    "Neo.DatabaseError.Transaction.TransactionLogError": (
        DiskError,
        f"the database cannot write its log, most likely because its disk is full; free some space, {_RESTART}",
    ),
    "Neo.DatabaseError.Transaction.TransactionStartFailed": (
        StoreUnavailableError,
        f"the database has stopped after an error such as a full disk; free some space if so, {_RESTART}",
    ),
    "Neo.ClientError.Procedure.ProcedureNotFound": (StoreVersionError, _TOO_OLD),
    "Neo.ClientError.Statement.UnsupportedOperationError": (StoreVersionError, _TOO_OLD),
}
_BY_KIND: tuple[tuple[type[Exception] | tuple[type[Exception], ...], type[MnemoError], str], ...] = (
    (ForbiddenOnReadOnlyDatabase, StoreReadOnlyError, _NO_WRITES),
    (UnsupportedServerProduct, StoreVersionError, _TOO_OLD),
    (ConfigurationError, ConfigError, "the connection settings are invalid; check NEO4J_URI"),
    (
        (AuthError, Forbidden),
        StoreAuthError,
        "the database refused the user; check NEO4J_USERNAME and NEO4J_PASSWORD",
    ),
    (CypherSyntaxError, StoreVersionError, _TOO_OLD),
    (ConstraintError, ConflictError, "concurrent update; read again and retry"),
    (
        (ServiceUnavailable, SessionExpired, DatabaseUnavailable),
        StoreUnavailableError,
        "the database cannot be reached; check that it is running",
    ),
    (TransientError, StoreTransientError, _BUSY),
)
"""Foreign error classes, narrower ones first."""


def is_deleted_meanwhile(error: BaseException) -> bool:
    """Return whether a statement failed because another transaction deleted a node or relationship that it read.

    Nothing was written then, and a new transaction reads what is there now.
    """
    return isinstance(error, Neo4jError) and error.code == _DELETED


def map_error(error: DriverError | Neo4jError, what: str) -> MnemoError:
    """Convert a foreign error.

    Args:
        error: The driver's error, after its own retries.
        what: Name of the query or action, for the message.
    """
    code = getattr(error, "code", None) or type(error).__name__
    if any(sign in str(error) for sign in _DISK):
        return DiskError(f"{what}: the database's disk is full or read-only ({code}); free some space")
    if code in _BY_CODE:
        kind, advice = _BY_CODE[code]
        return kind(f"{what}: {advice} ({code})")
    for foreign, kind, advice in _BY_KIND:
        if isinstance(error, foreign):
            return kind(f"{what}: {advice} ({code})")
    if code.startswith(("Neo.ClientError.Schema.", "Neo.DatabaseError.Schema.")):
        return SchemaError(f"{what}: the stored data or schema does not allow this change ({code})")
    if isinstance(error, DriverError) and error.is_retryable():
        return StoreUnavailableError(f"{what}: the connection was lost; try again ({code})")
    return StoreError(f"{what}: the database failed ({code})")
