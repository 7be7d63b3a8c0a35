"""MLIR bytecode and StableHLO's portable artifacts.

    module = shlo_bytecode.read(data)  # a program, or BytecodeError

The format is described in `bytecode/README.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shlo_bytecode.container import is_bytecode
from shlo_bytecode.errors import BytecodeError

if TYPE_CHECKING:
    from shlo.ir.operations import Module

__all__ = ["BytecodeError", "is_bytecode", "read"]


def read(data: bytes | bytearray | memoryview, name: str = "<bytecode>") -> Module:
    """The program in MLIR bytecode of versions 0 to 6, or in a portable artifact of StableHLO 0.9.0 to
    1.20.0, whose VHLO becomes StableHLO of today.

    Messages call the file `name`. Large constants stay views into the bytes until somebody looks at them.
    The module is not verified. Raises BytecodeError with the offset of what is wrong.
    """
    from shlo_bytecode.reading import read_module

    try:
        return read_module(bytes(data))
    except BytecodeError as error:
        raise error.named(name) from None
