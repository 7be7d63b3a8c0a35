"""The passes by name: functions from a module to a module, with options.

A package adds passes as entry points of the group `shlo.passes`: each loads a `Pass`, whose name is the entry
point's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from msgspec import Struct

from shlo.ir.diagnostics import ParseError, ShloError
from shlo.ir.locations import place_of
from shlo.ir.operations import Module
from shlo.ir.source import place_in
from shlo.ir.types import Type
from shlo.support.entry_points import entry_points_of
from shlo.syntax import parse_type
from shlo.text.suggest import did_you_mean
from shlo.transforms.aggressive_folding import aggressive_fold
from shlo.transforms.canonical_dynamism import canonicalize_dynamism, check_shape_assertions
from shlo.transforms.compatibility import expand_for_version
from shlo.transforms.complex_math import expand_complex_math
from shlo.transforms.composites import composite_to_call, wrap_in_composite
from shlo.transforms.deprecated_operations import replace_deprecated
from shlo.transforms.from_chlo import chlo_to_stablehlo
from shlo.transforms.from_shape import shape_to_stablehlo
from shlo.transforms.from_vhlo import vhlo_to_stablehlo
from shlo.transforms.probes import probe_values
from shlo.transforms.quantization.operations import qdq_to_quantized, quantized_to_qdq
from shlo.transforms.quantization.to_math import quantized_to_math
from shlo.transforms.refinement.passes import refine_arguments, refine_shapes
from shlo.transforms.relocation import without_locations
from shlo.transforms.signless import convert_to_signless
from shlo.transforms.simplification import simplify
from shlo.transforms.to_vhlo import stablehlo_to_vhlo, vhlo_to_version
from shlo.transforms.upstream.canonicalization import canonicalize
from shlo.transforms.upstream.cse import eliminate_common_subexpressions
from shlo.transforms.upstream.inlining import inline
from shlo.transforms.upstream.symbol_dce import remove_unused_symbols

ENTRY_POINT_GROUP: Final = "shlo.passes"

Kind = Literal["text", "texts", "types", "number", "truth"]


class PipelineError(ShloError):
    """A list of passes that cannot be read."""


class PassOption(Struct, frozen=True):
    """An option of a pass: the name in a pipeline (`target`), the keyword argument of the function, what kind
    of value it takes and a line about it. An option that is not given is not passed.
    """

    name: str
    keyword: str
    kind: Kind
    summary: str


class Pass(Struct, frozen=True):
    """A transform that has a name.

    `replaces` are the prefixes of the operations that none should be left of; those that are are reported.
    """

    name: str
    summary: str
    apply: Callable[..., Module]
    options: tuple[PassOption, ...] = ()
    replaces: tuple[str, ...] = ()


class PassStep(Struct, frozen=True):
    """A pass with the options that it is to run with."""

    transform: Pass
    options: Mapping[str, Any]

    def __call__(self, module: Module) -> Module:
        """Returns the module, transformed; raises PassError."""
        return self.transform.apply(module, **self.options)


_FOLD_LIMIT: Final = PassOption(
    "fold-op-element-limit", "fold_limit", "number", "the most elements of a new constant (65536)"
)

_TARGET: Final = PassOption("target", "target", "text", "the version, such as 1.4.0")

PASSES: Final[tuple[Pass, ...]] = (
    Pass(
        "canonicalize",
        "constants once and first, no unused operations, the branch that a constant chooses",
        canonicalize,
    ),
    Pass(
        "chlo-legalize-to-stablehlo",
        "chlo's operations as operations of StableHLO",
        chlo_to_stablehlo,
        replaces=("chlo.",),
    ),
    Pass("cse", "one operation in place of equal ones without effects", eliminate_common_subexpressions),
    Pass("inline", "the bodies of functions in place of calls, in canonical form", inline),
    Pass(
        "interpreter-instrument-with-probe",
        "a probe behind each tensor, which writes it to a file",
        probe_values,
        options=(
            PassOption(
                "useDebugInfo", "use_debug_info", "truth", "whether names of locations name the files (false)"
            ),
        ),
    ),
    Pass(
        "shape-legalize-to-stablehlo",
        "the dialects shape and tensor, and arithmetic of indices, as operations of StableHLO",
        shape_to_stablehlo,
    ),
    Pass(
        "stablehlo-aggressive-folder",
        "constants in place of what constants decide",
        aggressive_fold,
        options=(
            _FOLD_LIMIT,
            PassOption(
                "assume-no-undeclared-side-effects",
                "assume_no_effects",
                "truth",
                "whether calls that declare no effect have none (false)",
            ),
        ),
    ),
    Pass(
        "stablehlo-aggressive-simplification",
        "simpler operations and fewer of them",
        simplify,
        options=(_FOLD_LIMIT,),
    ),
    Pass(
        "stablehlo-canonicalize-dynamism",
        "static operations in place of dynamic ones whose sizes are constants",
        canonicalize_dynamism,
    ),
    Pass(
        "stablehlo-check-shape-assertions",
        "shape assertions judged and left out",
        check_shape_assertions,
        options=(
            PassOption(
                "enable-shape-assertions",
                "enable_errors",
                "truth",
                "whether an assertion that does not hold is an error (true)",
            ),
        ),
    ),
    Pass(
        "stablehlo-compatibility-expander",
        "operations that a version of StableHLO lacks, as operations that it has",
        expand_for_version,
        options=(_TARGET,),
    ),
    Pass(
        "stablehlo-complex-math-expander",
        "functions of complex numbers as functions of their parts",
        expand_complex_math,
    ),
    Pass("stablehlo-convert-to-signless", "types of integers without signs", convert_to_signless),
    Pass(
        "stablehlo-legalize-composite-to-call",
        "composites as calls of their decompositions",
        composite_to_call,
        options=(PassOption("except", "keep", "texts", "composites that stay, separated by commas"),),
    ),
    Pass(
        "stablehlo-legalize-deprecated-ops",
        "the operations that stay in place of deprecated ones",
        replace_deprecated,
        options=(
            PassOption("fail-on-unused", "fail_on_unused", "truth", "whether map and rng are errors (true)"),
        ),
    ),
    Pass(
        "stablehlo-legalize-qdq-to-quantized-op",
        "quantized operations in place of those between uniform_dequantize and uniform_quantize",
        qdq_to_quantized,
    ),
    Pass(
        "stablehlo-legalize-quant-to-math",
        "integer arithmetic in place of quantized operations",
        quantized_to_math,
    ),
    Pass(
        "stablehlo-legalize-quantized-op-to-qdq",
        "quantized operations as operations between uniform_dequantize and uniform_quantize",
        quantized_to_qdq,
    ),
    Pass(
        "stablehlo-legalize-to-vhlo",
        "operations of VHLO, the form of portable artifacts, in place of StableHLO's",
        stablehlo_to_vhlo,
        options=(
            PassOption(
                "allow-other-dialects",
                "allow_other_dialects",
                "truth",
                "whether operations of Shardy and CHLO stay (false)",
            ),
        ),
    ),
    Pass(
        "stablehlo-refine-arguments",
        "the main function's arguments of types that say more, each as its uses expect it",
        refine_arguments,
        options=(PassOption("types", "types", "types", "of all arguments, separated by commas"),),
    ),
    Pass(
        "stablehlo-refine-shapes",
        "the sizes that follow from the types of the main function's arguments",
        refine_shapes,
    ),
    Pass(
        "stablehlo-wrap-in-composite",
        "composites in place of operations, each with a function of its own",
        wrap_in_composite,
        options=(
            PassOption("op-names", "names", "texts", "full names of operations, separated by commas"),
            PassOption("version", "version", "number", "the version of the composites (0)"),
        ),
    ),
    Pass("strip-debuginfo", "unknown locations in place of all others", without_locations),
    Pass("symbol-dce", "no private functions and other symbols that nothing uses", remove_unused_symbols),
    Pass(
        "vhlo-legalize-to-stablehlo",
        "VHLO's operations as operations of StableHLO",
        vhlo_to_stablehlo,
        replaces=("vhlo.",),
    ),
    Pass(
        "vhlo-to-version",
        "VHLO's operations as a version of StableHLO has them",
        vhlo_to_version,
        options=(_TARGET,),
    ),
)


def all_passes() -> dict[str, Pass]:
    """Returns every pass by name, those of other packages included."""
    others = {name: points[-1].load() for name, points in entry_points_of(ENTRY_POINT_GROUP).items()}
    return {**others, **{transform.name: transform for transform in PASSES}}


def kept_operations(module: Module, transform: Pass) -> list[tuple[str | None, str]]:
    """Returns the operations in a module that a pass has not replaced though it should: their places and
    names.
    """
    if not transform.replaces:
        return []
    left_over: list[tuple[str | None, str]] = []
    for operation, span in module.walk():
        if operation.name.startswith(transform.replaces):
            left_over.append((place_in(module.source, span) or place_of(operation.location), operation.name))
    return left_over


def read_pipeline(text: str) -> list[PassStep]:
    """Returns the steps of `NAME,NAME{option=value option=value},...`; raises PipelineError."""
    passes = all_passes()
    return [_step(part.strip(), passes) for part in _split(text)]


def _split(text: str) -> list[str]:
    """Returns the parts of a text between commas that no brackets surround."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "{<") - (character in "}>")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _step(text: str, passes: Mapping[str, Pass]) -> PassStep:
    name, brace, rest = text.partition("{")
    if name not in passes:
        hint = did_you_mean(name, passes)
        raise PipelineError(f"expected the name of a pass, got {name!r}" + (f"; {hint}" if hint else ""))
    if brace and not rest.endswith("}"):
        raise PipelineError(f"expected '}}' after the options of {name}, got {rest!r}")
    options_by_name = {option.name: option for option in passes[name].options}
    options: dict[str, Any] = {}
    for word in rest.removesuffix("}").split():
        key, equals, value = word.partition("=")
        if key not in options_by_name:
            expected = ", ".join(options_by_name) or "none"
            raise PipelineError(f"expected an option of {name} ({expected}), got {key!r}")
        options[options_by_name[key].keyword] = _value(options_by_name[key], value if equals else "true")
    return PassStep(passes[name], options)


def _value(option: PassOption, text: str) -> Any:
    words = [word.strip("'\"") for word in _split(text.strip("'\""))]
    if option.kind == "texts":
        return tuple(words)
    if option.kind == "types":
        return tuple(map(_type, words))
    if option.kind == "text":
        return text.strip("'\"")
    truths = {"true": True, "false": False}
    if option.kind == "truth" and text in truths:
        return truths[text]
    if option.kind == "number" and text.lstrip("-").isdigit():
        return int(text)
    expected = {"number": "a number", "truth": "true or false"}[option.kind]
    raise PipelineError(f"expected {expected} for {option.name}, got {text!r}")


def _type(text: str) -> Type:
    try:
        return parse_type(text)
    except ParseError as error:
        raise PipelineError(f"expected a type, got {text!r}: {error.diagnostics[0].message}") from None
