"""Ports on the loopback interface."""

import socket
from collections.abc import Iterable

__all__ = ["HOST", "answers_bolt", "choose", "is_free"]

HOST = "127.0.0.1"

_HANDSHAKE = bytes.fromhex("6060b017") + bytes([0, 0, 4, 5]) + bytes(12)
_PATIENCE_S = 2.0


def is_free(port: int) -> bool:
    """Whether a server could listen on it now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def choose(wanted: int, taken: Iterable[int] = ()) -> int:
    """Return the wanted port if it is free, else any that is.

    Args:
        wanted: 1 to 65535.
        taken: Ports that are promised to others, though free now.
    """
    promised = set(taken)
    if wanted not in promised and is_free(wanted):
        return wanted
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.bind((HOST, 0))
            port = int(probe.getsockname()[1])
        if port not in promised:
            return port


def answers_bolt(port: int) -> bool:
    """Whether a server there speaks Bolt; says nothing about its databases."""
    try:
        with socket.create_connection((HOST, port), _PATIENCE_S) as connection:
            connection.sendall(_HANDSHAKE)
            version = connection.recv(4)
    except OSError:
        return False
    return len(version) == len(_HANDSHAKE[:4]) and version[3] > 0 and not version.startswith(b"HTTP")
