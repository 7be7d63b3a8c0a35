"""Module search path without the folder of the program that runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path


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
