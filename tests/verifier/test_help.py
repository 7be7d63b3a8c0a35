"""What a finding advises: with the program's names, and only what makes the operation valid where it says so."""

from __future__ import annotations

import pytest

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Source
from shlo.runner.validity import findings_of

pytestmark = pytest.mark.slow

SHELL = """\
func.func @f(%alpha: tensor<4x3xf32>, %beta: tensor<3xi32>, %flag: tensor<1xi1>) {{
  {line}
  return
}}
sdy.mesh @devices = <["x"=2]>
"""


def found(line: str) -> list[Diagnostic]:
    """Returns what is wrong with a function of one line."""
    return findings_of(Source(SHELL.format(line=line)))[1]


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        (
            '%0 = "stablehlo.add"(%alpha, %beta) : (tensor<4x3xf32>, tensor<3xi32>) -> tensor<4x3xf32>',
            "use stablehlo.convert %beta : (tensor<3xi32>) -> tensor<3xf32>, and stablehlo.broadcast_in_dim of it,"
            " dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>, in place of %beta",
        ),
        (
            "%0 = stablehlo.sqrt %beta : tensor<3xi32>",
            "make the type of %beta tensor<3xf32>",
        ),
        (
            "%0 = stablehlo.concatenate %alpha, %alpha, dim = 2"
            " : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>",
            "set dimension to 1",
        ),
        (
            "%0 = stablehlo.slice %alpha [0:4, 0:5] : (tensor<4x3xf32>) -> tensor<4x5xf32>",
            "set limit_indices to [4, 3], which gives tensor<4x3xf32>",
        ),
        (
            '%0 = "stablehlo.transpose"(%alpha) <{permutation = array<i64: 0, 2>}>'
            " : (tensor<4x3xf32>) -> tensor<3x4xf32>",
            "set permutation to [0, 1], which gives tensor<4x3xf32>",
        ),
        ('%0 = "stablehlo.iota"() : () -> tensor<4xf32>', "add iota_dimension = 0, for instance"),
        (
            '%0 = "stablehlo.iota"() {iota_dimenson = 0 : i64} : () -> tensor<4xf32>',
            "rename 'iota_dimenson' to 'iota_dimension'",
        ),
        (
            '%0 = "stablehlo.iota"() <{iota_dimension = "x"}> : () -> tensor<4xf32>',
            "write iota_dimension = 0, for instance",
        ),
        ('%0 = "stablehlo.abs"() : () -> tensor<4xf32>', "the operands are: operand"),
        ('"stablehlo.if"(%flag) : (tensor<1xi1>) -> ()', "the regions are: true_branch, false_branch"),
        ("%0 = stablehlo.add %alhpa, %alpha : tensor<4x3xf32>", "did you mean %alpha?"),
        ("%0 = stablehlo.subtrakt %alpha, %alpha : tensor<4x3xf32>", "did you mean stablehlo.subtract?"),
        ("%0 = add %alpha, %alpha : tensor<4x3xf32>", "did you mean stablehlo.add?"),
        ("call @g(%beta) : (tensor<3xi32>) -> ()", "define it, or declare it: func.func private @g"),
        (
            '%0 = stablehlo.abs %alpha {sdy.sharding = #sdy.sharding_per_value<[<@device, [{}, {"x"}]>]>}'
            " : tensor<4x3xf32>",
            "did you mean @devices?",
        ),
        (
            '%0 = stablehlo.abs %alpha {sdy.sharding = #sdy.sharding_per_value<[<@devices, [{}]>]>}'
            " : tensor<4x3xf32>",
            "write [{}, {}]",
        ),
        (
            '"stablehlo.if"(%beta) ({ stablehlo.return }, { "stablehlo.add"() : () -> () })'
            " : (tensor<3xi32>) -> ()",
            "put stablehlo.return at its end",
        ),
    ],
)  # fmt: skip
def test_first_finding_says_what_to_do(line: str, advice: str) -> None:
    first = found(line)[0]
    assert advice in (first.help, first.fix and first.fix.title), (first.message, first.help)


def test_ways_are_searched_for_some_hundred_operations_at_most() -> None:
    count = 1_000
    lines = "\n".join(
        f"%{size} = stablehlo.constant dense<0.0> : tensor<{size}x2xf32>\n"
        f"%r{size} = stablehlo.transpose %{size}, dims = [0, 0] : (tensor<{size}x2xf32>) -> tensor<{size}x2xf32>"
        for size in range(1, count + 1)
    )
    advice = [each.fix.title if each.fix else each.help for each in found(lines)]
    assert len(advice) == count
    assert advice[0] == "set permutation to [0, 1]"
    assert advice[-1] == "make permutation a permutation of [0, 1], such as [0, 1]"


def test_a_region_without_its_terminator_gives_nothing_to_point_at() -> None:
    source = Source(
        "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { %0 = stablehlo.abs %x : tensor<2xf32> }"
    )
    (missing,) = findings_of(source)[1]
    assert (missing.code, [*missing.related]) == ("missing-terminator", [])
