"""Cards of tokens and of the operations that reach outside the program."""

from __future__ import annotations

from shlo.dialects.card import Card, defaulted, filled, may, operand, required, traits, variadic
from shlo.dialects.stablehlo.parts import ANY_OR_PER_AXIS, TOKEN, VALUE

_EFFECT = traits("effect")
_CALL_VALUE = "tensor, quantized tensor, token or tuple"
_CHANNEL = required("channel_handle", "struct:channel_handle")
_IS_HOST_TRANSFER = defaulted("is_host_transfer", "bool", "false")
_SOURCE_TARGET_PAIRS = may("source_target_pairs", "elements")

CARDS = (
    Card(
        "stablehlo.create_token",
        "A new token (not in the specification: after_all of nothing).",
        results=(operand("output", TOKEN),),
        format="attr-dict `:` type(results)",
    ),
    Card(
        "stablehlo.after_all",
        "A token that comes after all of some tokens.",
        operands=(variadic("inputs", TOKEN),),
        results=(operand("result", TOKEN),),
        format="$inputs attr-dict `:` type(same)",
        section="after_all",
    ),
    Card(
        "stablehlo.custom_call",
        "Calls what an implementation knows under a name.",
        operands=(variadic("inputs", _CALL_VALUE),),
        attributes=(
            required("call_target_name", "symbol_name"),
            defaulted("has_side_effect", "bool", "false"),
            may("backend_config", "any"),
            defaulted("api_version", "i32", "1 : i32"),
            defaulted("called_computations", "array", "[]"),
            may("operand_layouts", "array"),
            may("result_layouts", "array"),
            defaulted("output_operand_aliases", "array", "[]"),
            may("result_tilings", "array"),
        ),
        results=(variadic("results", _CALL_VALUE),),
        format="$call_target_name `(` $inputs `)` attr-dict `:` type(function)",
        traits=_EFFECT,
        section="custom_call",
    ),
    Card(
        "stablehlo.infeed",
        "Reads values from the infeed.",
        operands=(operand("token", TOKEN),),
        attributes=(filled("infeed_config", "string", '""'), may("layout", "array")),
        results=(variadic("results", VALUE),),
        traits=_EFFECT,
        section="infeed",
    ),
    Card(
        "stablehlo.outfeed",
        "Writes values to the outfeed.",
        operands=(variadic("inputs", ANY_OR_PER_AXIS), operand("token", TOKEN)),
        attributes=(filled("outfeed_config", "string", '""'),),
        results=(operand("result", TOKEN),),
        traits=_EFFECT,
        section="outfeed",
    ),
    Card(
        "stablehlo.send",
        "Sends values into a channel.",
        operands=(variadic("inputs", ANY_OR_PER_AXIS), operand("token", TOKEN)),
        attributes=(_CHANNEL, _IS_HOST_TRANSFER, _SOURCE_TARGET_PAIRS),
        results=(operand("result", TOKEN),),
        traits=_EFFECT,
        section="send",
    ),
    Card(
        "stablehlo.recv",
        "Receives values from a channel.",
        operands=(operand("token", TOKEN),),
        attributes=(_CHANNEL, _IS_HOST_TRANSFER, _SOURCE_TARGET_PAIRS),
        results=(variadic("results", VALUE),),
        traits=_EFFECT,
        section="recv",
    ),
)
