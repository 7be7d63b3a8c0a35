"""Type and attribute constraints, and what is checked of definitions when a dialect is loaded."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType

import pytest

import shlo
from shlo.dialects import DIALECT_MODULES, all_op_defs, find_attribute
from shlo.dialects.attr_constraints import (
    F32_ATTR,
    SYMBOL_ATTR,
    AttrDef,
    EnumDef,
    Problem,
    array_of,
    enum_of,
)
from shlo.dialects.opdef import DefinitionError, OpDef, dialect_of, operand, region, required
from shlo.dialects.stablehlo.ops.parts import FLOAT
from shlo.dialects.type_constraints import FLOAT_TYPE, INTEGER_TYPE, TOKEN, quantized_tensor, tensor
from shlo.ir.attributes import ArrayAttr, EnumAttr, StringAttr, SymbolRefAttr
from shlo.ir.source import Source
from shlo.ir.suggestions import WriteAttribute
from shlo.ir.types import F32, I32, RankedTensorType, TokenType
from shlo.runner.validity import findings_of

SCALE = OpDef(
    "mine.scale",
    "Each element times a factor.",
    operands=(operand("operand", FLOAT),),
    attributes=(required("factor", F32_ATTR),),
    results=(operand("result", FLOAT),),
    format="$operand `by` $factor attr-dict `:` type(same)",
)
PROGRAM = """func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = {} : tensor<2xf32>
  return %0 : tensor<2xf32>
}}
"""
COLOUR = EnumDef("paint", "Colour", "colour", ("RED", "BLUE"))


def test_descriptions_are_composed_in_the_words_of_the_specification() -> None:
    constraint = tensor(INTEGER_TYPE | FLOAT_TYPE, rank=0) | quantized_tensor(extent="static") | TOKEN
    assert str(constraint) == (
        "0-dimensional tensor of integer or floating-point type, static quantized tensor or token"
    )
    taken = [RankedTensorType((), F32), RankedTensorType((), I32), TokenType()]
    assert all(map(constraint.matches, taken))
    assert not constraint.matches(RankedTensorType((2,), F32))


def test_an_attribute_that_does_not_fit_is_told_with_what_would() -> None:
    spec = required("colours", array_of(enum_of(COLOUR)))
    assert spec.problem(ArrayAttr((EnumAttr("paint", "colour", "RED"),))) is None
    problem = spec.problem(ArrayAttr((EnumAttr("paint", "colour", "GREEN"),)))
    assert problem
    assert problem.message.startswith("colours must hold a word of the enumeration colour")
    assert array_of(SYMBOL_ATTR).matches(ArrayAttr((SymbolRefAttr("f"),)))
    assert required("to", SYMBOL_ATTR).problem(StringAttr("f")) == Problem(
        'to must be a symbol (`@name`), but is "f"', (WriteAttribute("to", "@name"),)
    )


def test_a_float_attribute_is_parsed_printed_and_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("mine")
    module.DIALECT = dialect_of("mine", [SCALE])  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mine", module)
    monkeypatch.setitem(DIALECT_MODULES, "mine", "mine")
    pretty = PROGRAM.format("mine.scale %arg0 by 1.500000e+00")
    assert str(shlo.parse(pretty)).split() == ["module", "{", *pretty.split(), "}"]
    assert findings_of(Source(pretty))[1] == []
    wrong = PROGRAM.format('"mine.scale"(%arg0) <{factor = 1 : i64}>').replace(
        "> : tensor<2xf32>", "> : (tensor<2xf32>) -> tensor<2xf32>", 1
    )
    (finding,) = findings_of(Source(wrong))[1]
    assert "factor must be a 32-bit float (`1.0 : f32`), but is 1 : i64" in finding.message


@pytest.mark.parametrize(
    "make",
    [
        lambda: dialect_of("mine", [SCALE, SCALE]),
        lambda: dialect_of("other", [SCALE]),
        lambda: dialect_of("mine", [OpDef("mine.a", "A.", format="$missing attr-dict")]),
        lambda: dialect_of("mine", [OpDef("mine.a", "A.", regions=(region("body"),), format="region(bdy)")]),
        lambda: dialect_of("paint", (), [COLOUR, COLOUR]),
        lambda: dialect_of("mine", (), (), [AttrDef("other", "struct", StringAttr)]),
    ],
)
def test_a_definition_with_a_typo_fails_when_it_is_loaded(make: Callable[[], object]) -> None:
    with pytest.raises(DefinitionError):
        make()


def test_enumerations_and_structs_of_definitions_are_those_of_their_dialects() -> None:
    for op_def in all_op_defs():
        for used in filter(None, (spec.constraint.uses for spec in op_def.attributes)):
            is_flags = isinstance(used, EnumDef) and used.mnemonic in ("fastmath", "overflow")
            assert is_flags or find_attribute(used.dialect, used.mnemonic) == used, op_def.name
