"""Round trips of a program: text, bytecode, portable artifact, formatter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import shlo_bytecode
from shlo.dialects.vhlo.versions import ROWS
from shlo.ir.diagnostics import ShloError
from shlo.ir.operations import Module
from shlo.syntax import format_text, parse

_IN_ARTIFACTS: Final = frozenset(row.stablehlo_name for row in ROWS) | {"stablehlo.return"}
"""Operations that artifacts hold: those that VHLO has versions of."""


def _text(module: Module) -> Module:
    return _parsed(module.to_text())


def _bytecode(module: Module) -> Module:
    return shlo_bytecode.read(shlo_bytecode.write(module))


def _artifact(module: Module) -> Module:
    if not all(operation.name in _IN_ARTIFACTS for operation, _ in module.walk()):
        return module
    return shlo_bytecode.read(shlo_bytecode.write_artifact(module))


def _formatted(module: Module) -> Module:
    """Returns what the formatter makes of the generic text, read again."""
    once = format_text(module.to_text(generic=True))
    if format_text(once) != once:
        raise ShloError("the formatter changes what it has formatted")
    return _parsed(once)


def _parsed(text: str) -> Module:
    module, diagnostics = parse(text)
    wrong = next((diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"), None)
    if wrong is not None:
        raise ShloError(wrong.message)
    return module


ARTIFACT: Final = "portable artifact"

ROUND_TRIPS: Final[dict[str, Callable[[Module], Module]]] = {
    "text": _text,
    "bytecode": _bytecode,
    ARTIFACT: _artifact,
    "formatter": _formatted,
}
"""What is made of a program, and must be the same program again."""


def round_trip_problem(module: Module, name: str) -> str:
    """Returns what is wrong with a round trip, empty where nothing is."""
    try:
        if name == ARTIFACT:
            module = _artifact(module)  # without attributes that say what their absence means
        text = module.to_text()
        again = ROUND_TRIPS[name](module).to_text()
    except Exception as error:  # whatever it is, it is a finding
        return f"{type(error).__name__}: {error}"
    if again == text:
        return ""
    pairs = zip(text.splitlines(), again.splitlines())
    changed = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
    return f"{changed[0].strip()} becomes {changed[1].strip()}"
