"""`shlo fmt`: order in the blanks, and nothing lost."""

from __future__ import annotations

import pytest

from shlo.ir.diagnostics import ParseError
from shlo.syntax import format_text, module_text, parse
from tests.jax_programs import SMALL, Program, program_id

pytestmark = pytest.mark.slow

UNTIDY = """// A program.


// -----
!t  =  tensor<4xf32>
#map = affine_map<(d0)->(d0)>
module   @m{
// Doubles.
  func.func  @main( %x :tensor<4xf32>,%y:tensor<f32> )->tensor<4xf32>  {


      %two = stablehlo.constant   dense<2.0>:tensor<f32>   // not one
   %0   = stablehlo.broadcast_in_dim %two,dims=[]:(tensor<f32>)->tensor<4xf32>  loc("here")

   // Twice.
 %sum , %more:2 = "test.op"( %x,%0 )({
    ^bb0(%a :tensor<f32>):   // of the region
       // Nothing else.
      "test.end"(%a):(tensor<f32>)->()
 // Behind it.
 }){b=[ 1,2 ], a}:(tensor<4xf32>,tensor<4xf32>)->(tensor<4xf32>,i32,i32)
      %1 = "stablehlo.add"(%x, %sum) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %2 = stablehlo.add  %1,%1 :  !t
      %3 = stablehlo.add %2, // first
             %2 // second
          : tensor<4xf32>
      return %3 : tensor<4xf32>
  }


  func.func private @f()
  } // end
// The end.
"""

TIDY = """// A program.

// -----
!t  =  tensor<4xf32>
#map = affine_map<(d0)->(d0)>
module @m {
  // Doubles.
  func.func @main(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<4xf32> {
    %two = stablehlo.constant dense<2.000000e+00> : tensor<f32> // not one
    %0 = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> tensor<4xf32> loc("here")

    // Twice.
    %sum, %more:2 = "test.op"(%x, %0) ({
    ^bb0(%a: tensor<f32>): // of the region
      // Nothing else.
      "test.end"(%a) : (tensor<f32>) -> ()
      // Behind it.
    }) {b = [1, 2], a} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, i32, i32)
    %1 = stablehlo.add %x, %sum : tensor<4xf32>
    %2 = stablehlo.add %1, %1 : !t
    %3 = stablehlo.add %2, // first
           %2 // second
        : tensor<4xf32>
    return %3 : tensor<4xf32>
  }

  func.func private @f()
} // end
// The end.
"""


def test_names_comments_and_aliases_stay() -> None:
    assert format_text(UNTIDY) == TIDY
    assert format_text(TIDY) == TIDY


@pytest.mark.parametrize("program", SMALL, ids=program_id)
def test_a_tidy_program_stays_as_it_is(program: Program) -> None:
    text = program.text(debug_info=True)
    assert format_text(text) == text


@pytest.mark.parametrize("program", SMALL[::9], ids=program_id)
def test_blanks_mean_nothing(program: Program) -> None:
    text = program.text()
    untidy = (
        text.replace("\n  ", "\n\n ").replace(" = ", "\n = ").replace(" {\n", "{ \n").replace(", %", " ,%")
    )
    assert untidy != text
    module, diagnostics = parse(format_text(untidy))
    assert not diagnostics
    assert module_text(module) == text


def test_an_operation_in_the_generic_form_keeps_its_regions() -> None:
    text = """func.func @f(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.if"(%p) ({
    // Yes.
    stablehlo.return %x : tensor<f32>
  }, {
    %n = stablehlo.negate %x : tensor<f32>

    stablehlo.return %n : tensor<f32> // No.
  }) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}
"""
    assert format_text(text.replace("  ", "    ")) == text


def test_a_module_in_the_generic_form() -> None:
    text = """// First.
"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    "func.return"() : () -> () // done
  }) : () -> ()
}) : () -> () // last
"""
    tidy = format_text(text)
    assert format_text(tidy) == tidy
    assert tidy.startswith("// First.\n")
    assert "return // done\n" in tidy
    assert tidy.endswith(" // last\n")


def test_a_program_without_operations_stays() -> None:
    assert format_text("\n// Nothing.\n\n") == "// Nothing.\n"
    assert format_text("module {\n  // Nothing.\n}\n") == "module {\n  // Nothing.\n}\n"


def test_several_modules_in_one_text() -> None:
    text = "module @a {\n}\n\n// -----\n\nmodule @b {\n  func.func private @f()\n}\n"
    assert format_text(text.replace("  func", "func")) == text


def test_line_ends_of_windows_stay() -> None:
    text = TIDY.replace("\n", "\r\n")
    assert format_text(text) == text
    assert format_text(UNTIDY.replace("\n", "\r\n")) == text


def test_a_program_with_errors_is_left_alone() -> None:
    with pytest.raises(ParseError):
        format_text("func.func @f() { %0 = stablehlo.add %1 : tensor<f32> }")
