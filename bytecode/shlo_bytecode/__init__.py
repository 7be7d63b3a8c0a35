"""MLIR bytecode and StableHLO's portable artifacts.

    module = shlo_bytecode.read(data)  # a program, or BytecodeError

The format is described in `bytecode/README.md`.
"""

from __future__ import annotations

from shlo_bytecode.container import is_bytecode
from shlo_bytecode.errors import BytecodeError
from shlo_bytecode.reading import read

__all__ = ["BytecodeError", "is_bytecode", "read"]
