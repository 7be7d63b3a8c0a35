"""What a jaxlib says of programs, in that jaxlib's own Python: `python compatibility_worker.py FOLDER STEP`.

Step `write` reads every NAME.mlir and writes its bytecode and artifact; step `compare` reads what shlo wrote and says
whether it is the same program, as a line of JSON with the names of those that are. Nothing but jaxlib is imported.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import chlo, sdy, stablehlo


def context() -> Any:
    """Returns a context with the dialects of JAX; older releases register those of MLIR elsewhere."""
    try:
        from jaxlib.mlir._mlir_libs import register_jax_dialects as upstream  # type: ignore[attr-defined]
    except ImportError:
        from jaxlib.mlir._mlir_libs import _jax_mlir_ext as upstream
    made = ir.Context()
    registry = ir.DialectRegistry()
    upstream.register_dialects(registry)
    made.append_dialect_registry(registry)
    made.load_all_available_dialects()
    for dialect in (stablehlo, chlo, sdy):
        dialect.register_dialect(made)
    return made


CONTEXT = context()


def generic(module: Any) -> str:
    """Returns MLIR's generic form."""
    return module.operation.get_asm(print_generic_op_form=True)


def write(folder: Path) -> None:
    """Writes NAME.plain and NAME.artifact beside each NAME.mlir that this jaxlib reads, and what it reads."""
    for path in sorted(folder.glob("*.mlir")):
        try:
            module = ir.Module.parse(path.read_text(), CONTEXT)
        except ir.MLIRError:
            continue
        path.with_suffix(".generic").write_text(generic(module))
        file = io.BytesIO()
        module.operation.write_bytecode(file)
        path.with_suffix(".plain").write_bytes(file.getvalue())
        try:
            data = stablehlo.serialize_portable_artifact(module, stablehlo.get_current_version())
        except Exception:  # MLIR's bindings raise what they like: it has no artifact
            continue
        path.with_suffix(".artifact").write_bytes(data)
        read = stablehlo.deserialize_portable_artifact(CONTEXT, data)
        path.with_suffix(".artifact-generic").write_text(generic(read))


def compare(folder: Path) -> None:
    """Prints which files of shlo hold the program that they should."""
    same: list[str] = []
    for path in sorted((folder / "shlo").iterdir()):
        name, _, kind = path.name.partition(".")
        wanted = folder / f"{name}.{'artifact-generic' if 'artifact' in kind else 'generic'}"
        try:
            if kind == "artifact":
                module = stablehlo.deserialize_portable_artifact(CONTEXT, path.read_bytes())
            else:
                module = ir.Module.parse(
                    path.read_bytes() if "plain" in kind[:5] else path.read_text(), CONTEXT
                )
        except Exception:  # as above: it is not read
            continue
        if generic(module) == wanted.read_text():
            same.append(path.name)
    print(json.dumps(same))


if __name__ == "__main__":
    {"write": write, "compare": compare}[sys.argv[2]](Path(sys.argv[1]))
