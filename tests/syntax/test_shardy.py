"""Shardy's attributes: read, printed as MLIR prints them, refused where MLIR refuses them."""

from __future__ import annotations

import pytest

from shlo.ir.diagnostics import ParseError
from shlo.syntax import parse_attribute
from tests.oracle import Oracle, OracleError

TEXTS = (
    '#sdy.sharding<@m,[{"x"},{}]>',
    '#sdy.sharding<@m, [{"x", ?}p2, {?}], replicated={"y"}, unreduced={"z"}>',
    '#sdy.sharding<@m, [{"x":(1)2}]>',
    '#sdy.sharding<mesh<["a"=2], device_ids=[1, 0]>, [{"a"}]>',
    '#sdy.sharding<"m", []>',
    '#sdy.sharding<@m, [{?, "x"}]>',
    '#sdy.sharding<@m, [{"x"}p-1]>',
    '#sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, []>]>',
    '#sdy<manual_axes{"x", "y"}>',
    "#sdy.mesh<[], device_ids=[0]>",
    "#sdy.op_sharding_rule<([ij, k])->([i, jk]) {i=2, j=3, k=4} reduction={i} permutation={k}, custom>",
    "#sdy.op_sharding_rule<([i])->([i]) {j=2}>",
    "#sdy.op_sharding_rule<()->()>",
    '#sdy<axis_ref_list{"x", "y":(1)2}>',
    '#sdy<list_of_axis_ref_lists[{"x"}, {}]>',
    '#sdy<all_to_all_param_list[{"x"}: 0->1, {"y"}: 1->2]>',
    "#sdy<all_to_all_param_list[{}: 0->1]>",
    '#sdy<axis_ref "x":(1)2>',
    '#sdy<dimension_sharding{"x", ?}p1>',
    '#sdy<all_to_all_param{"x"}: 0->1>',
    '#sdy.propagation_edges<[{step-2 = [{"y":(1)2=operand-0->[operand-1,result-0]}]}, {step-3=[{"x"=result-0->[operand-0]}]}]>',
    "#sdy.propagation_edges<[]>",
    '#sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> []}]}]>',
    '#sdy<propagation_one_step{step-1 = [{"x" = operand-0 -> [result-0]}]}>',
    '#sdy<axis_to_propagation_details{"x" = operand-0 -> [result-0]}>',
    '#sdy.mesh<["a"=2, "b"=2], device_ids=[0, 1, 2, 3]>',
    '#sdy.mesh<["a"=2], device_ids=[]>',
    '#sdy.sharding<@m, [], unreduced={"x"}, replicated={"y"}>',
    '#sdy.sharding<@m, [], replicated={"x"}, replicated={"y"}>',
    "#sdy.sharding<@m, [], replicated={}>",
    "#sdy.sharding<@m, [], >",
    '#sdy.sharding<@m, [{"x" ?}]>',
    '#sdy.sharding<@m, [{"x",}]>',
    '#sdy.sharding<@m, [{"x"}p01]>',
    '#sdy.sharding<@m, [{"x"}p0, {"y"}p9223372036854775807]>',
    '#sdy.sharding<@m, [{"x"}p9223372036854775808]>',
    # in full where the short form is usual
    '#sdy.sharding_per_value<[#sdy.sharding<@m, [{"x"}]>, <@m, []>]>',
    "#sdy.sharding_per_value<[#sdy.mesh<[]>]>",
    '#sdy.sharding<mesh #sdy.mesh<["a"=2]>, [{"a"}]>',
    '#sdy.sharding<@m, [#sdy<dimension_sharding{"x"}>], replicated={#sdy<axis_ref "y">}>',
    '#sdy.sharding<@m, [{#sdy<axis_ref "y">}]>',
    '#sdy<list_of_axis_ref_lists[#sdy<axis_ref_list{"x"}>]>',
    '#sdy<all_to_all_param_list[#sdy<all_to_all_param{"x"}: 0->1>]>',
    '#sdy.propagation_edges<[#sdy<propagation_one_step{step-1 = [{#sdy<axis_ref "x"> = #sdy<edge_value_ref operand-0> -> [result-0]}]}>]>',
)

NEWER = (
    ('#sdy.sharding<@m, [{"x"}], unreduced=max{"y"}>', '#sdy.sharding<@m, [{"x"}], unreduced=max{"y"}>'),
    ('#sdy.sharding<@m, [], unreduced=sum{"y"}>', '#sdy.sharding<@m, [], unreduced={"y"}>'),
    ("#sdy<edge_value_ref operand-0>", "#sdy<edge_value_ref operand-0>"),
)
"""What Shardy prints since the oracle's version, and one that MLIR prints so that it cannot read it again."""


@pytest.mark.parametrize(("text", "printed"), NEWER)
def test_attributes_of_newer_shardy_read_and_print(text: str, printed: str) -> None:
    assert str(parse_attribute(text)) == printed


@pytest.mark.parametrize("text", TEXTS)
def test_sharding_attributes_read_and_print_as_the_oracle_does(oracle: Oracle, text: str) -> None:
    try:
        whole = oracle.generic(f'"a.b"() {{x = {text}}} : () -> ()', unregistered=True)
        expected = whole.split("{x = ")[1].split("} : ()")[0]
    except OracleError:
        with pytest.raises(ParseError):
            parse_attribute(text)
    else:
        assert str(parse_attribute(text)) == expected
