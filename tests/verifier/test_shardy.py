"""Shardy's rules: what the oracle refuses is reported at its operation, under the code of the rule."""

from __future__ import annotations

import pytest

from shlo.ir.source import Source
from shlo.runner.validity import findings_of
from tests.oracle import Oracle

SHELL = """\
sdy.mesh @m = <["x"=2, "y"=4, "z"=2]>
sdy.mesh @back = <["x"=2, "y"=4, "z"=2], device_ids=[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>
sdy.mesh @copy = <["x"=2, "y"=4, "z"=2]>
sdy.mesh @other = <["x"=2]>
sdy.mesh @one = <[], device_ids=[0]>
sdy.mesh @empty = <[]>
func.func private @g(tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @f(%a: tensor<8x8xf32>, %s: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>}, \
%u: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}], unreduced={"z"}>}, %t: !stablehlo.token, \
%d: tensor<?x8xf32>, %n: tensor<*xf32>, %p: tuple<tensor<8xf32>, tensor<8xf32>>, %v: tensor<7xf32>) {
LINE
  return
}
"""
AT = SHELL[: SHELL.index("LINE")].count("\n") + 1


def annotated(sharding: str, value: str = "%a", type_: str = "tensor<8x8xf32>") -> str:
    """Returns an operation whose result has a sharding."""
    return (
        f"%0 = stablehlo.custom_call @x({value}) {{sdy.sharding = #sdy.sharding_per_value<[{sharding}]>}}"
        f" : ({type_}) -> {type_}"
    )


def collective(name: str, axes: str, value: str, after: str) -> str:
    return f"%0 = sdy.{name} {axes} {value} out_sharding=<@m, {after}> : tensor<8x8xf32>"


def manual(before: str, axes: str, part: str, after: str = "", inner: str = "", value: str = "%a") -> str:
    whole = {"%a": "tensor<8x8xf32>", "%v": "tensor<7xf32>", "%t": "!stablehlo.token"}[value]
    after, inner = after or before, inner or f"sdy.return %b : {part}"
    return (
        f"%0 = sdy.manual_computation({value}) in_shardings=[{before}] out_shardings=[{after}]"
        f" manual_axes={{{axes}}} (%b: {part}) {{ {inner} }} : ({whole}) -> {whole}"
    )


def ruled(rule: str, value: str = "%a", type_: str = "tensor<8x8xf32>") -> str:
    return f"%0 = stablehlo.abs {value} {{sdy.sharding_rule = #sdy.op_sharding_rule<{rule}>}} : {type_}"


def edges(text: str, value: str = "%s") -> str:
    return (
        f"%0 = stablehlo.abs {value} {{sdy.propagation_edges = #sdy.propagation_edges<[{text}]>}}"
        " : tensor<8x8xf32>"
    )


WRONG = {
    # shardings of values
    "maximal with dimensions": (annotated("<@one, [{}, {}]>"), "sharding"),
    "token with dimensions": (annotated("<@m, [{}]>", "%t", "!stablehlo.token"), "sharding"),
    "unknown rank": (annotated("<@m, []>", "%n", "tensor<*xf32>"), "sharding"),
    "tuple of two": (annotated("<@m, [{}]>", "%p", "tuple<tensor<8xf32>, tensor<8xf32>>"), "sharding"),
    "replicated axes out of order": (annotated('<@m, [{}, {}], replicated={"y", "x"}>'), "sharding"),
    "unreduced axes out of order": (annotated('<@m, [{}, {}], unreduced={"y", "x"}>'), "sharding"),
    "parts to be merged": (annotated('<@m, [{"y":(1)2, "y":(2)2}, {}]>'), "sharding"),
    "part of size one": (annotated('<@m, [{"y":(2)1}, {}]>'), "sharding"),
    "part and whole": (annotated('<@m, [{"y":(1)2}, {"y"}]>'), "sharding"),
    "mesh written in place": (annotated('<mesh<["x"=2]>, [{"y"}, {}]>'), "sharding"),
    "wrong mesh written in place": (annotated('<mesh<["x"=0]>, [{"x"}, {}]>'), "custom_call-sdy.sharding"),
    "one sharding where a list belongs": (
        "%0 = stablehlo.abs %a {sdy.sharding = #sdy.sharding<@m, [{}, {}]>} : tensor<8x8xf32>",
        "sharding",
    ),
    "operation of an unknown dialect": (
        '"a.b"() {sdy.sharding = #sdy.sharding_per_value<[<@nope, []>]>} : () -> ()',
        "unknown-symbol",
    ),
    "two shardings of no value": (
        'stablehlo.custom_call @x() {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>}'
        " : () -> ()",
        "sharding",
    ),
    # annotations
    "barrier that blocks nothing": (
        "%0 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8x8xf32>",
        "sdy.propagation_barrier-A2",
    ),
    "group of no tensor": ("sdy.sharding_group %t group_id=1 : !stablehlo.token", "sdy.sharding_group-I1"),
    "edge of unknown sizes": ("%0 = sdy.data_flow_edge %d : tensor<?x8xf32>", "sdy.data_flow_edge-A2"),
    "edge of a value with other users": (
        "%0 = sdy.data_flow_edge %a : tensor<8x8xf32> %1 = stablehlo.abs %a : tensor<8x8xf32>",
        "sdy.data_flow_edge-A3",
    ),
    "edge of an annotation": (
        "%0 = sdy.reshard %a <@m, [{}, {}]> : tensor<8x8xf32> %1 = sdy.data_flow_edge %0 : tensor<8x8xf32>",
        "sdy.data_flow_edge-A4",
    ),
    "edge of no function": (
        "%0 = stablehlo.abs %a : tensor<8x8xf32> %1 = sdy.func_data_flow_edge %0 : tensor<8x8xf32>",
        "sdy.func_data_flow_edge-A4",
    ),
    # manual and named computations
    "axis bound twice": (
        manual('<@m, [{"x"}, {}]>', '"x"', "tensor<4x8xf32>", inner=manual(
            '<@m, [{"x"}, {}]>', '"x"', "tensor<2x8xf32>").replace("%a", "%b").replace("%0", "%2").replace(
            "%b:", "%c:").replace("return %b", "return %c").replace("tensor<8x8xf32>", "tensor<4x8xf32>")
            + " sdy.return %2 : tensor<4x8xf32>"),
        "sharding",
    ),
    "axis of a constraint bound": (
        manual('<@m, [{"x"}, {}]>', '"x"', "tensor<4x8xf32>", inner='%1 = sdy.sharding_constraint %b <@m, '
               '[{"x"}, {}]> : tensor<4x8xf32> sdy.return %1 : tensor<4x8xf32>'),
        "sharding",
    ),
    "free axis before a manual one": (
        manual('<@m, [{"y", "x"}, {}]>', '"x"', "tensor<4x8xf32>"),
        "sdy.manual_computation-A3",
    ),
    "parts that do not divide": (
        manual('<@m, [{"x"}]>', '"x"', "tensor<3xf32>", value="%v"),
        "sdy.manual_computation-A3",
    ),
    "part of another type": (
        manual('<@m, [{"x"}, {}]>', '"x"', "tensor<4x8xi32>"),
        "sdy.manual_computation-A3",
    ),
    "two meshes": (
        manual('<@m, [{"x"}, {}]>', '"x"', "tensor<4x8xf32>", after='<@other, [{"x"}, {}]>'),
        "sdy.manual_computation-A2",
    ),
    "manual axis that the mesh lacks": (
        manual("<@m, [{}, {}]>", '"w"', "tensor<8x8xf32>"),
        "sdy.manual_computation-A2",
    ),
    "value from outside": (
        manual('<@m, [{"x"}, {}]>', '"x"', "tensor<4x8xf32>", inner="%1 = stablehlo.abs %a : tensor<8x8xf32>"
               " sdy.return %b : tensor<4x8xf32>"),
        "use-before-definition",
    ),
    "argument of another type": (
        '%0 = sdy.named_computation<"n">(%a) (%b: tensor<4x8xf32>) { sdy.return %b : tensor<4x8xf32> }'
        " : (tensor<8x8xf32>) -> tensor<4x8xf32>",
        "sdy.named_computation-A1",
    ),
    "result of another type": (
        '%0 = sdy.named_computation<"n">(%a) (%b: tensor<8x8xf32>) { sdy.return %b : tensor<8x8xf32> }'
        " : (tensor<8x8xf32>) -> tensor<4x8xf32>",
        "sdy.named_computation-A2",
    ),
    # rules of how operations are split
    "rule of another kind": ("%0 = stablehlo.abs %a {sdy.sharding_rule = 1 : i32} : tensor<8x8xf32>", "sharding"),
    "rule for two operands": (ruled("([i, j], [i, j])->([i, j]) {i=8, j=8}"), "sharding"),
    "rule of another rank": (ruled("([i])->([i, j]) {i=8, j=8}"), "sharding"),
    "rule of unknown sizes": (ruled("([i, j])->([i, j]) {i=8, j=8}", "%d", "tensor<?x8xf32>"), "sharding"),
    "factor that there is not": (ruled("([i, k])->([i, j]) {i=8, j=8}"), "sharding"),
    "factor that nothing uses": (ruled("([i, j])->([i, j]) {i=8, j=8, k=2}"), "sharding"),
    "factor used twice": (ruled("([i, i])->([i, j]) {i=8, j=8}"), "sharding"),
    "factor of size one with others": (ruled("([ik, j])->([i, j]) {i=8, j=8, k=1}"), "sharding"),
    "factors out of order": (ruled("([i, j])->([i, j]) {i=8, j=8} permutation={j, i}"), "sharding"),
    "factor of two kinds": (
        ruled("([i, j])->([i, j]) {i=8, j=8} need_replication={i} permutation={i}"),
        "sharding",
    ),
    "reduced factor in a result": (ruled("([i, j])->([i, j]) {i=8, j=8} reduction={i}"), "sharding"),
    # propagation edges
    "edges of another kind": ("%0 = stablehlo.abs %s {sdy.propagation_edges = 1} : tensor<8x8xf32>", "sharding"),
    "edges in a list of another kind": (
        "%0 = stablehlo.abs %s {sdy.result_propagation_edges = [1]} : tensor<8x8xf32>",
        "sharding",
    ),
    "edges without a sharding": (edges('{step-1 = [{"x" = operand-0 -> [result-0]}]}', "%a"), "sharding"),
    "edges over an axis of no mesh": (edges('{step-1 = [{"w" = operand-0 -> [result-0]}]}'), "sharding"),
    "edges to an operand that there is not": (
        edges('{step-1 = [{"x" = operand-0 -> [operand-1]}]}'),
        "sharding",
    ),
    "steps of one number": (
        edges('{step-1 = [{"x" = operand-0 -> [result-0]}]}, {step-1 = [{"y" = operand-0 -> [result-0]}]}'),
        "abs-sdy.propagation_edges",
    ),
    "edge to its source": (edges('{step-1 = [{"x" = operand-0 -> [operand-0]}]}'), "abs-sdy.propagation_edges"),
    # collectives
    "gather of a value without a sharding": (
        collective("all_gather", '[{"x"}, {}]', "%a", "[{}, {}]"),
        "sdy.all_gather-A2",
    ),
    "gather over another mesh": (
        '%0 = sdy.all_gather [{"x"}, {}] %s out_sharding=<@other, [{}, {}]> : tensor<8x8xf32>',
        "sdy.all_gather-A3",
    ),
    "gather of an axis that splits nothing": (
        collective("all_gather", '[{"z"}, {}]', "%s", '[{"x"}, {"y"}]'),
        "sdy.all_gather-A5",
    ),
    "gather to another sharding": (
        collective("all_gather", '[{"x"}, {}]', "%s", '[{"x"}, {"y"}]'),
        "sdy.all_gather-A5",
    ),
    "gather of two axes of the end": (
        collective("all_gather", '[{}, {"y":(1)2}]', "%s", '[{"x"}, {"y":(2)2}]'),
        "sdy.all_gather-A5",
    ),
    "gather of too few dimensions": (
        collective("all_gather", '[{"x"}]', "%s", '[{}, {"y"}]'),
        "sdy.all_gather-A5",
    ),
    "slice to another sharding": (
        collective("all_slice", '[{"z"}, {}]', "%s", '[{"z", "x"}, {"y"}]'),
        "sdy.all_slice-A4",
    ),
    "no axes to move": (collective("all_to_all", "[]", "%s", '[{"x"}, {"y"}]'), "sdy.all_to_all-A5"),
    "move to a dimension that there is not": (
        collective("all_to_all", '[{"x"}: 0->2]', "%s", '[{}, {"y"}]'),
        "sdy.all_to_all-A5",
    ),
    "move to where it came from": (
        collective("all_to_all", '[{"x"}: 0->1, {"y"}: 1->0]', "%s", '[{"y"}, {"x"}]'),
        "sdy.all_to_all-A5",
    ),
    "move to another sharding": (
        collective("all_to_all", '[{"x"}: 0->1]', "%s", '[{}, {"x", "y"}]'),
        "sdy.all_to_all-A5",
    ),
    "permutation to more parts": (
        collective("collective_permute", "", "%s", '[{"y"}, {"x"}]'),
        "sdy.collective_permute-A4",
    ),
    "permutation over a copy of the mesh": (
        '%0 = sdy.collective_permute %s out_sharding=<@copy, [{"x"}, {"y"}]> : tensor<8x8xf32>',
        "sdy.collective_permute-A4",
    ),
    "sum over an axis that splits": (
        collective("all_reduce", '{"x"}', "%s", '[{"x"}, {"y"}]'),
        "sdy.all_reduce-A4",
    ),
    "sum to another sharding": (collective("all_reduce", '{"z"}', "%s", "[{}, {}]"), "sdy.all_reduce-A4"),
    "sum over axes out of order": (
        collective("all_reduce", '{"z", "y"}', "%u", '[{"x"}, {}]'),
        "sdy.all_reduce-A4",
    ),
    "sum over an axis that stays unreduced": (
        collective("all_reduce", '{"z"}', "%u", '[{"x"}, {}], unreduced={"z"}'),
        "sdy.all_reduce-A4",
    ),
    "scatter to another sharding": (
        collective("reduce_scatter", '[{}, {"z"}]', "%u", '[{"x"}, {}]'),
        "sdy.reduce_scatter-A5",
    ),
    "summands without their axes": (
        collective("sharded_to_unreduced", '[{}, {"y"}]', "%s", '[{"x"}, {}]'),
        "sdy.sharded_to_unreduced-A7",
    ),
    "summands along an axis that splits": (
        collective("replicated_to_unreduced", '{"y"}', "%s", '[{"x"}, {"y"}], unreduced={"z"}'),
        "sdy.replicated_to_unreduced-A6",
    ),
    "summands without axes": (
        collective("replicated_to_unreduced", "{}", "%u", '[{"x"}, {}], unreduced={"z"}'),
        "sdy.replicated_to_unreduced-A6",
    ),
}  # fmt: skip

VALID = {
    "maximal": annotated("<@one, []>"),
    "no value, one sharding": "stablehlo.custom_call @x() {has_side_effect = true, sdy.sharding ="
    " #sdy.sharding_per_value<[<@one, []>]>} : () -> ()",
    "debug print": "stablehlo.custom_call @xla_ffi_python_cpu_callback(%a) {has_side_effect = true, sdy.sharding ="
    " #sdy.sharding_per_value<[<@one, []>]>} : (tensor<8x8xf32>) -> ()",
    "token": annotated("<@m, []>", "%t", "!stablehlo.token"),
    "sizes that do not divide": annotated('<@m, [{"x"}]>', "%v", "tensor<7xf32>"),
    "part of an axis": annotated('<@m, [{"y":(2)2, "y":(1)2}, {"x"}], replicated={"z"}>'),
    "sharding under another name": "%0 = stablehlo.abs %a {my = #sdy.sharding<@nope, []>} : tensor<8x8xf32>",
    "manual computation of nothing": "sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () "
    "{ sdy.return } : () -> ()",
    "manual computation without results": "sdy.manual_computation(%a) in_shardings=[<@m, [{\"x\"}, {}]>] "
    'out_shardings=[] manual_axes={"x"} (%b: tensor<4x8xf32>) { sdy.return } : (tensor<8x8xf32>) -> ()',
    "manual computation beside an empty mesh": manual(
        '<@m, [{"x"}, {}]>', '"x"', "tensor<4x8xf32>", '<@empty, [{}, {}]>', "%2 = stablehlo.custom_call @x(%b)"
        " : (tensor<4x8xf32>) -> tensor<8x8xf32> sdy.return %2 : tensor<8x8xf32>"),
    "manual computation of a token": manual("<@m, []>", "", "!stablehlo.token", value="%t"),
    "another axis within": manual('<@m, [{"x"}, {}]>', '"x"', "tensor<4x8xf32>", inner="%1 = sdy.sharding_constraint"
        ' %b <@m, [{"y"}, {}]> : tensor<4x8xf32> sdy.return %1 : tensor<4x8xf32>'),
    "rule": ruled("([i, j])->([i, j]) {i=8, j=8} need_replication={i} permutation={j}"),
    "edges": edges('{step-1 = [{"x" = operand-0 -> [result-0]}]}, {step-0 = [{"y" = result-0 -> [operand-0]}]}'),
    "edge of a barrier": "%0 = stablehlo.optimization_barrier %a : tensor<8x8xf32>"
    ' %1 = sdy.data_flow_edge %0 sharding=<@m, [{"x"}, {}]> : tensor<8x8xf32>'
    ' %2 = sdy.all_gather [{"x"}, {}] %1 out_sharding=<@m, [{}, {}]> : tensor<8x8xf32>',
    "edge of a function": "%0 = sdy.func_data_flow_edge %a : tensor<8x8xf32>",
    "edge of a call": "%0 = func.call @g(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>"
    " %1 = sdy.func_data_flow_edge %0 : tensor<8x8xf32>",
    "gather": collective("all_gather", '[{"x"}, {"y":(2)2}]', "%s", '[{}, {"y":(1)2}]'),
    "slice": collective("all_slice", '[{}, {"z"}]', "%s", '[{"x"}, {"y", "z"}]'),
    "slice that merges": '%0 = sdy.all_slice [{"y":(1)2}, {}] %a out_sharding=<@m, [{"y":(1)2}, {}]> : tensor<8x8xf32>'
    ' %1 = sdy.all_slice [{"y":(2)2}, {}] %0 out_sharding=<@m, [{"y"}, {}]> : tensor<8x8xf32>',
    "move": collective("all_to_all", '[{"x"}: 0->1]', "%s", '[{}, {"y", "x"}]'),
    "permutation": collective("collective_permute", "", "%s", '[{"z"}, {"y"}]'),
    "permutation of devices": '%0 = sdy.collective_permute %s out_sharding=<@back, [{"x"}, {"y"}]> : tensor<8x8xf32>',
    "sum": collective("all_reduce", '{"z"}', "%u", '[{"x"}, {}]'),
    "sum of what has no sharding": collective("all_reduce", '{"x", "z"}', "%a", "[{}, {}]"),
    "scatter": collective("reduce_scatter", '[{}, {"z"}]', "%u", '[{"x"}, {"z"}]'),
    "summands": collective("sharded_to_unreduced", '[{}, {"y"}]', "%s", '[{"x"}, {}], unreduced={"y"}'),
    "summands of copies": collective("replicated_to_unreduced", '{"y"}', "%u", '[{"x"}, {}], unreduced={"y", "z"}'),
    "summands are summed": '%0 = sdy.reshard %u <@m, [{"x"}, {}]> : tensor<8x8xf32>',
}  # fmt: skip


def errors(text: str) -> list[tuple[str, int, str]]:
    """Returns the code, line and message of each error."""
    source = Source(text)
    found = [each for each in findings_of(source)[1] if each.severity == "error"]
    return [(each.code, source.line_of(each.span.start), each.message) for each in found]


@pytest.mark.parametrize("name", WRONG)
def test_what_shardy_refuses_is_reported_under_its_rule(oracle: Oracle, name: str) -> None:
    line, code = WRONG[name]
    text = SHELL.replace("LINE", line)
    verdict = oracle.accepts(text, unregistered=True)
    assert {each.line for each in verdict.diagnostics} == {AT}
    found = errors(text)
    assert found
    assert found[0][:2] == (code, AT), found[0][2]


@pytest.mark.parametrize("name", VALID)
def test_what_shardy_takes_is_taken(oracle: Oracle, name: str) -> None:
    text = SHELL.replace("LINE", VALID[name])
    assert oracle.accepts(text, unregistered=True).accepted
    assert errors(text) == []


MAXIMUM = '%0 = sdy.reshard %a <@m, [{"x"}, {}], unreduced=max{"z"}> : tensor<8x8xf32> '


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (collective("all_reduce", 'max {"z"}', "%1", '[{"x"}, {}]'), ""),
        (collective("all_reduce", '{"z"}', "%1", '[{"x"}, {}]'), "sdy.all_reduce-A5"),
        (
            collective("all_reduce", '{"y"}', "%1", '[{"x"}, {}], unreduced=max{"y", "z"}'),
            "sdy.all_reduce-A4",
        ),
        (collective("all_slice", '[{}, {"y"}]', "%1", '[{"x"}, {"y"}], unreduced=max{"z"}'), ""),
        (collective("reduce_scatter", '[{}, {"z"}]', "%1", '[{"x"}, {"z"}]'), "sdy.reduce_scatter-A4"),
        ('%0 = sdy.reshard %1 <@m, [{"x"}, {}], unreduced={"z"}> : tensor<8x8xf32>', "sdy.reshard-A2"),
        ('%0 = sdy.reshard %1 <@m, [{"x"}, {}]> : tensor<8x8xf32>', ""),
        (
            collective("sharded_to_unreduced", '[{"x"}, {}]', "%1", '[{}, {}], unreduced={"x", "z"}'),
            "sdy.sharded_to_unreduced-A5",
        ),
        (collective("sharded_to_unreduced", '[{"x"}, {}]', "%1", '[{}, {}], unreduced=max{"x", "z"}'), ""),
        (collective("replicated_to_unreduced", '{"y"}', "%1", '[{"x"}, {}], unreduced=max{"y", "z"}'), ""),
        ('%0 = sdy.reshard %1 <@m, [{"x"}, {}], unreduced=max{"y", "z"}> : tensor<8x8xf32>', ""),
        ('%0 = sdy.sharding_constraint %1 <@m, [{"x"}, {}], unreduced=max{"z"}> : tensor<8x8xf32>', ""),
    ],
)
def test_reductions_of_newer_shardy_are_kept(line: str, code: str) -> None:
    maximum = (
        "%1 = stablehlo.custom_call @x(%a) {sdy.sharding = #sdy.sharding_per_value<[<@m, "
        '[{"x"}, {}], unreduced=max{"z"}>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>\n'
    )
    assert [each[0] for each in errors(SHELL.replace("LINE", maximum + line))] == [code] * bool(code)
