"""The folders whose Python files may be shown: those of the modules that Python has imported."""

from __future__ import annotations

import os
import sys

from shlo.places.origins import is_library
from shlo.runner.python_source import PythonSources


def module_folders() -> list[str]:
    """Returns the folders of the modules that Python has imported and that no library is of: lines of their
    files may be shown.
    """
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    return sorted({os.path.dirname(file) for file in files if isinstance(file, str) and not is_library(file)})


def module_sources() -> PythonSources:
    """Returns what reads lines of these folders and of the current one."""
    return PythonSources([*module_folders(), "."])
