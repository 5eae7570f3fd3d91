"""Errors of the driver and the database, mapped to our own; the one place that does.

A mapped error says what failed by the name of our query and the server's code. It never carries
the server's message, which may quote a property, nor the query's text, nor a parameter.
"""

from neo4j.exceptions import (
    AuthConfigurationError,
    AuthError,
    CertificateConfigurationError,
    ClientError,
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

_READ_ONLY = ("Neo.ClientError.General.ForbiddenOnReadOnlyDatabase", "Neo.ClientError.Database.DatabaseReadOnly")
_GONE = ("Neo.ClientError.Database.DatabaseNotFound",)
_DISK = ("No space left", "Read-only file system", "OutOfDiskSpace")
_UNSUPPORTED = (
    "Neo.ClientError.Procedure.ProcedureNotFound",
    "Neo.ClientError.Statement.UnsupportedOperationError",
    "Neo.DatabaseError.Statement.ExecutionNotSupported",
)


def mapped(error: DriverError | Neo4jError, what: str) -> MnemoError:
    """Return our error for a foreign one.

    Args:
        error: As the driver raised it, after its own retries.
        what: The query's name or the action, for the message.
    """
    code = getattr(error, "code", None) or type(error).__name__
    return _by_kind(error, what, code) or _by_code(error, what, code)


def _by_kind(error: DriverError | Neo4jError, what: str, code: str) -> MnemoError | None:
    if isinstance(error, ForbiddenOnReadOnlyDatabase) or code in _READ_ONLY:
        return StoreReadOnlyError(f"{what}: the database takes no writes ({code}); use one that does")
    if isinstance(error, AuthConfigurationError | CertificateConfigurationError | ConfigurationError):
        return ConfigError(f"{what}: the connection's settings do not fit ({code}); look at NEO4J_URI")
    if isinstance(error, AuthError | Forbidden):
        return StoreAuthError(f"{what}: the database refused the user ({code}); look at NEO4J_USERNAME, NEO4J_PASSWORD")
    if isinstance(error, UnsupportedServerProduct | CypherSyntaxError):
        return _too_old(what, code)
    if isinstance(error, ConstraintError):
        return ConflictError(f"{what}: someone else wrote the same first ({code}); read again")
    if isinstance(error, ServiceUnavailable | SessionExpired | DatabaseUnavailable):
        return StoreUnavailableError(f"{what}: the database cannot be reached now ({code}); is it up?")
    if isinstance(error, TransientError):
        return StoreTransientError(f"{what}: the database is busy, still after retries ({code}); try again")
    return None


def _by_code(error: DriverError | Neo4jError, what: str, code: str) -> MnemoError:
    if any(sign in str(error) for sign in _DISK):
        return DiskError(f"{what}: the database's disk is full or read-only ({code}); free some space")
    if code in _GONE:
        return ConfigError(f"{what}: there is no such database ({code}); look at NEO4J_DATABASE")
    if code in _UNSUPPORTED or (isinstance(error, ClientError) and "CYPHER 25" in str(error)):
        return _too_old(what, code)
    if isinstance(error, DriverError) and error.is_retryable():
        return StoreUnavailableError(f"{what}: the connection was lost ({code}); try again")
    return StoreError(f"{what}: the database failed ({code})")


def _too_old(what: str, code: str) -> StoreVersionError:
    return StoreVersionError(f"{what}: wanted Neo4j {MINIMUM_VERSION} or newer; this one does not know the query ({code})")
