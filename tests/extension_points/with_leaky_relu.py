"""An operation of another distribution does all that one of shlo's own does.

`test_dialects.py` runs this file beside the distribution that CONTRIBUTING.md shows.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import shlo
import shlo_bytecode
from shlo.cli import main
from shlo.debugger import Session
from shlo.interpreter.program.code import program_of
from shlo.ir.diagnostics import ParseError
from shlo.language import Document
from shlo.language.completion.items import complete
from shlo.language.hover.hover import hover
from shlo.transforms.constant_folding import fold

X, Q = "tensor<4xf32>", "tensor<4x!quant.uniform<i8:f32, 0.5>>"
INPUT = np.array([-2, -1, 0, 3], np.float32)
OUTPUT = [-1.0, -0.5, 0.0, 3.0]
PRETTY = f"%0 = stablehlo.leaky_relu %x, alpha = 5.000000e-01 : {X}"
GENERIC = f'%0 = "stablehlo.leaky_relu"(%x) <{{alpha = 5.000000e-01 : f64}}> : ({X}) -> {X}'


def function(*lines: str, type_: str = X) -> str:
    body = "\n".join(f"  {line}" for line in lines)
    return f"func.func @main(%x: {type_}) -> {type_} {{\n{body}\n  return %0 : {type_}\n}}\n"


def values(module: shlo.Module) -> Any:
    return shlo.run(module, INPUT)[0].tolist()


@pytest.mark.parametrize("operation", [PRETTY, GENERIC])
def test_it_is_parsed_and_printed_in_both_forms(operation: str) -> None:
    module = shlo.parse(function(operation))
    assert shlo.verify(module) == []
    assert PRETTY.replace("%x", "%arg0") in module.to_text()
    assert GENERIC.replace("%x", "%arg0") in module.to_text(generic=True)


def test_shlo_loads_it_only_for_programs_that_name_it() -> None:
    text = "import sys, shlo; shlo.verify(shlo.parse(sys.argv[1])); print('shlo_leaky' in sys.modules)"
    programs = [function(f"%0 = stablehlo.abs %x : {X}"), function(PRETTY)]
    outputs = [
        subprocess.run([sys.executable, "-c", text, program], capture_output=True, text=True, check=True)
        for program in programs
    ]
    assert [output.stdout.strip() for output in outputs] == ["False", "True"]


def test_what_breaks_its_constraint_has_a_fix() -> None:
    (finding,) = shlo.verify(shlo.parse(function(PRETTY.replace("5.0", "-5.0"))))
    assert "leaky_relu-C2" in str(finding)
    assert finding.help == "make alpha at least 0"


def test_it_runs() -> None:
    assert values(shlo.parse(function(PRETTY))) == OUTPUT


def test_it_runs_in_generated_code() -> None:
    module = shlo.parse(f"""
      func.func @main(%x: {X}) -> {X} {{
        %n = stablehlo.constant dense<500> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %w:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, {X}
          cond {{
            %p = stablehlo.compare GE, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %p : tensor<i1>
          }} do {{
            %j = stablehlo.subtract %i, %one : tensor<i32>
            %0 = stablehlo.leaky_relu %y, alpha = 1.0 : {X}
            stablehlo.return %j, %0 : tensor<i32>, {X}
          }}
        return %w#1 : {X}
      }}""")
    assert values(module) == INPUT.tolist()
    instructions = program_of(module).function("main").code.instructions
    assert any(instruction.compiled_loop is not None for instruction in instructions)


def test_it_is_folded() -> None:
    text = function("%c = stablehlo.constant dense<[-2., -1., 0., 3.]> : " + X, PRETTY.replace("%x", "%c"))
    folded = fold(shlo.parse(text)).to_text()
    assert "leaky_relu" not in folded
    assert "dense<[-1.000000e+00, -5.000000e-01, 0.000000e+00, 3.000000e+00]>" in folded


def test_the_debugger_steps_over_it_and_back() -> None:
    session = Session(shlo.parse(function(PRETTY)), [INPUT])
    session.step_over()
    assert session.inspector.value("%0").tolist() == OUTPUT
    assert session.back_over().position == 0


def test_an_editor_knows_it() -> None:
    document = Document(function(PRETTY))
    found = hover(document, document.text.index("leaky_relu"))
    assert found is not None
    assert "Multiplies negative elements by alpha" in found.text
    before = function(PRETTY).partition("leaky_relu")[0] + "leak"
    offers = complete(Document(before), len(before))
    assert [offer.label for offer in offers] == ["stablehlo.leaky_relu"]


def test_it_goes_through_bytecode() -> None:
    module = shlo.parse(function(PRETTY))
    assert shlo_bytecode.read(shlo_bytecode.write(module)).to_text() == module.to_text()
    with pytest.raises(shlo_bytecode.EncodingError, match="VHLO has no such operation"):
        shlo_bytecode.write_artifact(module)


def test_the_command_lists_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "leaky_relu"]) == 0
    assert "alpha" in capsys.readouterr().out


def test_it_computes_on_quantized_tensors_as_its_definition_says() -> None:
    module = shlo.parse(function(
        f"%q = stablehlo.uniform_quantize %x : ({X}) -> {Q}",
        f"%r = stablehlo.leaky_relu %q, alpha = 0.5 : {Q}",
        f"%0 = stablehlo.uniform_dequantize %r : ({Q}) -> {X}",
    ))  # fmt: skip
    assert values(module) == OUTPUT


def test_a_mistake_in_its_name_is_met_with_its_name() -> None:
    with pytest.raises(ParseError) as raised:
        shlo.parse(function(PRETTY.replace("leaky_relu", "leaky_rulu")))
    assert raised.value.diagnostics[0].help == "did you mean stablehlo.leaky_relu?"
