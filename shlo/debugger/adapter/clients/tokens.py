"""Tokens of listeners: a client brings the one that the listener prints, and keeps for its user alone."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

from shlo.support.files import cache_folder

TOKEN_BYTES: Final = 18


def new_token() -> str:
    """Returns a token that cannot be guessed."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def take_token(arguments: Any, token: str) -> bool:
    """Takes `token` out of the arguments of a request; returns whether it is the expected one, in a time that
    tells nothing of it.
    """
    given = cast("dict[str, Any]", arguments).pop("token", "") if isinstance(arguments, dict) else ""
    return isinstance(given, str) and secrets.compare_digest(given.encode(errors="replace"), token.encode())


def keep_token(port: int, token: str) -> None:
    """Keeps the token of a port where adapters of the same user find it, if there is such a place."""
    with suppress(OSError, RuntimeError):
        path = _path(port)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(token)


def kept_token(port: int) -> str:
    """Returns the token that is kept for a port, an empty one if none is."""
    try:
        return _path(port).read_text(encoding="ascii")
    except (OSError, ValueError, RuntimeError):
        return ""


def forget_token(port: int) -> None:
    """Removes the token of a port that is listened on no more."""
    with suppress(OSError, RuntimeError):
        _path(port).unlink(missing_ok=True)


def _path(port: int) -> Path:
    return cache_folder() / "listeners" / str(port)
