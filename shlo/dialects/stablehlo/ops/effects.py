"""OpDefs of tokens and of the operations that reach outside the program."""

from __future__ import annotations

from shlo.dialects.attr_constraints import (
    ANY_ATTR,
    ARRAY_ATTR,
    BOOL_ATTR,
    I32_ATTR,
    I64_ELEMENTS_ATTR,
    LAYOUT_ATTR,
    STRING_ATTR,
    SYMBOL_ATTR,
    SYMBOL_NAME_ATTR,
    array_of,
    struct_of,
)
from shlo.dialects.opdef import (
    OpDef,
    constraint,
    defaulted,
    filled,
    formulas,
    may,
    operand,
    required,
    traits,
    variadic,
)
from shlo.dialects.stablehlo import structs
from shlo.dialects.stablehlo.ops.parts import ANY_OR_PER_AXIS, BRANCH_VALUE
from shlo.dialects.stablehlo.rules.collective import pairs
from shlo.dialects.stablehlo.rules.effects import (
    aliases_fit,
    buffers_are_aliased,
    buffers_are_aliased_once,
    buffers_fit,
    configuration_fits,
    infeed_layout_fits,
    layouts_fit,
)
from shlo.dialects.stablehlo.rules.work import custom_call_work
from shlo.dialects.type_constraints import ANY_RANK_TUPLE, ANY_RANK_VALUE, FUTURE, MEMREF, TOKEN

_EFFECT = traits("effect")
_CALL_VALUE = ANY_RANK_VALUE | TOKEN | ANY_RANK_TUPLE | MEMREF | FUTURE

_STATIC = constraint(
    "A9",
    "all(lambda x: not is_tensor(x) or is_static(x), results)",
    erratum="the MLIR tools want to know all sizes of what comes from outside",
)
_CHANNEL = required("channel_handle", struct_of(structs.CHANNEL_HANDLE))
_IS_HOST_TRANSFER = defaulted("is_host_transfer", BOOL_ATTR, "false")
_SOURCE_TARGET_PAIRS = may("source_target_pairs", I64_ELEMENTS_ATTR)

OP_DEFS = (
    OpDef(
        "stablehlo.create_token",
        "Makes a token (not in the specification: after_all of nothing).",
        specified=False,
        results=(operand("output", TOKEN),),
        format="attr-dict `:` type(results)",
    ),
    OpDef(
        "stablehlo.after_all",
        "Makes a token that comes after all of some tokens.",
        operands=(variadic("inputs", TOKEN),),
        results=(operand("result", TOKEN),),
        format="$inputs attr-dict `:` type(same)",
    ),
    OpDef(
        "stablehlo.custom_call",
        "Calls code of the implementation by name.",
        operands=(variadic("inputs", _CALL_VALUE),),
        attributes=(
            required("call_target_name", SYMBOL_NAME_ATTR),
            defaulted("has_side_effect", BOOL_ATTR, "false"),
            may("backend_config", ANY_ATTR),
            defaulted("api_version", I32_ATTR, "1 : i32"),
            defaulted("called_computations", array_of(SYMBOL_ATTR), "[]"),
            may("operand_layouts", array_of(LAYOUT_ATTR)),
            may("result_layouts", array_of(LAYOUT_ATTR)),
            defaulted("output_operand_aliases", array_of(struct_of(structs.OUTPUT_OPERAND_ALIAS)), "[]"),
            may("result_tilings", ARRAY_ATTR),
        ),
        results=(variadic("results", _CALL_VALUE),),
        format="$call_target_name `(` $inputs `)` attr-dict `:` type(function)",
        traits=traits("effect", "checked_results"),
        inputs=(
            *("inputs", "call_target_name", "has_side_effect", "backend_config", "api_version"),
            *("called_computations", "output_operand_aliases"),
        ),
        constraints=(
            constraint(
                "A1",
                "layouts order the dimensions of all values, or of none",
                check=layouts_fit,
                needed=False,
            ),
            constraint("A2", "an alias has one type in both its places", check=aliases_fit),
            constraint("A3", "the configuration is of the interface's kind", check=configuration_fits),
            constraint("A5", "calls that make buffers have operands to match", check=buffers_fit),
            constraint("A6", "each buffer of the results is that of an operand", check=buffers_are_aliased),
            constraint("A7", "no buffer is in two aliases", enforced=False, check=buffers_are_aliased_once),
            constraint("A4", "0 <= api_version <= 4", erratum="versions of the interface"),
        ),
        quantized="own",
        work=custom_call_work,
    ),
    OpDef(
        "stablehlo.infeed",
        "Reads values from the infeed.",
        operands=(operand("token", TOKEN),),
        attributes=(filled("infeed_config", STRING_ATTR, '""'), may("layout", ARRAY_ATTR)),
        results=(variadic("results", BRANCH_VALUE),),
        traits=_EFFECT,
        constraints=(
            constraint("C1", "0 < size(results)"),
            constraint("C2", "all(lambda x: is_tensor(x), results[:-1])"),
            constraint("C3", "is_token(results[-1])"),
            _STATIC,
            *formulas("""
                A1: if layout is not None then size(layout) = size(results) - 1
                    # an attribute that the specification leaves out
            """),
            constraint("A2", "a layout is a list of numbers", check=infeed_layout_fits),
        ),
        quantized="own",
        synchronizes="wait",
    ),
    OpDef(
        "stablehlo.outfeed",
        "Writes values to the outfeed.",
        operands=(variadic("inputs", ANY_OR_PER_AXIS), operand("token", TOKEN)),
        attributes=(filled("outfeed_config", STRING_ATTR, '""'),),
        results=(operand("result", TOKEN),),
        traits=_EFFECT,
        quantized="own",
    ),
    OpDef(
        "stablehlo.send",
        "Sends values into a channel.",
        operands=(variadic("inputs", ANY_OR_PER_AXIS), operand("token", TOKEN)),
        attributes=(_CHANNEL, _IS_HOST_TRANSFER, _SOURCE_TARGET_PAIRS),
        results=(operand("result", TOKEN),),
        traits=_EFFECT,
        inputs=(
            *("inputs", "token", "channel_id", "channel_type", "is_host_transfer", "source_target_pairs"),
        ),
        constraints=(
            *pairs(("C1", "C2", "C3", "C4"), was=("", "", "", ""), enforced=False),
            constraint("C5", "channel_type = (is_host_transfer ? 2 : 1)", was="C1", at="channel_handle"),
        ),
        quantized="own",
        synchronizes="wait",
    ),
    OpDef(
        "stablehlo.recv",
        "Receives values from a channel.",
        operands=(operand("token", TOKEN),),
        attributes=(_CHANNEL, _IS_HOST_TRANSFER, _SOURCE_TARGET_PAIRS),
        results=(variadic("results", BRANCH_VALUE),),
        traits=_EFFECT,
        inputs=("token", "channel_id", "channel_type", "is_host_transfer", "source_target_pairs"),
        constraints=(
            *pairs(("C1", "C2", "C3", "C4"), was=("", "", "", ""), enforced=False),
            constraint("C5", "channel_type = (is_host_transfer ? 3 : 1)", was="C1", at="channel_handle"),
            constraint("A2", "0 < size(results)", was="C2"),
            constraint("A3", "all(lambda x: is_tensor(x), results[:-1])", was="C3"),
            constraint("A4", "is_token(results[-1])", was="C4"),
            _STATIC,
        ),
        quantized="own",
        synchronizes="wait",
    ),
)
