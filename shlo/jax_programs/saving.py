"""Files of a program and of the arguments that it is called with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.jax_library import tree_util
from shlo.jax_programs.program import call_of, program_of
from shlo.runner.arguments.call import entry_function, parameters_of
from shlo.runner.errors import RequestError
from shlo.runner.files import replace_file, save_arrays


def save_program(path: Path, value: Any, given: Arguments) -> None:
    """Writes a program, and its arguments beside it, see `shlo.save`."""
    if path.suffix not in (".mlir", ".mlirbc"):
        raise RequestError(f"expected a file that ends with .mlir or .mlirbc, got {path.name}")
    has_values = bool(given.positional or given.named) and not _has_shapes_alone(given)
    call = call_of(value, given) if has_values else None
    program = call.program if call else program_of(value, given)
    module = program.module
    if path.suffix == ".mlir":
        data = program.text.encode("utf-8", "surrogateescape")
    else:
        import shlo_bytecode

        data = shlo_bytecode.write(module)
    replace_file(str(path), lambda file: file.write(data))
    if call is not None:
        names = [each.name or f"arg{each.index}" for each in parameters_of(entry_function(module, "main"))]
        pairs = zip(names, call.inputs)
        arrays = {name: array for name, array in pairs if array is not None}
        save_arrays(str(path.with_suffix(".npz")), arrays)


def _has_shapes_alone(given: Arguments) -> bool:
    """Returns whether an argument is a shape without values."""
    leaves = tree_util().tree_leaves(given.tree)
    return any(type(leaf).__name__ == "ShapeDtypeStruct" for leaf in leaves)
