"""The server's home folder: laid out, configured and given a password, over whatever is half-made there."""

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
_MERGE_FACTOR = 4
"""Pieces of a vector index that are kept before they are merged; the server's own is 50. Each is a graph that every
search goes through: 20,000 facts lay in 33 of them and now lie in 2, 100,000 in 12."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Where the server listens, on the loopback interface alone."""

    bolt: int
    http: int


@dataclass(frozen=True, slots=True)
class Home:
    """Paths in the server's home folder, and how they are made."""

    root: Path

    @property
    def conf(self) -> Path:
        """The folder of `neo4j.conf`."""
        return self.root / "conf"

    @property
    def plugins(self) -> Path:
        """The folder that the server loads jars from."""
        return self.root / "plugins"

    @property
    def console_log(self) -> Path:
        """What the server prints, of its last start."""
        return self.root / "logs" / "console.log"

    @property
    def temporary(self) -> Path:
        """Where the Java runtime puts what it unpacks; emptied at each start."""
        return self.root / "tmp"

    @property
    def lock(self) -> Path:
        """Held while the server is being started or stopped."""
        return self.root / "lock"

    @property
    def marker(self) -> Path:
        """There once the server was up with the password in `password`."""
        return self.root / "initialised"

    def prepare(self, ports: Ports, sizes: Sizes, plugin: Path) -> str:
        """Make all that the server needs to start, and return its password.

        Args:
            ports: To listen on.
            sizes: Of its memory.
            plugin: The jar to install, in place of an older one.

        Raises:
            StartError: The database is there but its password is lost.
            DiskError: The folder cannot be written.
        """
        with disk_errors(self.root):
            self.root.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
            shutil.rmtree(self.temporary, ignore_errors=True)
            for folder in (self.conf, self.plugins, self.console_log.parent, self.temporary):
                folder.mkdir(parents=True, exist_ok=True)
            write_atomically(self.conf / "neo4j.conf", configuration(ports, sizes))
            write_atomically(self.plugins / JAR_NAME, plugin.read_bytes())
            password = self._password()
            if not self.marker.exists():
                write_atomically(self.root / "data" / "dbms" / "auth.ini", auth_line(password), mode=0o600)
        return password

    def last_lines(self, count: int = 15) -> str:
        """Return the end of what the server printed, without the Java runtime's warnings."""
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
                    f"the server's password in {file} is gone; put it back, or move {self.root} away to start anew"
                )
                raise StartError(message)
            write_atomically(file, secrets.token_urlsafe(24) + "\n", mode=0o600)
        return file.read_text(encoding="utf-8").strip()


def configuration(ports: Ports, sizes: Sizes) -> str:
    """Return the text of `neo4j.conf`: loopback only, with a password, and nothing sent or logged of the contents."""
    return f"""\
# Written by mnemo at each start: changes here are lost.
server.default_listen_address={HOST}
server.default_advertised_address={HOST}
server.bolt.listen_address={HOST}:{ports.bolt}
server.http.listen_address={HOST}:{ports.http}
dbms.security.auth_enabled=true
dbms.security.procedures.unrestricted=mnemo.*
dbms.usage_report.enabled=false
client.allow_telemetry=false
db.logs.query.enabled=OFF
internal.dbms.bolt.netty_server_shutdown_quiet_period_duration=50ms
server.memory.pagecache.size={sizes.page_cache_mb}m
internal.dbms.index.vector.standard_merge_factor={_MERGE_FACTOR}
db.tx_log.rotation.retention_policy=1 files
"""


def auth_line(password: str, salt: bytes | None = None) -> str:
    """Return the line by which a new server takes its first password: salted SHA-256 in many rounds.

    The format is that of `neo4j-admin dbms set-initial-password`: with it no server ever listens
    with a password that everyone knows.
    """
    salt = salt or secrets.token_bytes(32)
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(_ROUNDS - 1):
        digest = hashlib.sha256(digest).digest()
    return f"neo4j:SHA-256,{digest.hex().upper()},{salt.hex().upper()},{_ROUNDS}:\n"
