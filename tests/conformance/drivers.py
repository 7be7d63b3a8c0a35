"""Drivers for programs that do not judge themselves: given arguments, or judged by what is printed.

What the RUN lines ask for is done with our own means: arguments are read as `shlo run` reads them, and the
tensors that a text is expected to show are compared with the results bit by bit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from shlo.interpreter import run
from shlo.ir.attributes import ArrayAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.diagnostics import ParseError
from shlo.ir.operations import Function, Module
from shlo.ir.types import RankedTensorType
from shlo.runner.arguments.call import ArgumentTexts, load_arguments
from shlo.runner.errors import RequestError
from shlo.runner.files import read_program, split_program
from shlo.runner.test_programs import TestOutcome, Verdict, run_file
from shlo.syntax import parse, parse_attribute

Driver = Callable[[str], list[TestOutcome]]

ARGUMENTS = re.compile(r'^// RUN: (not )?.*--args="([^"]*)"', re.MULTILINE)
DENSE = re.compile(r"^\s*// CHECK-DENSE(?:\{LITERAL\})?:\s*(dense<.*)$", re.MULTILINE)
SHOWN_LINE = re.compile(r"^\s*// CHECK(?:-NEXT)?(?:\{LITERAL\})?:(.*)$", re.MULTILINE)
SHOWN = re.compile(r"(tensor<[^{]*>) \{([^}]*)\}")


def driver_for(text: str) -> Driver | None:
    """Returns the driver of a file with such RUN lines, None where its programs judge themselves."""
    if "--args=" in text:
        return with_arguments
    return printed if "--interpreter-print-dense" in text else None


def with_arguments(path: str) -> list[TestOutcome]:
    """Runs a function for every RUN line that gives it arguments; `not` asks for a refusal of them."""
    source = read_program(path)
    module, _ = parse(source)
    function = module.functions["main"]
    outcomes: list[TestOutcome] = []
    for number, match in enumerate(ARGUMENTS.finditer(source.text)):
        name = f"{path}::{function.name} with arguments {number}"
        try:
            arguments = load_arguments(function, ArgumentTexts(_texts(match[2])))
        except RequestError as error:
            outcomes.append(_outcome(name, "passed" if match[1] else "error", str(error)))
        else:
            found = list(_differences(expected(source.text), run(module, *arguments), function))
            wrong = ["it should be refused"] if match[1] else found
            outcomes.append(_outcome(name, "failed" if wrong else "passed", "; ".join(wrong)))
    return outcomes


def printed(path: str) -> list[TestOutcome]:
    """Functions whose results are printed; programs that print while they run are run as tests."""
    outcomes = {outcome.name: outcome for outcome in run_file(path)}
    for number, part in enumerate(split_program(read_program(path))):
        module, _ = parse(part)
        wanted = [parse_attribute(text) for text in DENSE.findall(part.text)]
        for function in module.functions.values() if wanted else ():
            name = f"{path}#{number}::{function.name}"
            outcomes[name] = _compared(name, module, function, wanted)
    return list(outcomes.values())


def expected(text: str) -> list[Any]:
    """Returns the tensors that CHECK lines expect to see, as attributes."""
    lines = "\n".join(SHOWN_LINE.findall(text))
    return [parse_attribute(f"dense<{body.strip()}> : {type_}") for type_, body in SHOWN.findall(lines)]


def _compared(name: str, module: Module, function: Function, wanted: Sequence[Any]) -> TestOutcome:
    wrong = list(_differences(wanted, run(module, entry=function.name), function))
    return _outcome(name, "failed" if wrong else "passed", "; ".join(wrong))


def _texts(arguments: str) -> list[str]:
    """Returns the elements of an array attribute as texts; a text that is none stands for itself."""
    try:
        attribute = parse_attribute(arguments)
    except ParseError:
        return [arguments]
    return [str(element) for element in attribute.values] if isinstance(attribute, ArrayAttr) else [arguments]


def _differences(wanted: Sequence[Any], results: Sequence[Any], function: Function) -> Iterator[str]:
    if len(wanted) != len(results):
        yield f"{len(wanted)} tensors are expected, but there are {len(results)}"
    for index, (attribute, result, type_) in enumerate(zip(wanted, results, function.type.results)):
        assert isinstance(attribute, DenseElementsAttr)
        assert isinstance(type_, RankedTensorType)
        if attribute != DenseElementsAttr(type_, result):
            yield f"result {index} is not {attribute}"


def _outcome(name: str, verdict: Verdict, message: str) -> TestOutcome:
    return TestOutcome(name, verdict, 0.0, message)
