"""Errors of the driver and the database, mapped to our own; the one place that does.

A mapped error says what failed by the name of our query and the server's code. It never carries
the server's message, which may quote a property, nor the query's text, nor a parameter.
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

__all__ = ["MINIMUM_VERSION", "mapped"]

MINIMUM_VERSION = "2026.02"
"""The first Neo4j whose vector indexes filter inside a search, for good."""

_DISK = ("No space left", "Read-only file system", "OutOfDiskSpace")
_TOO_OLD = f"wanted Neo4j {MINIMUM_VERSION} or newer with what this calls; the server does not know it"
_NO_WRITES = "the database takes no writes; use one that does"
_BY_CODE: dict[str, tuple[type[MnemoError], str]] = {
    "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase": (StoreReadOnlyError, _NO_WRITES),
    "Neo.ClientError.Database.DatabaseReadOnly": (StoreReadOnlyError, _NO_WRITES),
    "Neo.ClientError.Database.DatabaseNotFound": (ConfigError, "there is no such database; look at NEO4J_DATABASE"),
    "Neo.ClientError.Procedure.ProcedureNotFound": (StoreVersionError, _TOO_OLD),
    "Neo.ClientError.Statement.UnsupportedOperationError": (StoreVersionError, _TOO_OLD),
}
_BY_KIND: tuple[tuple[type[Exception] | tuple[type[Exception], ...], type[MnemoError], str], ...] = (
    (ForbiddenOnReadOnlyDatabase, StoreReadOnlyError, _NO_WRITES),
    (UnsupportedServerProduct, StoreVersionError, _TOO_OLD),
    (ConfigurationError, ConfigError, "the connection's settings do not fit; look at NEO4J_URI"),
    (
        (AuthError, Forbidden),
        StoreAuthError,
        "the database refused the user; look at NEO4J_USERNAME and NEO4J_PASSWORD",
    ),
    (CypherSyntaxError, StoreVersionError, _TOO_OLD),
    (ConstraintError, ConflictError, "someone else wrote the same first; read again"),
    (
        (ServiceUnavailable, SessionExpired, DatabaseUnavailable),
        StoreUnavailableError,
        "the database cannot be reached now; is it up?",
    ),
    (TransientError, StoreTransientError, "the database is busy, still after retries; try again"),
)
"""Foreign kinds, the narrower before the wider."""


def mapped(error: DriverError | Neo4jError, what: str) -> MnemoError:
    """Return our error for a foreign one.

    Args:
        error: As the driver raised it, after its own retries.
        what: The query's name or the action, for the message.
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
        return SchemaError(f"{what}: the database's data or schema does not fit this change ({code})")
    if isinstance(error, DriverError) and error.is_retryable():
        return StoreUnavailableError(f"{what}: the connection was lost; try again ({code})")
    return StoreError(f"{what}: the database failed ({code})")
