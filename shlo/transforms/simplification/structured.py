"""Simplifications of reductions, sorts, loops, tuples and custom calls."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.attributes import Attribute, IntegerAttr, StringAttr
from shlo.ir.operations import Block, Operation, Region, Signature, inner_operations
from shlo.ir.types import I32, I64, RankedTensorType
from shlo.transforms.rewriting.builder import ValueRef, int64s
from shlo.transforms.rewriting.driver import Rewriter, Rule
from shlo.transforms.rewriting.matching import created, first_of, integer, integers, is_static, source_of

_BACKEND_CONFIG = "mhlo.backend_config"
_ORIGINAL, _TYPED_FFI = 1, 4
"""Versions of the interface of custom calls."""

# --- reduce -------------------------------------------------------------------------------------------------


def _reduce_of_nothing(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the operands, where no dimension is reduced; the initial values, where there is no element."""
    values = rewriter.refs(operation.operands)
    inputs, inits = values[: len(values) // 2], values[len(values) // 2 :]
    if not integers(operation, "dimensions"):
        is_same = all(value.type == type_ for value, type_ in zip(inputs, operation.result_types))
        return inputs if is_same else None
    if not is_static(inputs[0].type) or inputs[0].tensor.element_count:
        return None
    properties = {"broadcast_dimensions": int64s(())}
    return [
        rewriter.one("stablehlo.broadcast_in_dim", (init,), type_, properties)
        for init, type_ in zip(inits, operation.result_types)
    ]


def _reduce_to_outer_values(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns what the body gives, where it takes that from outside."""
    (body,) = operation.regions
    first = operation.operand_types[0] if operation.operands else None
    is_full = isinstance(first, RankedTensorType) and first.is_static and first.element_count > 0
    if body.values is not rewriter.original.values or not is_full:
        return None
    (block,) = body.blocks
    inner = {*block.arguments, *(result for op in block.operations for result in op.results)}
    ends = block.operations[-1].operands
    if not inner.isdisjoint(ends):
        return None
    built = [rewriter.current(end) for end in ends]
    is_same = all(value.type == type_ for value, type_ in zip(built, operation.result_types))
    return built if is_same else None


def _reduce_without_unused(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a reduction without the results that nothing uses, and the operands that only these depend
    on."""
    count = len(operation.results)
    used = [number for number, result in enumerate(operation.results) if rewriter.has_uses(result)]
    if not 0 < len(used) < count or len(operation.regions[0].blocks) != 1:
        return None
    (block,) = operation.regions[0].blocks
    last = block.operations[-1]
    needed, operations = _reached(block, [last.operands[number] for number in used])
    pairs = sorted({number % count for number in needed})
    types = [block.operations[-1].operand_types[number] for number in used]
    if types != [operation.operand_types[count + number] for number in pairs]:
        return None
    both = [*pairs, *(count + number for number in pairs)]
    end = Operation(
        Signature(last.name, tuple(last.operand_types[number] for number in used)),
        tuple(last.operands[number] for number in used),
        location=last.location,
    )
    arguments = tuple(block.arguments[number] for number in both)
    new = Block([*operations, end], arguments, block.label)
    region = Region((new,), operation.regions[0].values)
    narrowed = _narrowed(rewriter, operation, both, used, region)
    return [narrowed.get(number, narrowed[used[0]]) for number in range(count)]


def _reached(block: Block, values: Sequence[int]) -> tuple[set[int], list[Operation]]:
    """Returns the arguments of a block that values depend on, by number, and the operations, in order."""
    definitions = {result: op for op in block.operations for result in op.results}
    arguments = {argument: number for number, argument in enumerate(block.arguments)}
    reached: set[int] = set()
    needed: set[int] = set()
    pending = list(values)
    while pending:
        value = pending.pop()
        if value in arguments:
            needed.add(arguments[value])
        elif value in definitions and id(definitions[value]) not in reached:
            operation = definitions[value]
            reached.add(id(operation))
            operations = (operation, *inner_operations(operation))
            pending += [operand for inner in operations for operand in inner.operands]
    return needed, [op for op in block.operations if id(op) in reached]


def _narrowed(
    rewriter: Rewriter,
    operation: Operation,
    operands: Sequence[int],
    results: Sequence[int],
    *regions: Region,
) -> dict[int, ValueRef]:
    """Returns the results that are left of an operation with fewer operands and results, by old number."""
    values = rewriter.refs(operation.operands)
    built = rewriter.create(
        operation.name,
        [values[number] for number in operands],
        [operation.result_types[number] for number in results],
        operation.signature.properties,
        tuple(map(rewriter.copied_region, regions)),
        operation.signature.attributes,
    )
    return dict(zip(results, built))


# --- sort ---------------------------------------------------------------------------------------------------


def _sort_dimension(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the last dimension by its number."""
    type_ = operation.result_types[0] if operation.result_types else None
    if integer(operation, "dimension") != -1 or not isinstance(type_, RankedTensorType):
        return None
    properties = {**operation.signature.properties, "dimension": IntegerAttr(type_.rank - 1, I64)}
    regions = tuple(map(rewriter.copied_region, operation.regions))
    return created(rewriter, operation, "sort", rewriter.refs(operation.operands), properties, regions)


def _sort_without_unused(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a sort without the operands that neither the comparison nor anything behind it uses."""
    (body,) = operation.regions
    if body.values is not rewriter.original.values:
        return None
    (block,) = body.blocks
    needed = [
        number
        for number, result in enumerate(operation.results)
        if any(map(rewriter.has_uses, (result, *block.arguments[2 * number : 2 * number + 2])))
    ]
    if len(needed) == len(operation.results) or not needed:
        return None
    arguments = tuple(block.arguments[2 * number + side] for number in needed for side in (0, 1))
    region = Region((Block(block.operations, arguments, block.label),), body.values)
    narrowed = _narrowed(rewriter, operation, needed, needed, region)
    return [narrowed.get(number) or value for number, value in enumerate(rewriter.refs(operation.operands))]


# --- while --------------------------------------------------------------------------------------------------


def _loop_invariants(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a loop that does not carry what stays the same."""
    condition, body = operation.regions
    if {id(condition.values), id(body.values)} != {id(rewriter.original.values)}:
        return None
    (test,), (step,) = condition.blocks, body.blocks
    last = step.operations[-1]
    ends = [rewriter.current(end) for end in last.operands]
    values = rewriter.refs(operation.operands)
    fixed = {
        number
        for number, (value, argument, end) in enumerate(zip(values, step.arguments, ends))
        if end.number in (value.number, argument)
        and value.type == operation.result_types[number] == rewriter.types[argument]
    }
    if not fixed or len(fixed) == len(values):
        return None
    for number in fixed:
        for block in (test, step):
            rewriter.substitute(block.arguments[number], values[number])
    varying = [number for number in range(len(values)) if number not in fixed]
    signature = Signature(
        last.name, tuple(last.operand_types[number] for number in varying), (), last.signature.properties
    )
    end = Operation(signature, tuple(last.operands[number] for number in varying), location=last.location)
    blocks = (
        Block(test.operations, tuple(test.arguments[number] for number in varying), test.label),
        Block([*step.operations[:-1], end], tuple(step.arguments[number] for number in varying), step.label),
    )
    regions = [Region((block,), body.values) for block in blocks]
    narrowed = _narrowed(rewriter, operation, varying, varying, *regions)
    return [narrowed.get(number) or value for number, value in enumerate(values)]


# --- tuples and custom calls --------------------------------------------------------------------------------


def _element(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns an element of a tuple that was put together."""
    source, index = (
        source_of(rewriter, rewriter.ref(operation.operands[0]), "tuple"),
        integer(operation, "index"),
    )
    return None if source is None or index is None else [rewriter.ref(source.operands[index])]


def _tuple(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the tuple that was taken apart and is put together again."""
    elements = [
        source_of(rewriter, value, "get_tuple_element") for value in rewriter.refs(operation.operands)
    ]
    whole = {element.operands[0] if element is not None else -1 for element in elements}
    indices = [integer(element, "index") for element in elements if element is not None]
    if len(whole) != 1 or -1 in whole or indices != list(range(len(elements))):
        return None
    value = rewriter.ref(whole.pop())
    return [value] if value.type == operation.result_types[0] else None


def _custom_call(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a configuration that is among the discardable attributes, where the interface has it."""
    config = operation.signature.attributes.get(_BACKEND_CONFIG)
    version, backend_config = operation.attribute("api_version"), operation.attribute("backend_config")
    is_original = version is None or (isinstance(version, IntegerAttr) and version.value == _ORIGINAL)
    is_empty = backend_config is None or (isinstance(backend_config, StringAttr) and not backend_config.value)
    if config is None or not is_original or not is_empty:
        return None
    properties: dict[str, Attribute] = {
        **operation.signature.properties,
        "api_version": IntegerAttr(_TYPED_FFI, I32),
        "backend_config": config,
    }
    attributes = {
        name: value for name, value in operation.signature.attributes.items() if name != _BACKEND_CONFIG
    }
    operands = rewriter.refs(operation.operands)
    return rewriter.create(
        operation.name, operands, operation.result_types, properties, operation.regions, attributes
    )


def rules() -> dict[str, Rule]:
    """Returns the rules, by operation."""
    return {
        "stablehlo.custom_call": _custom_call,
        "stablehlo.get_tuple_element": _element,
        "stablehlo.reduce": first_of(_reduce_of_nothing, _reduce_to_outer_values, _reduce_without_unused),
        "stablehlo.sort": first_of(_sort_dimension, _sort_without_unused),
        "stablehlo.tuple": _tuple,
        "stablehlo.while": _loop_invariants,
    }
