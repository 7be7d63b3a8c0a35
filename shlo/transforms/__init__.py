"""Transforms of modules. Each leaves its argument as it is and shares what it does not change.

Importing this package loads nothing: each name below is fetched when it is first used.
"""

from typing import TYPE_CHECKING

from shlo.support.late_names import late_names

if TYPE_CHECKING:
    from shlo.transforms.aggressive_folding import aggressive_fold
    from shlo.transforms.canonical_dynamism import canonicalize_dynamism, check_shape_assertions
    from shlo.transforms.compatibility import expand_for_version
    from shlo.transforms.complex_math import expand_complex_math
    from shlo.transforms.composites import composite_to_call, wrap_in_composite
    from shlo.transforms.constant_folding import fold
    from shlo.transforms.deprecated_operations import replace_deprecated
    from shlo.transforms.from_chlo import chlo_to_stablehlo
    from shlo.transforms.from_shape import shape_to_stablehlo
    from shlo.transforms.from_vhlo import vhlo_to_stablehlo
    from shlo.transforms.probes import probe_values
    from shlo.transforms.quantization.operations import qdq_to_quantized, quantized_to_qdq
    from shlo.transforms.quantization.to_math import quantized_to_math
    from shlo.transforms.refinement.passes import refine_arguments, refine_shapes
    from shlo.transforms.refinement.refine import refine
    from shlo.transforms.relocation import without_locations
    from shlo.transforms.signless import convert_to_signless
    from shlo.transforms.simplification import simplify
    from shlo.transforms.to_vhlo import stablehlo_to_vhlo, vhlo_to_version
    from shlo.transforms.upstream.canonicalization import canonicalize
    from shlo.transforms.upstream.cse import eliminate_common_subexpressions
    from shlo.transforms.upstream.inlining import inline
    from shlo.transforms.upstream.symbol_dce import remove_unused_symbols

_HOMES = {
    "aggressive_fold": "aggressive_folding",
    "canonicalize": "upstream.canonicalization",
    "canonicalize_dynamism": "canonical_dynamism",
    "check_shape_assertions": "canonical_dynamism",
    "chlo_to_stablehlo": "from_chlo",
    "composite_to_call": "composites",
    "convert_to_signless": "signless",
    "eliminate_common_subexpressions": "upstream.cse",
    "expand_complex_math": "complex_math",
    "expand_for_version": "compatibility",
    "fold": "constant_folding",
    "inline": "upstream.inlining",
    "probe_values": "probes",
    "qdq_to_quantized": "quantization.operations",
    "quantized_to_math": "quantization.to_math",
    "quantized_to_qdq": "quantization.operations",
    "refine": "refinement.refine",
    "refine_arguments": "refinement.passes",
    "refine_shapes": "refinement.passes",
    "remove_unused_symbols": "upstream.symbol_dce",
    "replace_deprecated": "deprecated_operations",
    "shape_to_stablehlo": "from_shape",
    "simplify": "simplification",
    "stablehlo_to_vhlo": "to_vhlo",
    "vhlo_to_stablehlo": "from_vhlo",
    "vhlo_to_version": "to_vhlo",
    "without_locations": "relocation",
    "wrap_in_composite": "composites",
}

__all__ = [
    "aggressive_fold",
    "canonicalize",
    "canonicalize_dynamism",
    "check_shape_assertions",
    "chlo_to_stablehlo",
    "composite_to_call",
    "convert_to_signless",
    "eliminate_common_subexpressions",
    "expand_complex_math",
    "expand_for_version",
    "fold",
    "inline",
    "probe_values",
    "qdq_to_quantized",
    "quantized_to_math",
    "quantized_to_qdq",
    "refine",
    "refine_arguments",
    "refine_shapes",
    "remove_unused_symbols",
    "replace_deprecated",
    "shape_to_stablehlo",
    "simplify",
    "stablehlo_to_vhlo",
    "vhlo_to_stablehlo",
    "vhlo_to_version",
    "without_locations",
    "wrap_in_composite",
]


__getattr__ = late_names(__name__, _HOMES)
