"""What definitions of several families share: kinds of operands in the specification's words, attributes,
formats.

Specification: "Types", "Ops". "quantized" alone means per-tensor quantized.
"""

from __future__ import annotations

from shlo.dialects.opdef import AttributeDef, defaulted, may, traits

ANY = "tensor"
ANY_OR_QUANTIZED = "tensor or quantized tensor"
ANY_OR_PER_AXIS = "tensor, quantized tensor or per-axis quantized tensor"
BOOLEAN = "tensor of boolean type"
INTEGER = "tensor of integer type"
INTEGER_SCALAR = "0-dimensional tensor of integer type"
INTEGER_VECTOR = "static 1-dimensional tensor of index or integer type"
LOGICAL = "tensor of boolean or integer type"
FLOAT = "tensor of floating-point type"
FLOAT_32_OR_64 = "tensor of type f32 or type f64"
FLOAT_OR_COMPLEX = "tensor of floating-point or complex type"
FLOAT_OR_QUANTIZED = "tensor of floating-point type or quantized tensor"
INEXACT = "tensor of floating-point or complex type or quantized tensor"
NUMERIC = "tensor of integer, floating-point or complex type or quantized tensor"
SIGNED_NUMERIC = "tensor of signed integer, floating-point or complex type or quantized tensor"
VALUE = "tensor, quantized tensor or token"
BRANCH_VALUE = "tensor, quantized tensor, per-axis quantized tensor or token"
VALUE_OR_BUFFER = "tensor, quantized tensor, per-axis quantized tensor, token or memref"
TOKEN = "token"

SAME = "operands attr-dict `:` type(same)"
FUNCTIONAL = "operands attr-dict `:` type(function)"

ELEMENTWISE = traits("elementwise")
COMMUTATIVE = traits("elementwise", "commutative")

RESULT_ACCURACY: AttributeDef = defaulted(
    "result_accuracy",
    "struct:result_accuracy",
    "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>",
)
CHANNEL_HANDLE: AttributeDef = may("channel_handle", "struct:channel_handle")
PRECISION_CONFIG: AttributeDef = may("precision_config", "array", "enum:precision")
