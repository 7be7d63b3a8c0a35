"""What jupyter-lsp is told of the language server, so that jupyterlab-lsp starts it for MLIR."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any

NAME = "shlo"


def specification(manager: object) -> dict[str, Any]:
    """Returns how the server of this environment is started, by its name; nothing where it lacks pygls."""
    if find_spec("pygls") is None:
        return {}
    return {
        NAME: {
            "argv": [sys.executable, "-P", "-m", "shlo", "lsp"],
            "languages": ["mlir", "stablehlo"],
            "mime_types": ["text/x-mlir"],
            "display_name": "StableHLO and MLIR (shlo)",
            "version": 2,
        }
    }
