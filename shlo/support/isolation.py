"""Module search paths, of this process and of others, without the folder of the program that runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_SAFE_PATH: Final = "PYTHONSAFEPATH"


def trusted_path() -> list[str]:
    """`sys.path` without the current folder and what is relative to it: a `numpy.py` that lies beside a
    program must not be loaded. The folder that shlo itself was loaded from stays.
    """
    here = os.path.realpath(os.getcwd())
    ours = os.path.realpath(Path(__file__).parents[2])
    return [
        entry
        for entry in sys.path
        if os.path.isabs(entry) and (os.path.realpath(entry) != here or here == ours)
    ]


@contextmanager
def safe_path_inherited() -> Generator[None]:
    """Has Python processes that start meanwhile, by `multiprocessing` for instance, leave the current folder
    out of their search path.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before
