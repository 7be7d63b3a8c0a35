"""Cases: programs of one operation, the same for the same seed.

An operation on each element has cases of the special values of each type, other operations draw operands and
attributes. Shapes take turns: one element without dimensions, none, one, an odd number, many. For the types
that every engine has, those of many draws are taken that have other aspects than the ones before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import chain, count, product
from math import prod
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from shlo.conformance.aspects import Aspect, pairs_of_aspects
from shlo.conformance.edges import (
    by_kind,
    chosen_attributes,
    combinations_of,
    leaves_open,
    overflows,
)
from shlo.conformance.typed_forms import QUANTIZED, quantized, with_unknown_sizes
from shlo.dialects import find_op_def
from shlo.dialects.constants import is_constant
from shlo.dialects.constraints import short_name
from shlo.dialects.opdef import OpDef, OperandDef
from shlo.divergence.tolerances import Tolerance, tolerance_of
from shlo.fuzzing.by_definition import fitting_elements
from shlo.fuzzing.maker import Maker, Shape
from shlo.fuzzing.programs import Case, Generator, matching
from shlo.fuzzing.recipes import COLLECTIVES, RECIPES
from shlo.fuzzing.scope import ELEMENTS
from shlo.fuzzing.values import BYTE_FLOATS
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.operations import Module, Operation
from shlo.ir.types import F32, I1, I32, ComplexType, Type, element_type_of

SUITE: Final = 6
"""The version of the cases: those of one version, level and seed stay the same."""

Level = Literal["smoke", "full"]
DRAWS_OF: Final[dict[Level, int]] = {"smoke": 1, "full": 2}
"""By level: how many programs an operation has for each type, beside those of special values."""
SMOKE_TYPES: Final = ("i1", "f32", "i32")
"""The types of elements that operations have at smoke; each has one more of its types, in turn."""
TELLING_TYPES: Final = (F32, I32)
"""The types of which cases are chosen by their aspects."""
TELLING_OF: Final[dict[Level, tuple[int, int]]] = {"smoke": (3, 1), "full": (6, 6)}
"""By level: how many cases of each such type are chosen at most."""
TELLING_DRAWS: Final = 14
"""From how many programs they are chosen."""
TRIES: Final = 8
"""How often an operation is drawn until it is one of the type that is asked for."""

Sizes = Literal["scalar", "empty", "one", "odd", "large"]
SIZES: Final[tuple[Sizes, ...]] = ("odd", "large", "scalar", "one", "empty")
DIMENSIONS: Final[dict[Sizes, Sequence[int]]] = {
    "scalar": (),
    "empty": (0, 2, 3),
    "one": (1,),
    "odd": (3, 5),
    "large": (6, 7, 8, 9),
}
"""The sizes that a dimension may have; four dimensions are small ones."""
DIFFERENT: Final = list(dict.fromkeys(ELEMENTS))
NUMBERS: Final = 1000
"""How many programs an operation has of each type of elements, at most."""
FILLERS: Final = tuple(f"stablehlo.{name}" for name in ("add", "maximum", "negate", "subtract"))
"""What branches, loops and functions consist of, so that a case of these fails for no other reason."""
USUAL: Final = (F32, I32, I1)
"""The types that every engine has: results of conversions are of each of them."""
GRIDS: Final = ((2, 1), (1, 2), (2, 2))
VARIANTS: Final = 2
"""How many different programs with the same special values there are, as far as attributes and types of
results differ, for each draw."""


class ConformanceCase(Struct, frozen=True):
    """A program with one operation that is judged, or several.

    Args:
        name: such as `add-f32-subnormals` or `gather-i8-odd-3`.
        subject: the name of the operation, or of the function or scope that the program is.
        type: the type of elements of the operand or result that may have most types.
        case: the program and its arguments.
        operation: the operation, None where there are several.
        judge: the engine that says what is right.
        expected: what is right in each process, where that is known without a run.
        tolerance: how far results may be apart; None for that of the operation.
    """

    name: str
    subject: str
    type: str
    case: Case
    operation: Operation | None
    judge: str = "reference"
    expected: Sequence[Sequence[Array]] | None = None
    tolerance: Tolerance | None = None

    @property
    def short(self) -> str:
        """The subject without the dialect that most are of."""
        return short_name(self.subject)

    @property
    def allowance(self) -> Tolerance:
        """How far results may be apart."""
        return self.tolerance or tolerance_of(self.subject)

    @property
    def sentence(self) -> str:
        """What the operation does; empty for several."""
        op_def = find_op_def(self.subject)
        return op_def.summary if op_def else ""

    @property
    def url(self) -> str:
        """Where the specification says so; empty where it does not."""
        op_def = find_op_def(self.subject)
        return (op_def.url if op_def else None) or ""


def operation_names(patterns: Sequence[str], has_grid: bool = False) -> list[str]:
    """Returns the operations that have cases, those of grids among them where the engine runs such; raises
    ValueError where a pattern names none."""
    chosen = matching(patterns or ["stablehlo.*"], QUANTIZED)
    return [name for name in chosen if has_grid or name not in COLLECTIVES]


def make_cases(
    names: Sequence[str], level: Level, seed: int, types: Sequence[str] = ()
) -> Iterator[ConformanceCase]:
    """Yields the cases of operations, those of some types of elements only."""
    generator = Generator(seed, size=1, fillers=FILLERS)
    for name in names:
        op_def, turn = find_op_def(name), sum(name.encode())  # not its place, as others may be left out
        assert op_def is not None
        cases = _Cases(generator, op_def, level, turn)
        elements = _elements_of(op_def, level, turn, types)
        yield from chain.from_iterable(map(cases.of_type, elements))
        if not types or "f32" in types:
            yield from cases.of_forms()
        if not (cases.has_any or types):
            yield from cases.of_any_type()


class _Cases:
    """The cases of an operation; `turn` says with which shapes they begin."""

    def __init__(self, generator: Generator, op_def: OpDef, level: Level, turn: int) -> None:
        self._generator, self._op_def, self._turn = generator, op_def, turn
        self._level: Level = level
        self._draws = DRAWS_OF[level]
        self._is_by_element = is_by_element(op_def)
        self._short = short_name(op_def.name)
        self._numbers = count(NUMBERS * len(DIFFERENT))
        self.has_any = False

    def of_type(self, element: Type) -> Iterator[ConformanceCase]:
        """Yields the cases of a type of elements, whatever other types have cases."""
        self._numbers = count(NUMBERS * DIFFERENT.index(element))
        if self._is_by_element:
            yield from self._of_special_values(element)
        draws = self._draws - self._is_by_element
        if element in TELLING_TYPES and not self._is_by_element and self._op_def.name not in COLLECTIVES:
            yield from self._telling_ones(element)
            draws -= 1
        for draw in range(draws):
            sizes = SIZES[(self._turn + ELEMENTS.index(element) + draw) % len(SIZES)]
            yield from self._drawn(element, sizes)

    def of_any_type(self) -> Iterator[ConformanceCase]:
        """Yields cases of whatever type the operation has, where it has none of those that are asked for."""
        self._numbers = count(NUMBERS * len(DIFFERENT))
        for sizes in SIZES[: self._draws]:
            yield from self._drawn(None, sizes)

    def of_forms(self) -> Iterator[ConformanceCase]:
        """Yields the cases of sizes that are not known before the run, and of quantized elements."""
        has_forms = self._is_by_element and F32 in _accepted_elements(self._op_def)
        if self._op_def.name in QUANTIZED:
            self.has_any = True
            yield from self._named("values", quantized(self._op_def, next(self._numbers)))
        elif has_forms and self._draws > 1:
            (case, *_) = self._of_special_values(F32)
            yield from self._named("dynamic", with_unknown_sizes(case.case))
            yield from self._named("values", quantized(self._op_def, next(self._numbers)))

    def _of_special_values(self, element: Type) -> Iterator[ConformanceCase]:
        names = [dtype_of(each).name for each in _operand_types(self._op_def, element)]
        arrays = combinations_of(names)
        texts: set[str] = set()
        results = [*([each] for each in USUAL if element in USUAL), *[ELEMENTS] * (self._draws * VARIANTS)]
        for chosen, elements in product(chosen_attributes(self._op_def), results):
            number = next(self._numbers)
            whole = self._generator.case_on(self._op_def, number, arrays, chosen, elements)
            text = "" if whole is None else whole.module.to_text()
            if whole is None or text in texts:
                continue
            texts.add(text)
            words = "-".join(text.split()[-1].strip(">") for text in chosen.values())
            kinds = by_kind(self._op_def, whole.module, whole.inputs[0])
            case = None
            for kind, operands in kinds.items():
                case = case or self._generator.case_on(self._op_def, number, operands, chosen, elements)
                if case is not None:
                    self.has_any = True
                    named = replace(case, inputs=[operands])  # one program, which an engine compiles once
                    yield from self._named("-".join(filter(None, (words, kind))), named)

    def _telling_ones(self, element: Type) -> Iterator[ConformanceCase]:
        """Yields cases in which aspects come together that do not in the ones before, those with most such
        pairs first. Where they have regions, constants or sizes, these are of usual types, too."""
        drawn: list[tuple[ConformanceCase, set[tuple[Aspect, Aspect]]]] = []
        for _ in range(TELLING_DRAWS):
            case = self._generator.case_of(
                self._op_def.name, next(self._numbers), (1, 1), [element], _TellingMaker
            )
            for named in self._named("telling", case):
                assert named.operation is not None
                if named.type == str(element) and _is_of_usual_types(named.case.module):
                    drawn.append((named, pairs_of_aspects(named.case, named.operation, self._op_def)))
        known: set[tuple[Aspect, Aspect]] = set()
        most = TELLING_OF[self._level][TELLING_TYPES.index(element)]
        for _ in range(min(most, len(drawn))):
            case, pairs = max(drawn, key=lambda each: len(each[1] - known))
            if pairs <= known:
                return
            known |= pairs
            self.has_any = True
            yield case

    def _drawn(self, element: Type | None, sizes: Sizes) -> Iterator[ConformanceCase]:
        """Yields a case with an operation of that type, of any where it is None; none where none is drawn."""
        is_byte = element is not None and dtype_of(element).name in BYTE_FLOATS
        is_summed_in_bytes = is_byte and tolerance_of(self._op_def.name).scale == "sum"
        maker = partial(
            _SizedMaker, sizes="odd" if is_summed_in_bytes else sizes, is_small=is_summed_in_bytes
        )
        elements = ELEMENTS if element is None else [element]
        for _ in range(TRIES):
            number = next(self._numbers)
            grid = GRIDS[number % len(GRIDS)] if self._op_def.name in COLLECTIVES else (1, 1)
            case = self._generator.case_of(self._op_def.name, number, grid, elements, maker)
            if case is not None and (
                (self._is_by_element and leaves_open(self._op_def.name, case))
                or (is_summed_in_bytes and overflows(case))
            ):
                continue
            cases = list(self._named(sizes, case))
            if cases and (element is None or cases[0].type in (str(element), "none")):
                self.has_any = True
                yield from cases
                return

    def _named(self, kind: str, case: Case | None) -> Iterator[ConformanceCase]:
        operation = None if case is None else operation_of(case.module, self._op_def.name)
        if case is None or operation is None:
            return
        type_ = _type_of(operation, self._op_def)
        short = "quantized" if type_.startswith("!quant") else type_
        name = f"{self._short}-{short}-{kind}-{case.number}"
        yield ConformanceCase(name, self._op_def.name, short, case, operation)


class _SizedMaker(Maker):
    """Makes shapes of some sizes, and elements of which some are special values unless all are to be small:
    what becomes of large sums depends on their type, which is the engine's choice.
    """

    def __init__(self, seed: Sequence[int], sizes: Sizes, is_small: bool) -> None:
        super().__init__(seed)
        self._sizes: Sizes = sizes
        self._is_small = is_small

    def edges(self, shape: Shape, name: str) -> Array:
        """Returns special values, or small numbers."""
        return (self.small if self._is_small else super().edges)(shape, name)

    def shape(self, rank: int | None = None, smallest: int = 0) -> Shape:
        """Returns a shape of a rank."""
        if rank is None:
            rank = 0 if self._sizes == "scalar" else self.integer(1, 3)
        if self._sizes == "large" and rank == 1:
            return (self.integer(100, 300),)
        fitting = [size for size in DIMENSIONS[self._sizes] if size >= smallest] or [max(smallest, 1)]
        return tuple(self.choice(fitting if place < 3 else fitting[:1]) for place in range(rank))


class _TellingMaker(Maker):
    """Makes shapes of two or three different sizes, lists of dimensions that engines may confuse, and
    elements that are all different, or small whole numbers: an element in a wrong place is seen.
    """

    reuse = 0.0

    def __init__(self, seed: Sequence[int]) -> None:
        super().__init__(seed)
        self._is_distinct = self.chance(0.5)

    def shape(self, rank: int | None = None, smallest: int = 0) -> Shape:
        """Returns a shape of a rank; few have a dimension of one element."""
        sizes = [2 + size % 4 for size in self.permutation(self.integer(2, 3) if rank is None else rank)]
        if sizes and smallest < 2 and self.chance(0.3):
            sizes[self.integer(0, len(sizes) - 1)] = 1
        return tuple(max(size, smallest) for size in sizes)

    def permutation(self, count: int) -> list[int]:
        """Returns an order that is not its own inverse, where there is one."""
        while True:
            order = super().permutation(count)
            if count < 3 or any(order[order[number]] != number for number in range(count)):
                return order

    def subset(self, items: Sequence[int], count: int | None = None) -> list[int]:
        """Returns some of the items, not all and not none where that is a choice."""
        if count is None and len(items) > 1:
            count = self.integer(1, len(items) - 1)
        return super().subset(items, count)

    def index_name(self, names: Sequence[str]) -> str:
        """Returns that of the usual type."""
        return next(name for name in names if name == "int32")

    def small(self, shape: Shape, name: str) -> Array:
        """Returns small whole numbers, those of a tensor different ones or not."""
        size = prod(shape)
        if not (self._is_distinct and shape and name in ("float32", "int32")):
            return super().small(shape, name)
        return (self.random.permutation(size) - size // 2).astype(name).reshape(shape)

    def edges(self, shape: Shape, name: str) -> Array:
        """Returns small whole numbers: NaN or an infinity may hide the others."""
        return self.small(shape, name)


def _is_of_usual_types(module: Module) -> bool:
    types = (
        type_
        for operation, _ in module.walk()
        for type_ in (*operation.operand_types, *operation.result_types)
    )
    return all(element_type_of(type_) in USUAL for type_ in types)


def is_by_element(op_def: OpDef) -> bool:
    """Returns whether an operation computes each element of its result from those of its operands at the
    same place, and has no recipe."""
    is_plain = all(operand.arity == "one" for operand in op_def.operands)
    return op_def.has("elementwise") and bool(op_def.operands) and is_plain and op_def.name not in RECIPES


def _elements_of(op_def: OpDef, level: Level, turn: int, types: Sequence[str]) -> Sequence[Type]:
    """Returns the types of elements of which an operation has cases."""
    accepted = _accepted_elements(op_def)
    if types:
        return [type_ for type_ in accepted if str(type_) in types]
    if level == "full":
        return accepted
    usual = [type_ for type_ in accepted if str(type_) in SMOKE_TYPES]
    others = [type_ for type_ in accepted if type_ not in usual]
    return [*usual, *others[turn % len(others) :][:1]] if others else usual


@cache
def _accepted_elements(op_def: OpDef) -> Sequence[Type]:
    """Returns the types of elements of the operand or result that may have most; all for an operation without
    operands."""
    if op_def.name in QUANTIZED:
        return ()
    if not op_def.operands:
        return DIFFERENT
    fitting = fitting_elements(_values_of(op_def)[_typed_value(op_def)].constraint)
    # of complex numbers: on which side of a cut depends on roundings
    is_cut = op_def.name == "stablehlo.atan2"
    return [each for each in dict.fromkeys(fitting) if not (is_cut and isinstance(each, ComplexType))]


def _values_of(op_def: OpDef) -> Sequence[OperandDef]:
    """Returns the definitions of operands and results."""
    return (*op_def.operands, *op_def.results)


@cache
def _typed_value(op_def: OpDef) -> int:
    """Returns the number of the first operand or result that may have most types of elements."""
    counts = [len(set(fitting_elements(value.constraint))) for value in _values_of(op_def)]
    return counts.index(max(counts))


def _operand_types(op_def: OpDef, element: Type) -> list[Type]:
    """Returns types of elements for the operands, `element` where it fits."""
    fitting = [fitting_elements(operand.constraint) for operand in op_def.operands]
    return [element if element in types else types[0] for types in fitting]


def _type_of(operation: Operation, op_def: OpDef) -> str:
    """Returns the type of elements that a case counts as."""
    number = _typed_value(op_def)
    is_result = number >= len(op_def.operands)
    types = operation.result_types if is_result else operation.operand_types
    place = number - len(op_def.operands) * is_result
    return str(element_type_of(types[min(place, len(types) - 1)])) if types else "none"


def operation_of(module: Module, name: str) -> Operation | None:
    """Returns the first operation of that name, None where there is none but for constants."""
    return next((op for op, _ in module.walk() if op.name == name and not is_constant(op)), None)
