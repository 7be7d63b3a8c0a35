"""Programs of one operation, taken out of valid ones and then changed in one place.

An operation keeps its regions and the constants that it uses; whatever else it uses becomes an argument of
the function around it. A change is made to a type (wherever the value is seen), to an attribute, or to the
order of the operands, on the operation itself or on one in its regions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
)
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.types import (
    I1,
    ComplexType,
    FloatType,
    FunctionType,
    IntegerType,
    QuantizedType,
    RankedTensorType,
    TupleType,
    Type,
)

ELEMENT_TYPES: tuple[Type, ...] = (
    *(IntegerType(width) for width in (1, 4, 8, 32, 64)),
    *(IntegerType(width, "unsigned") for width in (8, 32)),
    *map(FloatType, ("bf16", "f16", "f32", "f64", "f8E4M3FN")),
    ComplexType(FloatType("f32")),
    ComplexType(FloatType("f64")),
    QuantizedType(IntegerType(8), -128, 127, FloatType("f32"), (2.0,), (15,)),
    QuantizedType(IntegerType(8), -128, 127, FloatType("f32"), (1.0,), (0,)),
    QuantizedType(IntegerType(32), -(2**31), 2**31 - 1, FloatType("f32"), (1.0,), (0,)),
    QuantizedType(IntegerType(8), -128, 127, FloatType("f32"), (0.5, 0.25), (0, 0), axis=0),
)
WORDS = {
    "comparison_direction": ("EQ", "NE", "GE", "GT", "LE", "LT"),
    "comparison_type": ("NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"),
    "fft_type": ("FFT", "IFFT", "RFFT", "IRFFT"),
    "rng_algorithm": ("DEFAULT", "THREE_FRY", "PHILOX"),
    "rng_distribution": ("UNIFORM", "NORMAL"),
    "transpose": ("TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"),
    "precision": ("DEFAULT", "HIGH", "HIGHEST"),
}
LARGEST_CONSTANT = 64
OTHER_KINDS: tuple[Attribute, ...] = (
    StringAttr("x"),
    IntegerAttr(1, IntegerType(64)),
    IntegerAttr(1, IntegerType(32)),
    IntegerAttr(1, IntegerType(1)),
    DenseArrayAttr(IntegerType(64), (0, 1)),
    DenseArrayAttr(IntegerType(32), (0, 1)),
    ArrayAttr((IntegerAttr(1, IntegerType(64)),)),
    TypeAttr(FloatType("f32")),
    EnumAttr("stablehlo", "precision", "HIGH"),
)
DECLARED = ("stablehlo.constant",)


class Program(NamedTuple):
    """A function of one operation: its argument types by value, constants before it, the operation."""

    values: ValueTable
    arguments: tuple[int, ...]
    constants: tuple[Operation, ...]
    operation: Operation

    def text(self) -> str:
        """Returns the program in MLIR's generic form."""
        ret = Operation(Signature("func.return"))
        block = Block([*self.constants, self.operation, ret], self.arguments)
        inputs = tuple(self.values.types[value] for value in self.arguments)
        properties = {"sym_name": StringAttr("main"), "function_type": TypeAttr(FunctionType(inputs, ()))}
        function = Operation(
            Signature("func.func", (), (), properties), regions=(Region((block,), self.values),)
        )
        module = Operation(Signature("builtin.module"), regions=(Region((Block([function]),), ValueTable()),))
        return Module(module).to_text(generic=True)


# --- taking programs out of modules ---


def programs_of(module: Module) -> Iterator[Program]:
    """Yields a program for every operation of another dialect than func and builtin."""
    for function in module.functions.values():
        if function.body is not None:
            yield from _programs_in(function.body, {})


def _programs_in(region: Region, constants: dict[int, Operation]) -> Iterator[Program]:
    for block in region.blocks:
        for operation in block.operations:
            if _is_small_constant(operation):
                constants[operation.results[0]] = operation
            if operation.name.partition(".")[0] in ("stablehlo", "chlo"):
                program = _program(operation, region.values, constants)
                if program is not None:
                    yield program
            for inner in operation.regions:
                yield from _programs_in(inner, constants if inner.values is region.values else {})


def _is_small_constant(operation: Operation) -> bool:
    if operation.name != "stablehlo.constant":
        return False
    type_ = operation.result_types[0]
    return isinstance(type_, RankedTensorType) and type_.element_count <= LARGEST_CONSTANT


def _program(operation: Operation, values: ValueTable, constants: dict[int, Operation]) -> Program | None:
    if operation.name in ("stablehlo.return", "stablehlo.composite") or operation.successors:
        return None
    used = dict.fromkeys(_used(operation, values))
    defined = tuple(constants[value] for value in used if value in constants)
    arguments = tuple(value for value in used if value not in constants)
    return Program(values, arguments, defined, operation)


def _used(operation: Operation, values: ValueTable) -> Iterator[int]:
    """Yields the values from outside that an operation uses, those in its regions included."""
    inside: set[int] = set()

    def visit(current: Operation) -> Iterator[int]:
        yield from (value for value in current.operands if value not in inside)
        for region in current.regions:
            if region.values is not values:
                continue
            for block in region.blocks:
                inside.update(block.arguments)
                for inner in block.operations:
                    yield from visit(inner)
                    inside.update(inner.results)

    return visit(operation)


# --- changing them ---


def mutant(program: Program, rng: random.Random) -> Program | None:
    """Returns the program with one change; None where the change that was drawn is none."""
    table = ValueTable(list(program.values.types))
    start = Program(
        table, program.arguments, program.constants, _rebased(program.operation, program.values, table)
    )
    path = rng.choice(list(_paths(start.operation, table)))
    change = rng.choice(CHANGES)
    return change(start, path, rng)


def _rebased(operation: Operation, old: ValueTable, new: ValueTable) -> Operation:
    """Returns the operation with its regions on another table."""
    regions = tuple(
        Region(
            tuple(
                Block([_rebased(inner, old, new) for inner in block.operations], block.arguments, block.label)
                for block in region.blocks
            ),
            new,
        )
        if region.values is old
        else region
        for region in operation.regions
    )
    return _with(operation, regions=regions)


Path = tuple[tuple[int, int, int], ...]
"""The way to an operation: region, block and index, from the outermost one inwards."""


def _paths(operation: Operation, table: ValueTable) -> Iterator[Path]:
    yield ()
    for number, region in enumerate(operation.regions):
        if region.values is table:
            for position, block in enumerate(region.blocks):
                for index, inner in enumerate(block.operations):
                    yield from (((number, position, index), *rest) for rest in _paths(inner, table))


def _at(operation: Operation, path: Path) -> Operation:
    for region, block, index in path:
        operation = operation.regions[region].blocks[block].operations[index]
    return operation


def _put(program: Program, path: Path, made: Operation) -> Program:
    return program._replace(operation=_replaced(program.operation, path, made))


def _replaced(operation: Operation, path: Path, made: Operation) -> Operation:
    if not path:
        return made
    (number, position, index), *rest = path
    region = operation.regions[number]
    block = region.blocks[position]
    operations = list(block.operations)
    operations[index] = _replaced(operations[index], tuple(rest), made)
    blocks = tuple(
        Block(operations, each.arguments, each.label) if each is block else each for each in region.blocks
    )
    regions = tuple(Region(blocks, each.values) if each is region else each for each in operation.regions)
    return _with(operation, regions=regions)


def _with(operation: Operation, **changes: Any) -> Operation:
    given: dict[str, Any] = {
        name: getattr(operation, name)
        for name in ("signature", "operands", "results", "regions", "successors")
    }
    return Operation(**(given | changes))


def _signature(operation: Operation, **changes: Any) -> Operation:
    old = operation.signature
    given: dict[str, Any] = {
        name: getattr(old, name)
        for name in ("name", "operand_types", "result_types", "properties", "attributes")
    }
    return _with(operation, signature=Signature(**(given | changes)))


def change_value_type(program: Program, path: Path, rng: random.Random) -> Program | None:
    """Another type for an argument or a result, wherever it is seen."""
    operation = _at(program.operation, path)
    values = [
        *operation.operands,
        *operation.results,
        *(value for region in operation.regions for block in region.blocks for value in block.arguments),
    ]
    free = [value for value in values if all(value not in constant.results for constant in program.constants)]
    if not free:
        return None
    value = rng.choice(free)
    old = program.values.types[value]
    new = other_type(old, rng)
    alike = [value] if rng.random() < 0.6 else [each for each in free if program.values.types[each] == old]
    for each in alike:
        program.values.types[each] = new
    return program._replace(operation=_retyped(program.operation, program.values))


def _retyped(operation: Operation, table: ValueTable) -> Operation:
    """Returns the operation, and those in its regions, with the types of the table."""
    regions = tuple(
        Region(
            tuple(
                Block([_retyped(inner, table) for inner in block.operations], block.arguments, block.label)
                for block in region.blocks
            ),
            table,
        )
        if region.values is table
        else region
        for region in operation.regions
    )
    made = _signature(
        operation,
        operand_types=tuple(table.types[value] for value in operation.operands),
        result_types=tuple(table.types[value] for value in operation.results),
    )
    return _with(made, regions=regions)


def change_attribute(program: Program, path: Path, rng: random.Random) -> Program | None:
    """Another value for an attribute, or none."""
    operation = _at(program.operation, path)
    if not operation.signature.properties or operation.name in DECLARED:
        return None
    properties = dict(operation.signature.properties)
    name = rng.choice(sorted(properties))
    if rng.random() < 0.08:
        del properties[name]
    else:
        properties[name] = other_attribute(properties[name], rng)
    return _put(program, path, _signature(operation, properties=properties))


def change_attribute_kind(program: Program, path: Path, rng: random.Random) -> Program | None:
    """Returns an attribute of another kind."""
    operation = _at(program.operation, path)
    if not operation.signature.properties or operation.name in DECLARED:
        return None
    properties = dict(operation.signature.properties)
    properties[rng.choice(sorted(properties))] = rng.choice(OTHER_KINDS)
    return _put(program, path, _signature(operation, properties=properties))


def swap_operands(program: Program, path: Path, rng: random.Random) -> Program | None:
    """Two operands in each other's place, or one in place of another."""
    operation = _at(program.operation, path)
    if len(operation.operands) < 2:
        return None
    operands = list(operation.operands)
    one, other = rng.sample(range(len(operands)), 2)
    if rng.random() < 0.5:
        operands[one], operands[other] = operands[other], operands[one]
    else:
        operands[one] = operands[other]
    made = _signature(operation, operand_types=tuple(program.values.types[value] for value in operands))
    return _put(program, path, _with(made, operands=tuple(operands)))


def drop_operand(program: Program, path: Path, rng: random.Random) -> Program | None:
    """Returns one operand less."""
    operation = _at(program.operation, path)
    if not operation.operands:
        return None
    gone = rng.randrange(len(operation.operands))
    operands = tuple(value for index, value in enumerate(operation.operands) if index != gone)
    made = _signature(operation, operand_types=tuple(program.values.types[value] for value in operands))
    return _put(program, path, _with(made, operands=operands))


def drop_result(program: Program, path: Path, rng: random.Random) -> Program | None:
    """Returns one result less, where nothing in the program uses it."""
    operation = _at(program.operation, path)
    if path or not operation.results:
        return None
    gone = rng.randrange(len(operation.results))
    results = tuple(value for index, value in enumerate(operation.results) if index != gone)
    made = _signature(operation, result_types=tuple(program.values.types[value] for value in results))
    return _put(program, path, _with(made, results=results))


def change_regions(program: Program, path: Path, rng: random.Random) -> Program | None:
    """Returns one region less, or one without its blocks."""
    operation = _at(program.operation, path)
    if not operation.regions:
        return None
    regions = list(operation.regions)
    place = rng.randrange(len(regions))
    if rng.random() < 0.5:
        del regions[place]
    else:
        regions[place] = Region((), regions[place].values)
    return _put(program, path, _with(operation, regions=tuple(regions)))


CHANGES: tuple[Callable[[Program, Path, random.Random], Program | None], ...] = (
    *(change_value_type,) * 5,
    *(change_attribute,) * 5,
    change_attribute_kind,
    swap_operands,
    drop_operand,
    drop_result,
    change_regions,
)


# --- other types and attributes ---


def other_type(type_: Type, rng: random.Random) -> Type:
    """Returns a type near another one."""
    if isinstance(type_, TupleType) and type_.types:
        parts = list(type_.types)
        place = rng.randrange(len(parts))
        parts[place] = other_type(parts[place], rng)
        return TupleType(tuple(parts))
    if not isinstance(type_, RankedTensorType):
        return RankedTensorType((), rng.choice(ELEMENT_TYPES))
    if rng.random() < 0.4:
        return replace(type_, element_type=rng.choice(ELEMENT_TYPES))
    return replace(type_, shape=tuple(_other_shape(list(type_.shape), rng)), encoding=None)


def _other_shape(shape: list[int | None], rng: random.Random) -> list[int | None]:
    draw = rng.random()
    if not shape or draw < 0.12:
        shape.insert(rng.randrange(len(shape) + 1), rng.choice((1, 2, 3, None)))
        return shape
    place = rng.randrange(len(shape))
    if draw < 0.24:
        del shape[place]
    elif draw < 0.34 and len(shape) > 1:
        other = rng.randrange(len(shape))
        shape[place], shape[other] = shape[other], shape[place]
    else:
        size = shape[place] or 0
        shape[place] = rng.choice((size + 1, max(size - 1, 0), size * 2, 1, 0, None))
    return shape


def other_attribute(attribute: Attribute, rng: random.Random) -> Attribute:
    """Returns an attribute of the same kind near another one."""
    if isinstance(attribute, IntegerAttr):
        return replace(attribute, value=_other_number(attribute.value, attribute.type, rng))
    if isinstance(attribute, DenseArrayAttr):
        return replace(attribute, values=_other_list(attribute.values, rng, attribute.element_type))
    if isinstance(attribute, EnumAttr):
        return replace(attribute, value=rng.choice(WORDS.get(attribute.enum, (attribute.value,))))
    if isinstance(attribute, StringAttr):
        return replace(attribute, value=rng.choice(("", "x", attribute.value + "!")))
    if isinstance(attribute, TypeAttr):
        return TypeAttr(other_type(attribute.value, rng))
    if isinstance(attribute, ArrayAttr):
        return _other_array(attribute, rng)
    if isinstance(attribute, DenseElementsAttr):
        return _other_elements(attribute, rng)
    return _other_struct(attribute, rng)


def _other_number(value: int, type_: Type, rng: random.Random) -> int:
    if type_ == I1:
        return 1 - value
    return rng.choice((value + 1, value - 1, -1, 0, 1, 2, 7))


def _other_list(values: tuple[int, ...], rng: random.Random, type_: Type) -> tuple[int, ...]:
    changed = list(values)
    draw = rng.random()
    if not changed or draw < 0.2:
        changed.insert(rng.randrange(len(changed) + 1), rng.choice((0, 1)))
    elif draw < 0.35:
        del changed[rng.randrange(len(changed))]
    elif draw < 0.5 and len(changed) > 1:
        one, other = rng.sample(range(len(changed)), 2)
        changed[one], changed[other] = changed[other], changed[one]
    else:
        place = rng.randrange(len(changed))
        changed[place] = _other_number(changed[place], type_, rng)
    return tuple(changed)


def _other_array(attribute: ArrayAttr, rng: random.Random) -> Attribute:
    values = list(attribute.values)
    if not values:
        return attribute
    place = rng.randrange(len(values))
    if rng.random() < 0.3:
        del values[place]
    elif rng.random() < 0.3:
        values.append(values[place])
    else:
        values[place] = other_attribute(values[place], rng)
    return ArrayAttr(tuple(values))


def _other_elements(attribute: DenseElementsAttr, rng: random.Random) -> Attribute:
    type_ = attribute.type
    array = attribute.array
    if not isinstance(type_, RankedTensorType) or array.dtype.kind not in "iu" or not array.size:
        return attribute
    if rng.random() < 0.3 and array.ndim == 2 and array.shape[0] > 1:
        array = np.ascontiguousarray(array[:-1])
    else:
        array = array.copy()
        array.flat[rng.randrange(array.size)] = rng.choice((-1, 0, 1, 2, 3))
    return DenseElementsAttr(replace(type_, shape=array.shape), array)


def _other_struct(attribute: Attribute, rng: random.Random) -> Attribute:
    if not isinstance(attribute, Struct):
        return attribute
    names = attribute.__struct_fields__
    if isinstance(attribute, FloatAttr | SymbolRefAttr) or not names:
        return attribute
    name = rng.choice(names)
    value = getattr(attribute, name)
    i64 = IntegerType(64)
    if isinstance(value, bool):
        return replace(attribute, **{name: not value})
    if isinstance(value, int):
        return replace(attribute, **{name: _other_number(value, i64, rng)})
    if isinstance(value, tuple) and all(isinstance(item, int) for item in value):
        return replace(attribute, **{name: _other_list(value, rng, i64)})
    if isinstance(value, Type):
        return replace(attribute, **{name: rng.choice(ELEMENT_TYPES)})
    return (
        replace(attribute, **{name: other_attribute(value, rng)})
        if isinstance(value, Attribute)
        else attribute
    )


# --- many of them ---


def mutants(programs: Iterable[Program], count: int, seed: int) -> Iterator[str]:
    """Texts of mutants, as many of each kind of operation as there are kinds allow; the same for a seed."""
    rng = random.Random(seed)
    by_name: dict[str, list[Program]] = {}
    for program in programs:
        by_name.setdefault(program.operation.name, []).append(program)
    names = sorted(by_name)
    made = 0
    while made < count:
        changed = mutant(rng.choice(by_name[rng.choice(names)]), rng)
        if changed is None:
            continue
        made += 1
        yield changed.text()
