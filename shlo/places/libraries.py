"""Which Python files are those of libraries: a reader looks for the line that called them."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

_PACKAGES: Final = Path(__file__).parents[2].as_posix()
_INSTALLED: Final = re.compile(r"(?:^|/)(?:(?:site|dist)-packages|jax/_src|lib/python3\.\d+)/|^<frozen ")
_OF_SHLO: Final = re.compile(rf"{re.escape(_PACKAGES)}/shlo(?:_\w+)?/")


@lru_cache(4096)
def is_library(file: str) -> bool:
    """Returns whether a file is one of JAX, of another installed package, of Python or of shlo."""
    path = file.replace("\\", "/")
    return bool(_INSTALLED.search(path) or _OF_SHLO.match(path))
