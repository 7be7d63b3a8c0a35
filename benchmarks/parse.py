"""How long parsing and printing large programs takes, beside jaxlib's C++.

    python benchmarks/parse.py [--quick] [--rounds N]

Every measurement is the first of its kind in a process of its own, so that no cache is warm. Before the clock
starts, files are read and a program of one op has gone through, which imports what is imported late. jaxlib's
parser and printer verify, too. "forced" is our parse with every constant decoded, which a parse
leaves until somebody looks.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure

measure.use_repository()

PARSE_GOAL, PRINT_GOAL = 4, 5
HEADER = (
    "form",
    "MB",
    "jaxlib parse",
    "shlo parse",
    "ratio",
    "forced",
    "ratio",
    "jaxlib print",
    "shlo print",
    "ratio",
)

# form -> how a JAX program, jaxlib's module and our module are asked for it
FORMS: dict[str, tuple[dict[str, bool], dict[str, bool], dict[str, bool]]] = {
    "pretty": ({}, {}, {}),
    "generic": ({"generic": True}, {"print_generic_op_form": True}, {"generic": True}),
    "debug info": ({"debug_info": True}, {"enable_debug_info": True}, {"locations": True}),
}

# --- in the measured process -------------------------------------------------------------------------------


WARM_UP = """func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  return %0 : tensor<f32>
}"""


def _shlo() -> Any:
    import shlo

    shlo.parse(WARM_UP).to_text()
    return shlo


def shlo_parse(text: str, form: str) -> float:
    """Seconds to parse."""
    shlo = _shlo()
    return measure.once(lambda: shlo.parse(text))[0]


def shlo_forced(text: str, form: str) -> float:
    """Seconds to parse and decode every constant."""
    shlo = _shlo()
    return measure.once(lambda: _decode_all(shlo.parse(text)))[0]


def _decode_all(module: Any) -> None:
    seen: set[int] = set()
    for operation, _ in module.walk():
        if id(operation.signature) not in seen:
            seen.add(id(operation.signature))
            for attributes in (operation.signature.properties, operation.signature.attributes):
                for attribute in attributes.values():
                    getattr(attribute, "array", None)


def shlo_print(text: str, form: str) -> float:
    """Seconds to print a module that has just been parsed."""
    module = _shlo().parse(text)
    return measure.once(lambda: module.to_text(**FORMS[form][2]))[0]


def _jaxlib_module(text: str) -> Any:
    from jaxlib.mlir import ir

    from tests.oracle_worker import context

    return ir.Module.parse(text, context(False))


def jaxlib_parse(text: str, form: str) -> float:
    """Seconds to parse and verify."""
    _jaxlib_module(WARM_UP)
    return measure.once(lambda: _jaxlib_module(text))[0]


def jaxlib_print(text: str, form: str) -> float:
    """Seconds to verify and print."""
    str(_jaxlib_module(WARM_UP))
    module = _jaxlib_module(text)
    return measure.once(lambda: module.operation.get_asm(**FORMS[form][1]))[0]


MEASURES: dict[str, Callable[..., float]] = {
    f.__name__: measure.of_file(f) for f in (jaxlib_parse, shlo_parse, shlo_forced, jaxlib_print, shlo_print)
}

# --- in the process that reports ---------------------------------------------------------------------------


def main() -> None:
    """Lowers the programs, measures each form, and prints a table when a program is done."""
    rounds, is_quick = measure.rounds_or_child(__doc__, "the smallest program only, three rounds", MEASURES)
    from tests.jax_programs import GIANTS

    for program in GIANTS[:1] if is_quick else GIANTS:
        with tempfile.TemporaryDirectory() as folder:
            report(program, Path(folder), rounds)


def report(program: Any, folder: Path, rounds: int) -> None:
    """One program's table: a row for each form."""
    rows: list[list[str]] = []
    for form, (asked, _, _) in FORMS.items():
        file = folder / "program.mlir"
        file.write_text(program.text(**asked), encoding="utf-8")
        rows.append(_row(form, file, rounds))
    lines = program.text().count("\n")
    print(f"{program.name}: {lines:,} lines; medians of {rounds} fresh processes, milliseconds")
    measure.table(HEADER, rows)


def _row(form: str, file: Path, rounds: int) -> list[str]:
    t = measure.processes(rounds, __file__, MEASURES, str(file), form)
    ms = {name: measure.milliseconds(seconds) for name, seconds in t.items()}
    parse = measure.ratio(t["shlo_parse"], t["jaxlib_parse"], PARSE_GOAL)
    forced = measure.ratio(t["shlo_forced"], t["jaxlib_parse"])
    printed = measure.ratio(t["shlo_print"], t["jaxlib_print"], PRINT_GOAL)
    parsing = [ms["jaxlib_parse"], ms["shlo_parse"], parse, ms["shlo_forced"], forced]
    return [form, f"{file.stat().st_size / 1e6:.2f}", *parsing, ms["jaxlib_print"], ms["shlo_print"], printed]


if __name__ == "__main__":
    main()
