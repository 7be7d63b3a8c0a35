"""Long texts cut for a line or a message."""

from __future__ import annotations


def clipped(text: str, most: int, sign: str = "...") -> str:
    """Returns a text; of one that is longer than `most` characters these, and a sign behind them."""
    return text if len(text) <= most else text[:most] + sign


def fitted(text: str, width: int, sign: str = "…") -> str:
    """Returns a text; of one that is longer than `width` characters its start and a sign in that width."""
    return text if len(text) <= width else (text[: max(width - len(sign), 0)] + sign)[: max(width, 0)]
