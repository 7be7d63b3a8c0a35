"""The process in which jaxlib judges programs; `tests/oracle.py` starts it and speaks to it.

A request (see `oracle_messages.py`) names an operation of `OPERATIONS`; texts and tensors travel in the raw part.
MLIR aborts on what it cannot do: this process may die at any request.
"""

from __future__ import annotations

import functools
import io
import os
import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mosaic_gpu_ext
from jaxlib.mlir.dialects import chlo, sdy, stablehlo
from jaxlib.mlir.passmanager import PassManager

from .oracle_messages import Blobs, Reply, np_type, pack, read_message, unpack, write_message

# --- parsing and printing ----------------------------------------------------------------------------------


@functools.cache
def context(unregistered: bool) -> ir.Context:
    """Returns a context in which every dialect is loaded.

    Only a pass brings in the quant dialect: it is loaded as a dialect that the pass depends on.
    """
    stablehlo.register_stablehlo_passes()
    made = ir.Context()
    made.enable_multithreading(False)
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    made.append_dialect_registry(registry)
    made.load_all_available_dialects()
    for dialect in (stablehlo, chlo, sdy):
        dialect.register_dialect(made)
    stablehlo.register_interpreter_dialect(made)
    _mosaic_gpu_ext.register_inliner_extensions(made)  # of func, without which no call is inlined
    made.allow_unregistered_dialects = unregistered
    with made:
        passes = "builtin.module(vhlo-legalize-to-stablehlo,stablehlo-legalize-to-linalg)"
        PassManager.parse(passes).run(ir.Module.parse("module {}").operation)
    return made


def parse(text: bytes, header: dict[str, Any]) -> Any:
    """Returns the verified module; raises MLIRError."""
    return ir.Module.parse(text, context(header.get("unregistered", False)))


def accepts(header: dict[str, Any], blobs: Blobs) -> Reply:
    """Returns whether the text parses and verifies, and the diagnostics."""
    try:
        parse(blobs[0], header)
    except ir.MLIRError as error:
        return {"accepted": False, "diagnostics": [_located(d) for d in error.error_diagnostics]}, []
    return {"accepted": True, "diagnostics": []}, []


def _located(diagnostic: Any) -> tuple[int, int, str]:
    place = re.search(r":(\d+):(\d+)", str(diagnostic.location))
    line, column = (int(place[1]), int(place[2])) if place else (0, 0)
    return line, column, diagnostic.message


def _print(text: bytes, header: dict[str, Any]) -> bytes:
    return parse(text, header).operation.get_asm(binary=True, **header["flags"])


def print_module(header: dict[str, Any], blobs: Blobs) -> Reply:
    """Returns the module as MLIR prints it; the header's "flags" are those of `Operation.get_asm`."""
    return {}, [_print(blobs[0], header)]


def same_module(header: dict[str, Any], blobs: Blobs) -> Reply:
    """Returns whether two texts print alike."""
    return {"same": _print(blobs[0], header) == _print(blobs[1], header)}, []


def bytecode(header: dict[str, Any], blobs: Blobs) -> Reply:
    """Returns the module as bytecode of the header's "version" (None: jaxlib's own)."""
    stream = io.BytesIO()
    parse(blobs[0], header).operation.write_bytecode(stream, desired_version=header["version"])
    return {}, [stream.getvalue()]


def forms(header: dict[str, Any], blobs: Blobs) -> Reply:
    """Returns the module as bytecode of the header's "versions" and as artifacts for its "targets"; the
    header's "errors" says which of them there are not, and why.
    """
    errors: dict[int, str] = {}
    found: Blobs = []
    requests = [(bytecode, version) for version in header["versions"]]
    requests += [(artifact, target) for target in header["targets"]]
    for index, (write, version) in enumerate(requests):
        try:
            found += write(header | {"version": version}, blobs)[1]
        except Exception as error:
            errors[index] = f"{type(error).__name__}: {error}"
            found.append(b"")
    return {"errors": errors}, found


def artifact(header: dict[str, Any], blobs: Blobs) -> Reply:
    """Returns the module as a portable artifact for the header's "version" of StableHLO; where "mixed", other
    dialects stay what they are.
    """
    module = parse(blobs[0], header)
    mixed = header.get("mixed", False)
    written: bytes = stablehlo.serialize_portable_artifact(
        module, header["version"], allow_other_dialects=mixed
    )
    return {}, [written]


def print_artifact(header: dict[str, Any], blobs: Blobs) -> Reply:
    """Returns the StableHLO module of a portable artifact, as MLIR prints it."""
    made = context(header.get("unregistered", False))
    module = stablehlo.deserialize_portable_artifact(made, blobs[0])
    text = cast("bytes", module.operation.get_asm(binary=True, **header["flags"]))
    return {}, [text]


# --- running -----------------------------------------------------------------------------------------------


@functools.cache
def jax_on_cpu() -> Any:
    """JAX with 64-bit types; imported when the first program is run."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax

    jax.config.update("jax_enable_x64", True)
    return jax


def run(header: dict[str, Any], blobs: Blobs) -> Reply:
    """XLA's results on CPU: one process's arguments after the other, results in the same order."""
    jax = jax_on_cpu()
    replicas, partitions = header["replicas"], header["partitions"]
    devices = jax.devices()[: replicas * partitions]
    text = _on_stored_numbers(blobs[0], header).decode()
    executable = _compile(text, devices, replicas, partitions)
    arguments = unpack(header, blobs[1:])
    sharding = jax.sharding.NamedSharding(jax.make_mesh((len(devices),), ("d",), devices=devices), jax.P())
    count = len(arguments) // len(devices)
    # The sharding says "replicated" so that any shape will do: what the devices hold may differ all the same.
    shared = [
        jax.make_array_from_single_device_arrays(
            arguments[i].shape,
            sharding,
            [jax.device_put(arguments[i + count * d], device) for d, device in enumerate(devices)],
        )
        for i in range(count)
    ]
    results = executable.execute_sharded(shared).disassemble_into_single_device_arrays()
    return pack([result[d] for d in range(len(devices)) for result in results])


def cost(header: dict[str, Any], blobs: Blobs) -> Reply:
    """Returns XLA's cost analysis of the program as it is imported, and that program as StableHLO."""
    _jax = import_module("jaxlib._jax")

    client = jax_on_cpu().devices()[0].client
    imported = _jax.mlir.mlir_module_to_xla_computation(
        blobs[0].decode(), use_tuple_args=False, return_tuple=False
    )
    properties = _jax.hlo_module_cost_analysis(client, imported.get_hlo_module())
    return {"cost": properties}, [_jax.mlir.xla_computation_to_mlir_module(imported).encode()]


QUANTIZATION_TO_MATH = (
    "func.func(stablehlo-legalize-quantized-op-to-qdq,stablehlo-legalize-quant-to-math,"
    "chlo-legalize-to-stablehlo)"
)


def _on_stored_numbers(text: bytes, header: dict[str, Any]) -> bytes:
    """Returns the program with quantized tensors as the integers that hold them, which is all that can be
    run.
    """
    if b"!quant.uniform" not in text:
        return text
    return _transformed(parse(text, header), QUANTIZATION_TO_MATH).get_asm(binary=True)


def refine(header: dict[str, Any], blobs: Blobs) -> Reply:
    """Returns the program refined to arguments of the header's "types"."""
    passes = (
        "inline,func.func(chlo-legalize-to-stablehlo),"
        f"stablehlo-refine-arguments{{types={','.join(header['types'])}}},"
        "stablehlo-refine-shapes,canonicalize,sccp,canonicalize,"  # what sizes are computed from is folded
        "stablehlo-refine-shapes,func.func(stablehlo-canonicalize-dynamism)"
    )
    return {}, [_transformed(parse(blobs[0], header), passes).get_asm(binary=True)]


def transform(header: dict[str, Any], blobs: Blobs) -> Reply:
    """Returns the program after the header's "passes"."""
    return {}, [
        _transformed(parse(blobs[0], header), header["passes"]).get_asm(binary=True, **header["flags"])
    ]


def _transformed(module: Any, passes: str) -> Any:
    """Returns the module's operation after passes."""
    with module.context:
        PassManager.parse(f"builtin.module({passes})").run(module.operation)
    return module.operation


def _compile(text: str, devices: list[Any], replicas: int, partitions: int) -> Any:
    _jax = import_module("jaxlib._jax")

    grid = np.array([device.id for device in devices]).reshape(replicas, partitions)
    options = _jax.CompileOptions()
    options.num_replicas, options.num_partitions = replicas, partitions
    options.executable_build_options.use_spmd_partitioning = partitions > 1
    options.executable_build_options.use_shardy_partitioner = True
    options.device_assignment = _jax.DeviceAssignment.create(grid)
    return devices[0].client.compile_and_load(text, _jax.DeviceList(tuple(devices)), options)


# The reference interpreter's Python binding carries only ordinary element types. Others cross as these types.
CARRIERS = {"bf16": "f32", "f16": "f32", "i1": "i1", "index": "i64"} | {
    f"{sign}i{width}": f"{sign}i8" for sign in ("", "u") for width in (2, 4)
}


def evaluate(header: dict[str, Any], blobs: Blobs) -> Reply:
    """Returns the reference interpreter's results for one process."""
    text, results = _with_carried_types(parse(_on_stored_numbers(blobs[0], header), header))
    module = parse(text.encode(), header)
    arguments = unpack(header, blobs[1:])
    with module.context, ir.Location.unknown():
        types = module.body.operations[-1].type.inputs
        carried = [part for array in arguments for part in _carried(array)]
        dense = [_dense(array, type_) for array, type_ in zip(carried, types, strict=True)]
        values = iter([np.array(value) for value in stablehlo.eval_module(module, dense)])
    return pack([_uncarried(type_, values) for type_ in results])


def _dense(array: np.ndarray[Any, Any], type_: Any) -> Any:
    elements = f'"0x{array.tobytes().hex()}"' if array.size else ""
    return ir.Attribute.parse(f"dense<{elements}> : {type_}")


def _carried(array: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    if array.dtype.kind == "c":
        return [array.real, array.imag]
    name = mlir_name(array.dtype.name)
    return [array.astype(_numpy_name(_carrier(name)))]


def _uncarried(type_: Any, values: Any) -> np.ndarray[Any, Any]:
    element = str(type_.element_type)
    value = next(values).reshape(type_.shape)
    if element.startswith("complex"):
        return (value + 1j * next(values).reshape(type_.shape)).astype(_numpy_name(element))
    return value.astype(np_type(_numpy_name(element)))


def mlir_name(name: str) -> str:
    """Returns an element type as MLIR spells it, from NumPy's name."""
    if name == "bool":
        return "i1"
    if match := re.fullmatch(r"float([468])_(e\w+)", name):
        return f"f{match[1]}{match[2].upper()}"
    return re.sub(r"^(b?)float|^(u?)int", lambda m: f"{m[1]}f" if m[1] is not None else f"{m[2]}i", name)


def _numpy_name(element: str) -> str:
    if match := re.fullmatch(r"complex<f(\d+)>", element):
        return f"complex{2 * int(match[1])}"
    if element in ("i1", "index"):
        return "bool" if element == "i1" else "int64"
    if match := re.fullmatch(r"f([468])(E\w+)", element):
        return f"float{match[1]}_{match[2].lower()}"
    return re.sub(r"^(b?)f|^(u?)i", lambda m: f"{m[1]}float" if m[1] is not None else f"{m[2]}int", element)


def _carrier(element: str) -> str:
    return CARRIERS.get(element, "f32" if re.match(r"f[468]E", element) else element)


def _with_carried_types(module: Any) -> tuple[str, list[Any]]:
    """Returns the module with a new main that converts around a call of the old one; the old one's result
    types.
    """
    functions = [op for op in module.body.operations if op.operation.name == "func.func"]
    main = next((f for f in functions if f.sym_name.value == "main"), functions[0])
    with module.context:
        main.attributes["sym_name"] = ir.StringAttr.get("carried_main")
        main.attributes["sym_visibility"] = ir.StringAttr.get("private")
    body = str(module).rstrip().removesuffix("}")
    return body + _wrapper(list(main.type.inputs), list(main.type.results)) + "}\n", list(main.type.results)


def _wrapper(inputs: list[Any], results: list[Any]) -> str:
    lines: list[str] = []
    parameters: list[str] = []
    returned: list[tuple[str, str]] = []
    for i, type_ in enumerate(inputs):
        parts = _parts(type_)
        parameters += [f"%p{i}_{j}: {part}" for j, part in enumerate(parts)]
        names = ", ".join(f"%p{i}_{j}" for j in range(len(parts)))
        op = "complex" if len(parts) == 2 else "convert"
        lines.append(f'%a{i} = "stablehlo.{op}"({names}) : ({", ".join(parts)}) -> {type_}')
    arguments = ", ".join(f"%a{i}" for i in range(len(inputs)))
    signature = f"({', '.join(map(str, inputs))}) -> ({', '.join(map(str, results))})"
    target = f"%r:{len(results)} = " if results else ""
    lines.append(f"{target}func.call @carried_main({arguments}) : {signature}")
    for i, type_ in enumerate(results):
        parts = _parts(type_)
        for op, part in zip(("real", "imag") if len(parts) == 2 else ("convert",), parts, strict=True):
            lines.append(f'%{op}{i} = "stablehlo.{op}"(%r#{i}) : ({type_}) -> {part}')
            returned.append((f"%{op}{i}", part))
    names, types = (", ".join(column) for column in zip(*returned, strict=True)) if returned else ("", "")
    lines.append(f"return {names} : {types}" if returned else "return")
    return f"func.func @main({', '.join(parameters)}) -> ({types}) {{\n" + "\n".join(lines) + "\n}\n"


def _parts(type_: Any) -> list[str]:
    """Returns the types a tensor crosses as: a complex one as its real and imaginary parts."""
    element = str(type_.element_type)
    shape = "".join(f"{dim}x" for dim in type_.shape)
    if match := re.fullmatch(r"complex<(\w+)>", element):
        return [f"tensor<{shape}{match[1]}>"] * 2
    return [f"tensor<{shape}{_carrier(element)}>"]


# --- the loop ----------------------------------------------------------------------------------------------

OPERATIONS: dict[str, Callable[[dict[str, Any], Blobs], Reply]] = {
    "accepts": accepts,
    "print": print_module,
    "same": same_module,
    "bytecode": bytecode,
    "artifact": artifact,
    "forms": forms,
    "print_artifact": print_artifact,
    "run": run,
    "evaluate": evaluate,
    "cost": cost,
    "refine": refine,
    "transform": transform,
}


def answer(header: dict[str, Any], blobs: Blobs) -> Reply:
    """Returns the reply to one request; an exception becomes a reply with an "error"."""
    try:
        return OPERATIONS[header["operation"]](header, blobs)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}, []


def main() -> None:
    """Answers requests until the input ends. Whatever MLIR prints goes to stderr."""
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while (message := read_message(requests)) is not None:
        write_message(replies, *answer(*message))


if __name__ == "__main__":
    main()
