"""Programs that write the value of every operation to a file, by `interpreter.probe`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from shlo.ir.attributes import StringAttr
from shlo.ir.locations import NameLocation
from shlo.ir.operations import Module, Operation
from shlo.ir.types import ComplexType, FloatType, IntegerType, RankedTensorType, Type
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Rewriter, rewrite
from shlo.transforms.rewriting.rebuild import remade


def probe_values(module: Module, *, use_debug_info: bool = False) -> Module:
    """Returns the module with a probe behind each tensor of known sizes that an operation gives, those of
    constants left out; the module itself where there is none.

    Args:
        module: the module to rewrite.
        use_debug_info: whether a probe has the name of its operation's location, where it has one.
    """
    numbers = count(1)

    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        if operation.name == "stablehlo.constant" or not any(map(_is_probed, operation.result_types)):
            return None
        regions = tuple(map(rewriter.copied_region, operation.regions))
        values = rewriter.refs(rewriter.append(remade(operation, operation.signature, regions=regions)))
        names = [
            _name(operation, use_debug_info, numbers) if _is_probed(value.type) else "" for value in values
        ]
        probed = [
            rewriter.one("interpreter.probe", (value,), value.type, {"probe_id": StringAttr(name)})
            if name
            else value
            for value, name in reversed(list(zip(values, names)))  # as the MLIR tools order them
        ]
        return probed[::-1]

    return rewrite(module, {}, default=rule)


def _name(operation: Operation, use_debug_info: bool, numbers: count[int]) -> str:
    location, name = operation.location, "probe"
    if use_debug_info and isinstance(location, NameLocation):
        name = location.name.partition("@")[0] + "."
    return f"{name}{next(numbers)}"


def _is_probed(type_: Type) -> bool:
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return False
    return isinstance(type_.element_type, (IntegerType, FloatType, ComplexType))
