"""Ports for servers that tests start."""

from __future__ import annotations

import socket


def free_port() -> int:
    """Returns a port of the loopback on which nothing listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
