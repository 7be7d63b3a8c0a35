"""What a sharding says, in words: over which axes each dimension is split, and into how many parts."""

from __future__ import annotations

import math
from collections.abc import Iterator

from shlo.dialects.sdy.attributes import AxisReference, ShardyMesh, TensorSharding
from shlo.ir.attributes import Attribute, StringAttr, SymbolRefAttr
from shlo.language.document import Part
from shlo.language.hover.markdown import code
from shlo.text.numbers import plural

MAX_LINES = 12


def sharding_text(part: Part, value: Attribute) -> str:
    """Returns what a sharding or a mesh says, in Markdown; empty for another attribute."""
    if isinstance(value, ShardyMesh):
        axes = ", ".join(f"{code(name)} of {size}" for name, size in value.axes[:MAX_LINES])
        count = math.prod(size for _, size in value.axes)
        return f"Mesh of {plural(count, 'device')}: {axes}" if axes else "Mesh of a single device"
    if isinstance(value, TensorSharding):
        return "\n".join(_lines(part, value))
    if isinstance(value, StringAttr):
        return _hlo_text(value.value)
    return ""


def _lines(part: Part, sharding: TensorSharding) -> Iterator[str]:
    mesh = _mesh(part, sharding)
    if sharding.is_replicated:
        yield "Every device of the mesh holds the whole tensor."
    for number, dimension in enumerate(sharding.dimensions[:MAX_LINES]):
        opened = "" if dimension.is_closed else ", may be split further"
        if dimension.axes:
            yield f"- dimension {number}: {_split(dimension.axes, mesh)}{opened}"
        elif opened:
            yield f"- dimension {number}: whole{opened}"
    if sharding.replicated:
        yield f"- copies along {_named(sharding.replicated)}"
    if sharding.unreduced:
        yield f"- parts along {_named(sharding.unreduced)} are still to be combined by {sharding.reduction}"


def _split(axes: tuple[AxisReference, ...], mesh: ShardyMesh | None) -> str:
    sizes = [axis.part[1] if axis.part else mesh.sizes.get(axis.name) if mesh else None for axis in axes]
    known = [size for size in sizes if size is not None]
    parts = f" into {plural(math.prod(known), 'part')}" if len(known) == len(sizes) else ""
    return f"split{parts} over {_named(axes)}"


def _named(axes: tuple[AxisReference, ...]) -> str:
    return ", ".join(code(axis.name) for axis in axes)


def _mesh(part: Part, sharding: TensorSharding) -> ShardyMesh | None:
    if not isinstance(sharding.mesh, SymbolRefAttr):
        return sharding.mesh
    for symbol in part.index.symbols.all:
        if symbol.name == sharding.mesh.root:
            mesh = symbol.place.operation.attribute("mesh")
            return mesh if isinstance(mesh, ShardyMesh) else None
    return None


def _hlo_text(text: str) -> str:
    """Returns what a sharding of XLA says; empty for a text that is none."""
    if not text.startswith("{"):
        return ""
    # The interpreter is loaded when a sharding is asked about, not when a server starts.
    from shlo.interpreter.kernel_api import KernelError
    from shlo.interpreter.topology.hlo_sharding import read_sharding

    try:
        sharding = read_sharding(text)
    except KernelError:
        return ""
    if sharding.is_manual:
        return "The program splits the tensor by hand."
    if sharding.only_device is not None:
        return f"Device {sharding.only_device} holds the whole tensor."
    if not sharding.tiles:
        return "Every device holds the whole tensor."
    split = [f"dimension {number} in {parts}" for number, parts in enumerate(sharding.counts) if parts > 1]
    return f"Split: {', '.join(split)}" if split else "Not split."
