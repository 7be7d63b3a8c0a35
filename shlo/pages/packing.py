"""Data inside of a page: JSON, deflated, in Base64, which no string of a program can break out of."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from typing import Any


def packed(data: Any) -> str:
    """Returns data as text for the views' scripts."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return b64encode(zlib.compress(text.encode(), 6)).decode("ascii")
