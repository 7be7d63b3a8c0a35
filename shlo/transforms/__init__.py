"""Transforms of modules. Each leaves its argument as it is and shares what it does not change."""

from shlo.transforms.aggressive_folding import aggressive_fold
from shlo.transforms.canonical_dynamism import canonicalize_dynamism, check_shape_assertions
from shlo.transforms.chlo_to_stablehlo import chlo_to_stablehlo
from shlo.transforms.compatibility import expand_for_version
from shlo.transforms.complex_math import expand_complex_math
from shlo.transforms.composites import composite_to_call, wrap_in_composite
from shlo.transforms.deprecated_operations import replace_deprecated
from shlo.transforms.fold import fold
from shlo.transforms.quantization.operations import qdq_to_quantized, quantized_to_qdq
from shlo.transforms.quantization.to_math import quantized_to_math
from shlo.transforms.refinement.refine import refine, refine_shapes
from shlo.transforms.shape_to_stablehlo import shape_to_stablehlo
from shlo.transforms.simplification import simplify
from shlo.transforms.vhlo_to_stablehlo import vhlo_to_stablehlo

__all__ = [
    "aggressive_fold",
    "canonicalize_dynamism",
    "check_shape_assertions",
    "chlo_to_stablehlo",
    "composite_to_call",
    "expand_complex_math",
    "expand_for_version",
    "fold",
    "qdq_to_quantized",
    "quantized_to_math",
    "quantized_to_qdq",
    "refine",
    "refine_shapes",
    "replace_deprecated",
    "shape_to_stablehlo",
    "simplify",
    "vhlo_to_stablehlo",
    "wrap_in_composite",
]
