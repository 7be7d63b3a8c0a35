"""StableHLO's and chlo's attributes and types, one row each. Codes are StableHLO's."""

from __future__ import annotations

from functools import partial

from shlo.dialects import find_dialect
from shlo.dialects.struct_attributes import (
    AxisRef,
    ChannelHandle,
    ConvDimensionNumbers,
    DotAlgorithm,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    Mesh,
    MeshAxis,
    OutputOperandAlias,
    ReplicaGroupMeshAxes,
    ResultAccuracy,
    ScatterDimensionNumbers,
    SubAxisInfo,
    TypeExtensions,
)
from shlo.ir.attributes import ArrayAttr, Attribute, EnumAttr
from shlo.ir.types import FutureType, RankedTensorType, TokenType, Type
from shlo_bytecode.tables import fields
from shlo_bytecode.tables.fields import Encoding, ItemRow, double, record, signed, sizes, struct


def enum_row(mnemonic: str, first: int = 0, dialect: str = "stablehlo") -> ItemRow:
    """Returns an enumeration: the place of the word, counted from `first`."""
    definitions = find_dialect(dialect)
    assert definitions is not None
    word = fields.word("the word", definitions.enums[mnemonic].words, first)

    def take(attribute: EnumAttr) -> tuple[str] | None:
        is_mine = (attribute.dialect, attribute.enum) == (dialect, mnemonic)
        return (attribute.value,) if is_mine else None

    return ItemRow(f"{dialect}.{mnemonic}", (word,), partial(EnumAttr, dialect, mnemonic), EnumAttr, take)


def accuracy(atol: float, rtol: float, ulps: int, mode: EnumAttr) -> ResultAccuracy:
    """Builds a result accuracy; raises ValueError."""
    if mode.enum != "result_accuracy_mode":
        raise ValueError("its mode is another enumeration's word")
    return ResultAccuracy(atol, rtol, ulps, mode.value)  # type: ignore[arg-type]


def accuracy_parts(value: ResultAccuracy) -> tuple[float, float, int, EnumAttr]:
    """Returns atol, rtol, ulps and mode."""
    return value.atol, value.rtol, value.ulps, EnumAttr("stablehlo", "result_accuracy_mode", value.mode)


def mesh(axes: ArrayAttr, device_ids: Attribute | None = None) -> Mesh:
    """Builds a mesh; raises ValueError if its axes are not all axes."""
    checked = [axis for axis in axes if isinstance(axis, MeshAxis)]
    if len(checked) != len(axes):
        raise ValueError("one of its axes is none")
    return Mesh(tuple(checked), device_ids)


def mesh_parts(value: Mesh) -> tuple[ArrayAttr, Attribute | None]:
    """Returns axes and device ids."""
    return ArrayAttr(value.axes), value.device_ids


def future(types: tuple[Type, ...]) -> FutureType:
    """Builds a future of tensors; raises ValueError."""
    if not types or not all(isinstance(type_, RankedTensorType) for type_ in types):
        raise ValueError("a future is of tensors")
    return FutureType(types)


ACCURACY = (*(double("atol"), double("rtol"), signed("ulps")), fields.attribute("the mode", EnumAttr))

ATTRIBUTES = {
    1: record(ChannelHandle),
    2: enum_row("comparison_direction"),
    3: enum_row("comparison_type"),
    4: record(ConvDimensionNumbers),
    5: record(DotDimensionNumbers),
    6: enum_row("fft_type"),
    7: record(GatherDimensionNumbers),
    8: enum_row("precision"),
    9: enum_row("rng_algorithm"),
    10: enum_row("rng_distribution", 1),
    11: record(ScatterDimensionNumbers),
    12: enum_row("transpose"),
    13: struct(TypeExtensions, sizes("bounds")),
    14: record(OutputOperandAlias),
    15: record(DotAlgorithm),
    16: enum_row("result_accuracy_mode"),
    17: ItemRow("ResultAccuracy", ACCURACY, accuracy, ResultAccuracy, accuracy_parts),
    18: struct(
        ReplicaGroupMeshAxes, fields.attribute("mesh"), fields.items(fields.attribute("axes", AxisRef))
    ),
    19: record(SubAxisInfo),
    20: struct(
        AxisRef,
        fields.string("name"),
        fields.presence(fields.attribute("sub_axis_info", SubAxisInfo), fields.flag),
    ),
    21: record(MeshAxis),
    22: ItemRow(
        "Mesh",
        (fields.attribute("axes", ArrayAttr), fields.presence(fields.attribute("device_ids"), fields.flag)),
        mesh,
        Mesh,
        mesh_parts,
    ),
}

FUTURE = ItemRow("FutureType", (fields.items(fields.type_("types")),), future, FutureType)

STABLEHLO = Encoding(ATTRIBUTES, {0: struct(TokenType), 1: FUTURE})

CHLO = Encoding(
    {0: enum_row("comparison_direction", dialect="chlo"), 1: enum_row("comparison_type", dialect="chlo")}, {}
)
