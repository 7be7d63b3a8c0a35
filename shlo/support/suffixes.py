"""File name suffixes of programs and recordings."""

from __future__ import annotations

from typing import Final

TEXT_SUFFIXES: Final = (".mlir", ".stablehlo")
BYTECODE_SUFFIXES: Final = (".mlirbc", ".bc")
ARTIFACT_SUFFIXES: Final = (".vhlo", ".jax_export", ".shlo")
"""Those of portable artifacts and of exported functions of JAX."""
PROGRAM_SUFFIXES: Final = (*TEXT_SUFFIXES, *BYTECODE_SUFFIXES, *ARTIFACT_SUFFIXES)
RECORDING_SUFFIX: Final = ".shlorec"
