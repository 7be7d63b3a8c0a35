"""The dialects that encode attributes and types in binary. All others are text."""

from __future__ import annotations

from shlo_bytecode.builtin_encoding import BUILTIN
from shlo_bytecode.fields import Encoding
from shlo_bytecode.quant_encoding import QUANT
from shlo_bytecode.sdy_encoding import SDY
from shlo_bytecode.stablehlo_encoding import CHLO, STABLEHLO
from shlo_bytecode.vhlo_encoding import VHLO

ENCODINGS: dict[str, Encoding] = {
    "builtin": BUILTIN,
    "quant": QUANT,
    "stablehlo": STABLEHLO,
    "chlo": CHLO,
    "vhlo": VHLO,
    "sdy": SDY,
}
