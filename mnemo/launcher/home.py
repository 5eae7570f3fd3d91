"""The server's home folder: its layout, configuration and password. Completes a half-made folder."""

import hashlib
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path

from mnemo.errors import StartError
from mnemo.files import disk_errors, write_atomically
from mnemo.launcher.plugin import JAR_NAME
from mnemo.launcher.ports import HOST
from mnemo.launcher.sizes import Sizes
from mnemo.store.endpoint import password_file

__all__ = ["Home", "Ports", "auth_line", "configuration"]

_ROUNDS = 1024
_PRIVATE = 0o700
_REPLAN_S = 60
_TORN = b"recovery not possible"
_REPAIR = "internal.dbms.tx_log.fail_on_corrupted_log_files=false\n"
"""Seconds before a plan is made again because counts changed; Neo4j's default of 10 keeps a small memory planning."""
_MERGE_FACTOR = 4
"""Segments of a vector index before Lucene merges them; Neo4j's default is 50. Every search visits each segment:
20,000 facts took 33 segments at the default and take 2 here; 100,000 take 12."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Ports the server listens on, on the loopback interface only."""

    bolt: int
    http: int


@dataclass(frozen=True, slots=True)
class Home:
    """The server's home folder and the paths in it."""

    root: Path

    @property
    def conf(self) -> Path:
        """The folder of `neo4j.conf`."""
        return self.root / "conf"

    @property
    def plugins(self) -> Path:
        """The folder the server loads plugins from."""
        return self.root / "plugins"

    @property
    def console_log(self) -> Path:
        """Output of the server since its last start."""
        return self.root / "logs" / "console.log"

    @property
    def temporary(self) -> Path:
        """Temporary folder of the Java runtime; emptied at each start."""
        return self.root / "tmp"

    @property
    def lock(self) -> Path:
        """Lock file held while the server starts or stops."""
        return self.root / "lock"

    @property
    def marker(self) -> Path:
        """Exists once the server has been up with the password in `password`."""
        return self.root / "initialised"

    def prepare(self, ports: Ports, sizes: Sizes, plugin: Path, *, repair: bool = False) -> str:
        """Create what the server needs to start, and return its password.

        Args:
            ports: Ports to listen on.
            sizes: Memory of the server.
            plugin: Jar to install; replaces an older one.
            repair: Whether the server drops an incomplete transaction at the end of its log.

        Raises:
            StartError: The database exists but its password is lost.
            DiskError: The folder cannot be written.
        """
        with disk_errors(self.root):
            self.root.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
            shutil.rmtree(self.temporary, ignore_errors=True)
            for folder in (self.conf, self.plugins, self.console_log.parent, self.temporary):
                folder.mkdir(parents=True, exist_ok=True)
            write_atomically(self.conf / "neo4j.conf", configuration(ports, sizes, repair=repair))
            write_atomically(self.plugins / JAR_NAME, plugin.read_bytes())
            password = self._password()
            if not self.marker.exists():
                write_atomically(self.root / "data" / "dbms" / "auth.ini", auth_line(password), mode=0o600)
        return password

    @property
    def debug_log(self) -> Path:
        """Log of the database, appended to over all starts."""
        return self.root / "logs" / "debug.log"

    def has_torn_log(self, after: int) -> bool:
        """Return whether the database refused to start because its transaction log ends within a transaction.

        Args:
            after: Size of the debug log before this start, in bytes.
        """
        try:
            with self.debug_log.open("rb") as file:
                file.seek(min(after, self.debug_log.stat().st_size))
                return _TORN in file.read()
        except OSError:
            return False

    def last_lines(self, count: int = 15) -> str:
        """Return the last lines of the server's output, without the Java runtime's warnings."""
        try:
            text = self.console_log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("WARNING: ")]
        return "\n".join(lines[-count:])

    def _password(self) -> str:
        file = password_file(self.root)
        if not file.exists():
            if self.marker.exists():
                message = (
                    f"the server's password file {file} is missing; restore it, or move {self.root} away to start over"
                )
                raise StartError(message)
            write_atomically(file, secrets.token_urlsafe(24) + "\n", mode=0o600)
        return file.read_text(encoding="utf-8").strip()


def configuration(ports: Ports, sizes: Sizes, *, repair: bool = False) -> str:
    """Return the text of `neo4j.conf`: loopback only, password required, no telemetry, no query log."""
    return f"""\
# mnemo writes this file at each start; edits are lost.
server.default_listen_address={HOST}
server.default_advertised_address={HOST}
server.bolt.listen_address={HOST}:{ports.bolt}
server.http.listen_address={HOST}:{ports.http}
dbms.security.auth_enabled=true
dbms.security.procedures.unrestricted=mnemo.*
dbms.usage_report.enabled=false
client.allow_telemetry=false
db.logs.query.enabled=OFF
dbms.cypher.min_replan_interval={_REPLAN_S}s
internal.dbms.bolt.netty_server_shutdown_quiet_period_duration=50ms
server.memory.pagecache.size={sizes.page_cache_mb}m
internal.dbms.index.vector.standard_merge_factor={_MERGE_FACTOR}
db.tx_log.rotation.retention_policy=1 files
{_REPAIR if repair else ""}"""


def auth_line(password: str, salt: bytes | None = None) -> str:
    """Return the line of `auth.ini` that sets a new server's first password: salted SHA-256, many rounds.

    The format is that of `neo4j-admin dbms set-initial-password`, so that the server never listens
    with a default password.
    """
    salt = salt or secrets.token_bytes(32)
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(_ROUNDS - 1):
        digest = hashlib.sha256(digest).digest()
    return f"neo4j:SHA-256,{digest.hex().upper()},{salt.hex().upper()},{_ROUNDS}:\n"
