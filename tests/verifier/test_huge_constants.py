"""Constants of billions of equal elements stay one element, wherever a constraint reads them."""

from __future__ import annotations

import shlo
from shlo.language import Document
from shlo.language.hover.hover import hover

GROUPS = "dense<0> : tensor<1000000x1000000xi64>"
PAIRS = "dense<0> : tensor<5000000000x2xi64>"


def test_huge_replica_groups_are_judged_and_shown_without_their_elements():
    text = (
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        f'  %0 = "stablehlo.all_to_all"(%x) <{{concat_dimension = 0 : i64, replica_groups = {GROUPS}, '
        "split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf32>\n"
        f'  %1 = "stablehlo.collective_permute"(%x) <{{source_target_pairs = {PAIRS}}}> : (tensor<4xf32>) -> tensor<4xf32>\n'
        "  return %1 : tensor<4xf32>\n}\n"
    )
    module = shlo.parse(text)
    shlo.verify(module)
    document = Document(text)
    assert hover(document, text.index("all_to_all")) is not None
    assert hover(document, text.index("collective_permute")) is not None
    assert GROUPS in str(module)
