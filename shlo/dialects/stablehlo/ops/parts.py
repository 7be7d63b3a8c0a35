"""What definitions of several families share: kinds of operands in the specification's words, attributes,
formats.

Specification: "Types", "Ops". "quantized" alone means per-tensor quantized.
"""

from __future__ import annotations

from typing import Final

from shlo.dialects.attr_constraints import I64_ELEMENTS_ATTR, Tested, array_of, enum_of, struct_of
from shlo.dialects.opdef import AttributeDef, defaulted, may, traits
from shlo.dialects.stablehlo import enums, structs
from shlo.dialects.struct_attributes import ReplicaGroupMeshAxes
from shlo.dialects.type_constraints import (
    BOOLEAN_TYPE,
    COMPLEX_TYPE,
    F32_TYPE,
    F64_TYPE,
    FLOAT_TYPE,
    INDEX_TYPE,
    INTEGER_TYPE,
    MEMREF,
    SIGNED_INTEGER_TYPE,
    TOKEN,
    per_axis_tensor,
    quantized_tensor,
    tensor,
)
from shlo.ir.attributes import Attribute

ANY = tensor()
ANY_OR_QUANTIZED = ANY | quantized_tensor()
ANY_OR_PER_AXIS = ANY_OR_QUANTIZED | per_axis_tensor()
BOOLEAN = tensor(BOOLEAN_TYPE)
INTEGER = tensor(INTEGER_TYPE)
INTEGER_SCALAR = tensor(INTEGER_TYPE, rank=0)
INTEGER_VECTOR = tensor(INDEX_TYPE | INTEGER_TYPE, rank=1, extent="static")
LOGICAL = tensor(BOOLEAN_TYPE | INTEGER_TYPE)
FLOAT = tensor(FLOAT_TYPE)
FLOAT_32_OR_64 = tensor(F32_TYPE | F64_TYPE)
FLOAT_OR_COMPLEX = tensor(FLOAT_TYPE | COMPLEX_TYPE)
FLOAT_OR_QUANTIZED = FLOAT | quantized_tensor()
INEXACT = FLOAT_OR_COMPLEX | quantized_tensor()
NUMERIC = tensor(INTEGER_TYPE | FLOAT_TYPE | COMPLEX_TYPE) | quantized_tensor()
SIGNED_NUMERIC = tensor(SIGNED_INTEGER_TYPE | FLOAT_TYPE | COMPLEX_TYPE) | quantized_tensor()
VALUE = ANY_OR_QUANTIZED | TOKEN
BRANCH_VALUE = ANY_OR_PER_AXIS | TOKEN
VALUE_OR_BUFFER = BRANCH_VALUE | MEMREF

SAME = "operands attr-dict `:` type(same)"
FUNCTIONAL = "operands attr-dict `:` type(function)"

ELEMENTWISE = traits("elementwise")
TRANSCENDENTAL = traits("elementwise", "transcendental")
INTEGRAL = traits("elementwise", "integral")
COMMUTATIVE = traits("elementwise", "commutative")

RESULT_ACCURACY: AttributeDef = defaulted(
    "result_accuracy",
    struct_of(structs.RESULT_ACCURACY),
    "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>",
)
CHANNEL_HANDLE: AttributeDef = may("channel_handle", struct_of(structs.CHANNEL_HANDLE))
PRECISION_CONFIG: AttributeDef = may("precision_config", array_of(enum_of(enums.PRECISION)))


def _is_replica_groups(attribute: Attribute) -> bool:
    return I64_ELEMENTS_ATTR.matches(attribute) or isinstance(attribute, ReplicaGroupMeshAxes)


REPLICA_GROUPS: Final = Tested(
    "replica_groups",
    "64-bit integers (`dense<...> : tensor<...xi64>`) or the axes of a mesh",
    "dense<«[[0]]»> : «tensor<1x1xi64>»",
    test=_is_replica_groups,
)
