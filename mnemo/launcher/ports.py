"""Ports on the loopback interface."""

import socket
from collections.abc import Iterable

__all__ = ["HOST", "answers_bolt", "choose", "is_free"]

HOST = "127.0.0.1"

_HANDSHAKE = bytes.fromhex("6060b017") + bytes([0, 0, 4, 5]) + bytes(12)
_PATIENCE_S = 2.0


def is_free(port: int) -> bool:
    """Return whether a server could listen on the port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def choose(preferred: int, taken: Iterable[int] = ()) -> int:
    """Return the preferred port if it is free, else any free one.

    Args:
        preferred: 1 to 65535.
        taken: Ports reserved for others although they are free now.
    """
    reserved = set(taken)
    if preferred not in reserved and is_free(preferred):
        return preferred
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.bind((HOST, 0))
            port = int(probe.getsockname()[1])
        if port not in reserved:
            return port


def answers_bolt(port: int) -> bool:
    """Return whether a server on the port speaks Bolt; says nothing about its databases."""
    try:
        with socket.create_connection((HOST, port), _PATIENCE_S) as connection:
            connection.sendall(_HANDSHAKE)
            version = connection.recv(4)
    except OSError:
        return False
    return len(version) == len(_HANDSHAKE[:4]) and version[3] > 0 and not version.startswith(b"HTTP")
