"""A program that breaks a constraint: running it says what verifying it says, in the same words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import shlo
from shlo.interpreter.kernel_api import Value
from shlo.ir.dtypes import dtype_of
from shlo.ir.operations import Module
from shlo.ir.source import Source
from shlo.ir.types import RankedTensorType, TokenType, TupleType, Type
from shlo.runner.validity import findings_of
from shlo.syntax import parse
from tests.verifier.labels import PROGRAMS
from tests.verifier.test_programs import expected_of

pytestmark = pytest.mark.slow

ABOUT_MODULES = {"composite", "functions", "shardings", "structure", "types"}
"""Programs in which what is wrong is not the operation alone: functions, symbols, blocks, types
themselves."""


def value_of(type_: Type) -> Value:
    """Returns an argument of a type: zeros, of size 2 where a size is unknown."""
    if isinstance(type_, TokenType):
        return None
    if isinstance(type_, TupleType):
        return tuple(map(value_of, type_.types))
    assert isinstance(type_, RankedTensorType), type_
    return np.zeros([2 if size is None else size for size in type_.shape], dtype_of(type_.element_type))


def message_of_run(module: Module) -> str:
    """Returns what running a module's function, unverified, ends with."""
    function = next(iter(module.functions.values()))
    with pytest.raises(shlo.ExecutionError) as error:
        shlo.run(module, *map(value_of, function.type.inputs), entry=function.name)
    return error.value.message


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(PROGRAMS.glob("*.mlir")) if path.stem not in ABOUT_MODULES],
    ids=lambda path: path.stem,
)
def test_running_and_verifying_say_the_same(path: Path) -> None:
    for text, code, _ in expected_of(path):
        findings = findings_of(Source(text))[1]
        first = next((finding for finding in findings if finding.severity == "error"), None)
        if first is not None and first.code == code and "tensor<2xi7>" not in text:  # no array holds i7
            message = message_of_run(parse(Source(text))[0])
            assert message.endswith(f": {first.message} [{code}]"), (code, message)
