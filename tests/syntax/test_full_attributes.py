"""Attributes written in full where an operation's pretty form has a short one: read where MLIR reads them."""

from __future__ import annotations

import pytest

from shlo.ir.source import Source
from shlo.runner.validity import findings_of
from shlo.syntax import parse
from tests.oracle import Oracle

MESH = 'sdy.mesh @m = <["a"=2, "b"=2]>\n'
MANUAL = (
    MESH
    + "func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {{ %0 = sdy.manual_computation(%x) in_shardings={} "
    'out_shardings=[<@m, [{{"a"}}]>] manual_axes={} (%y: tensor<4xf32>) {{ sdy.return %y : tensor<4xf32> }}'
    " : (tensor<8xf32>) -> tensor<8xf32> return %0 : tensor<8xf32> }}"
)
COMPARE = (
    "func.func @f(%a: tensor<f32>) -> tensor<i1> {{ %0 = stablehlo.compare {}, %a, %a{}"
    " : (tensor<f32>, tensor<f32>) -> tensor<i1> return %0 : tensor<i1> }}"
)
FFT = (
    "func.func @f(%a: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {{ %0 = stablehlo.fft %a, type = {}, length ="
    " [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> return %0 : tensor<8xcomplex<f32>> }}"
)
DOT = (
    "func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {{ %0 = stablehlo.dot_general %x, %x, contracting_dims ="
    " [1] x [0], {} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> return %0 : tensor<8x8xf32> }}"
)
GATHER = (
    MESH
    + 'func.func @f(%x: tensor<8xf32> {{sdy.sharding = #sdy.sharding<@m, [{{"a"}}]>}}) -> tensor<8xf32> {{ %0 ='
    " sdy.all_gather {} %x out_sharding=<@m, [{{}}]> : tensor<8xf32> return %0 : tensor<8xf32> }}"
)
BARRIER = (
    "func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {{ %0 = sdy.propagation_barrier %x allowed_direction={}"
    " : tensor<8xf32> return %0 : tensor<8xf32> }}"
)

TEXTS = {
    "mesh": 'sdy.mesh @m = #sdy.mesh<["a"=2]>',
    "alias of a mesh": '#mesh = #sdy.mesh<["a"=2]>\nsdy.mesh @m = #mesh',
    "another attribute for a mesh": "sdy.mesh @m = #sdy.sharding<@m, []>",
    "shardings of a manual computation": MANUAL.format('[#sdy.sharding<@m, [{"a"}]>]', '{"a"}'),
    "manual axes": MANUAL.format('[<@m, [{"a"}]>]', '#sdy<manual_axes{"a"}>'),
    "the list of shardings has no full form": MANUAL.format(
        '#sdy.sharding_per_value<[<@m, [{"a"}]>]>', '{"a"}'
    ),
    "lists of axes": GATHER.format('#sdy<list_of_axis_ref_lists[{"a"}]>'),
    "an item of lists of axes": GATHER.format('[#sdy<axis_ref_list{"a"}>]'),
    "comparison": COMPARE.format("#stablehlo<comparison_direction LT>", ""),
    "alias of a word": "#lt = #stablehlo<comparison_direction LT>\n" + COMPARE.format("#lt", ""),
    "word of another enumeration": COMPARE.format("#stablehlo<fft_type FFT>", ""),
    "before a colon, which belongs to the attribute": COMPARE.format("LT", ", #stablehlo<comparison_type FLOAT>"),
    "fft": FFT.format("#stablehlo<fft_type FFT>"),
    "precision has no full form": DOT.format("precision = [#stablehlo<precision DEFAULT>, DEFAULT]"),
    "number as a word in quotes": BARRIER.format('"FORWARD"'),
    "number as a word that there is not": BARRIER.format('"SIDEWARD"'),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_full_attribute_is_read_and_printed_as_the_oracle_does(oracle: Oracle, name: str) -> None:
    text = TEXTS[name]
    if oracle.accepts(text).accepted:
        assert parse(text)[0].to_text() == oracle.pretty(text)
    else:
        assert [each for each in findings_of(Source(text))[1] if each.severity == "error"]
