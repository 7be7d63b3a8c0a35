"""File name suffixes of programs, arrays and recordings."""

from __future__ import annotations

from typing import Final

TEXT_SUFFIXES: Final = (".mlir", ".stablehlo")
BYTECODE_SUFFIXES: Final = (".mlirbc", ".bc")
ARTIFACT_SUFFIXES: Final = (".vhlo", ".jax_export", ".shlo")
"""Those of portable artifacts and of exported functions of JAX."""
PROGRAM_SUFFIXES: Final = (*TEXT_SUFFIXES, *BYTECODE_SUFFIXES, *ARTIFACT_SUFFIXES)
RECORDING_SUFFIX: Final = ".shlorec"
CAPTURE_SUFFIX: Final = ".shlo"
"""That of captures of `shlo.watch`, which artifacts have, too."""
ARRAY_SUFFIX: Final = ".npy"
ARCHIVE_SUFFIX: Final = ".npz"
ARRAY_SUFFIXES: Final = (ARRAY_SUFFIX, ARCHIVE_SUFFIX)


def has_suffix(path: str, *suffixes: str) -> bool:
    """Returns whether a path ends with one of some suffixes, in capitals or not."""
    return path.lower().endswith(suffixes)
