"""Random programs: valid, the same for the same seed, with every operation that can be written."""

from __future__ import annotations

import numpy as np
import pytest

from shlo.dialects import find_op_def
from shlo.fuzzing.maker import Maker
from shlo.fuzzing.programs import Generator, How, matching, not_written, writers
from shlo.fuzzing.recipes import COLLECTIVES, RECIPES
from shlo.fuzzing.round_trips import ROUND_TRIPS, round_trip_problem
from shlo.fuzzing.scope import Draft, NotHere, Scope, Value, is_exact
from shlo.ir.types import RankedTensorType
from shlo.syntax import parse_type
from shlo.transforms.rewriting.reductions import neutral
from tests.oracle import Oracle

EDGES = np.array([-np.inf, np.inf, np.nan, 0, -3.4028235e38, 3.4028235e38], np.float32)
HOWS: tuple[How, ...] = ("apart", "fused", "grid")


def test_a_seed_and_a_number_make_the_same_program() -> None:
    one, again, other = Generator(7), Generator(7), Generator(8)
    one.case(0, "apart")
    for number, how in enumerate(HOWS, start=1):
        case, same = one.case(number, how), again.case(number, how)
        assert case.module.to_text() == same.module.to_text()
        assert [[array.tobytes() for array in each] for each in case.inputs] == [
            [array.tobytes() for array in each] for each in same.inputs
        ]
        assert case.module.to_text() != other.case(number, how).module.to_text()


@pytest.mark.parametrize("name", sorted(writers()))
def test_an_operation_that_can_be_written_is(name: str) -> None:
    generator = Generator(1, 4, [name])
    for number in range(30):
        case = generator.case(number, "grid" if name in COLLECTIVES else "apart" if number % 2 else "fused")
        if any(operation.name == name for operation, _ in case.module.walk()):
            return
    raise AssertionError(f"{name} is in none of 30 programs")


@pytest.mark.parametrize("name", ["maximum", "minimum"])
@pytest.mark.parametrize("element", ["f32", "bf16", "f8E5M2", "f8E4M3FN", "f8E3M4", "i8"])
def test_a_reduction_starts_with_what_changes_no_element(name: str, element: str) -> None:
    type_ = parse_type(element)
    start = neutral(name, type_)
    combined = {"maximum": np.maximum, "minimum": np.minimum}[name]
    bits = np.arange(2 ** (8 * start.dtype.itemsize)) if start.dtype.itemsize < 4 else EDGES.view(np.uint32)
    values = bits.astype(f"uint{8 * start.dtype.itemsize}").view(start.dtype)
    with np.errstate(invalid="ignore"):
        found = combined(values, start).astype(np.float32)
    assert np.array_equal(found, values.astype(np.float32), equal_nan=True)


def test_programs_that_xla_fuses_have_no_quotients() -> None:
    operand = RankedTensorType((2,), parse_type("complex<f64>"))
    assert not is_exact("stablehlo.sign", [operand], [operand])
    operand = RankedTensorType((2,), parse_type("f64"))
    assert is_exact("stablehlo.sign", [operand], [operand])


def scope_with_an_argument(type_: str) -> tuple[Scope, Value]:
    """Returns an empty program with an argument of a type, and that argument."""
    draft = Draft(Maker([1]), lambda scope: None)
    tensor = parse_type(type_)
    assert isinstance(tensor, RankedTensorType)
    argument = Value("%a", tensor)
    draft.arguments.append((argument, []))
    return Scope(draft), argument


@pytest.mark.parametrize("name", ["stablehlo.compare", "chlo.broadcast_compare"])
def test_complex_constants_are_compared_for_equality_alone(name: str) -> None:
    scope, argument = scope_with_an_argument("tensor<2xcomplex<f32>>")
    constant = scope.constant(np.ones(2, np.complex64))
    results = [RankedTensorType((2,), parse_type("i1"))]
    dialect = name.partition(".")[0]
    direction = f"comparison_direction = #{dialect}<comparison_direction "
    for each in ("LT", "LE", "GT", "GE"):
        with pytest.raises(NotHere):
            scope.write(name, (constant, constant), results, f"{direction}{each}>")
        scope.write(name, (argument, constant), results, f"{direction}{each}>")
    scope.write(name, (constant, constant), results, f"{direction}NE>")
    assert len(scope.lines) == 6


def test_no_program_has_both_a_map_and_a_broadcast_select() -> None:
    generator = Generator(1, 4, ["stablehlo.map", "chlo.broadcast_select"])
    found: set[str] = set()
    for number in range(12):
        names = {operation.name for operation, _ in generator.case(number, "apart").module.walk()}
        both = names & {"stablehlo.map", "chlo.broadcast_select"}
        assert len(both) <= 1
        found |= both
    assert len(found) == 2


def test_an_operation_is_written_or_there_is_a_reason() -> None:
    assert all(reason for _, reason in not_written())
    assert {op_def.name for op_def, _ in not_written()}.isdisjoint(writers())
    assert all(find_op_def(name) is not None for name in (*RECIPES, *COLLECTIVES))


def test_a_pattern_of_an_operation_that_is_not_written_tells_the_reason() -> None:
    with pytest.raises(ValueError, match="infeed is written: tokens"):
        matching(["infeed"])


@pytest.mark.slow
def test_jaxlib_reads_generated_programs_and_prints_them_alike(oracle: Oracle) -> None:
    generator = Generator(2)
    for number in range(60):
        text = generator.case(number, HOWS[number % 3]).module.to_text()
        assert oracle.pretty(text) == text


def test_programs_come_back_from_text_bytecode_and_the_formatter() -> None:
    generator = Generator(3)
    for number in range(12):
        module = generator.case(number, HOWS[number % 3]).module
        assert {name: round_trip_problem(module, name) for name in ROUND_TRIPS} == dict.fromkeys(
            ROUND_TRIPS, ""
        )
