"""Errors survive `pickle`, so that a pool of processes hands them on."""

from __future__ import annotations

import builtins
import pickle
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from shlo.api import parse
from shlo.dialects.vhlo.programs import VhloError
from shlo.engines.engine import EngineFailure
from shlo.engines.xla.runtime import XlaError
from shlo.interpreter.spmd.wait_for_graph import GridError, WaitForGraph
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.diagnostics import ExecutionError, ParseError
from shlo.ir.source import Span
from shlo.ir.suggestions import Expect
from shlo.jax_programs.flight_recorder import StepError
from shlo.syntax.lexer.cursor import CascadingFault, SyntaxFault
from shlo_bytecode.container.errors import BytecodeError, EncodingError, ItemError, Obstacle
from shlo_kernel.cells.errors import CellError

ROOT = Path(__file__).parents[2]
FOLDERS = ("shlo", "shlo_dap", "shlo_kernel", "shlo_lsp", "shlo_mcp", "shlo_tui", "bytecode/shlo_bytecode")
_CLASS = re.compile(r"^class (\w+)\(([^)]*)\):", re.MULTILINE)


def parse_error() -> ParseError:
    with pytest.raises(ParseError) as caught:
        parse("oops\nmore")
    return caught.value


def grid_error() -> GridError:
    error = ExecutionError("stuck", "stablehlo.all_reduce", "f.mlir:1:2")
    error.add_note("of the run")
    return GridError(error, 1, WaitForGraph(GridShape(1, 2), {}, frozenset((0,))))


MAKERS: dict[type[BaseException], Callable[[], BaseException]] = {
    ParseError: parse_error,
    GridError: grid_error,
    VhloError: lambda: VhloError("vhlo.add_v1", "why", "f.mlir:1:2", Span(1, 2)),
    BytecodeError: lambda: BytecodeError("bad", 7, "f.mlirbc"),
    EncodingError: lambda: EncodingError([Obstacle("op", "why", "1.2.0", "f.mlir:1:2")] * 2),
    ItemError: lambda: ItemError("item", "1.2.0"),
    XlaError: lambda: XlaError(ValueError("first line\nsecond\nthird")),
    EngineFailure: lambda: EngineFailure("crashed", "SIGSEGV"),
    SyntaxFault: lambda: SyntaxFault("expected a type", Span(1, 2), suggestions=(Expect(is_type=True),)),
    CascadingFault: lambda: CascadingFault("expected a type", Span(1, 2)),
    CellError: lambda: CellError("ParseError", "one line", "several\nlines"),
    StepError: lambda: StepError("step 3 is wrong", 3, "step3.shlo"),
}
"""How to make errors whose constructors take more than a message."""


def exception_classes() -> Iterator[type[BaseException]]:
    """Yields every exception class that the packages define."""
    written = [
        (path, match[1], {base.strip().rpartition(".")[2] for base in match[2].split(",")})
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        for match in _CLASS.finditer(path.read_text(encoding="utf-8"))
    ]
    names = {
        name
        for name, value in vars(builtins).items()
        if isinstance(value, type) and issubclass(value, BaseException)
    }
    before = 0
    while before != len(names):
        before = len(names)
        names |= {name for _, name, bases in written if bases & names}
    for path, name, bases in written:
        if bases & names:
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix("bytecode.")
            yield getattr(import_module(module), name)


CLASSES = list(exception_classes())


def test_the_classes_of_errors_are_found() -> None:
    assert set(MAKERS) < set(CLASSES)
    assert len(CLASSES) > 40


@pytest.mark.parametrize("class_", CLASSES, ids=lambda class_: class_.__qualname__)
def test_an_error_comes_out_of_a_pickle_as_it_went_in(class_: Any) -> None:
    error = MAKERS[class_]() if class_ in MAKERS else class_("message")
    error.add_note("a note")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is class_
    assert (str(copy), copy.args) == (str(error), error.args)
    assert {name: str(value) for name, value in vars(copy).items()} == {
        name: str(value) for name, value in vars(error).items()
    }
