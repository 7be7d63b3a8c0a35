"""Objects of JSON that other programs, or runs that were interrupted, have written."""

from __future__ import annotations

import json
from typing import Any, cast


def json_object(text: str | bytes) -> dict[str, Any] | None:
    """Returns the object that a text of JSON is, None for any other text."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
