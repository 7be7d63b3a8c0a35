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
)


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
