"""The dialects that encode attributes and types in binary. All others are text."""

from __future__ import annotations

from shlo_bytecode.tables.builtin import BUILTIN
from shlo_bytecode.tables.fields import Encoding
from shlo_bytecode.tables.quant import QUANT
from shlo_bytecode.tables.sdy import SDY
from shlo_bytecode.tables.stablehlo import CHLO, STABLEHLO
from shlo_bytecode.tables.vhlo import VHLO

ENCODINGS: dict[str, Encoding] = {
    "builtin": BUILTIN,
    "quant": QUANT,
    "stablehlo": STABLEHLO,
    "chlo": CHLO,
    "vhlo": VHLO,
    "sdy": SDY,
}
