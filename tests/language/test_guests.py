"""Operations of dialects that are not known: opaque and quiet, with their names; comments that expect findings."""

from __future__ import annotations

import pytest

from shlo.ir.op_path import root_of, walk
from shlo.language import Document
from shlo.language.diagnostics import diagnostics
from shlo.language.navigation import definition, references
from shlo.language.outline.items import OutlineItem
from shlo.language.outline.outline import outline
from shlo.language.tokens import semantic_tokens

GUESTS = """\
#map = affine_map<(d0) -> (d0)>
memref.global "private" constant @g : memref<4xf32> = dense<1.0>
func.func @f(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%0 : tensor<4xf32>)
      outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %m = memref.alloc() : memref<4xf32>
  affine.for %i = 0 to 4 {
    %v = affine.load %m[%i] : memref<4xf32>
    affine.store %v, %m[%i] : memref<4xf32>
  }
  %p:2 = foo.pair %1, %n -> (tensor<4xf32>, index)
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) {
    foo.use %bx
    gpu.terminator
  }
  %3 = stablehlo.add %1, %p#0 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
gpu.module @kernels {
  gpu.func @k(%x: memref<4x!gpu.tile<2>>) kernel {
    gpu.return
  }
}
"""


def test_guests_are_read_quietly() -> None:
    document = Document(GUESTS)
    part = document.parts[0]
    found = {
        place.operation.name: (
            [place.values.names[value] for value in place.operation.operands],
            [str(type_) for type_ in place.operation.result_types],
            len(place.operation.regions),
        )
        for place in walk(root_of(part.module, part.text))
    }
    assert diagnostics(document) == []
    assert {each.code for each in diagnostics(document, strict=True)} >= {"unknown-dialect"}
    assert found["linalg.abs"] == (["a", "e"], ["tensor<4xf32>"], 0)
    assert found["linalg.generic"] == (["0", "e"], ["tensor<4xf32>"], 1)
    assert found["linalg.yield"] == (["s"], [], 0)
    assert found["memref.alloc"] == ([], ["memref<4xf32>"], 0)
    assert found["affine.for"] == ([], [], 1)
    assert found["affine.load"] == (["m", "i"], ["unknown"], 0)
    assert found["foo.pair"] == (["1", "n"], ["tensor<4xf32>", "index"], 0)
    assert found["gpu.launch"] == (["n", "n", "n"], [], 1)
    assert [item.name for item in symbols(outline(document))] == ["@g", "@f", "@kernels", "@k"]


def symbols(items: list[OutlineItem]) -> list[OutlineItem]:
    return [each for item in items if item.kind != "value" for each in (item, *symbols(list(item.children)))]


@pytest.mark.parametrize(
    ("use", "defined"),
    [("%i]", "%i = 0"), ("%bx\n", "%bx, %by"), ("%0 : t", "%0 ="), ("%in, %o", "%in: f32")],
)
def test_names_of_guests_are_found(use: str, defined: str) -> None:
    document = Document(GUESTS)
    place = definition(document, GUESTS.index(use) + 1)
    assert place is not None
    assert place.start == GUESTS.index(defined)
    assert {GUESTS.index(use), GUESTS.index(defined)} <= {
        each.span.start for each in references(document, place.start + 1)
    }


def test_guests_are_coloured_as_operations() -> None:
    kinds = {GUESTS[slice(*token.span)]: token.kind for token in semantic_tokens(Document(GUESTS))}
    assert {kinds[name] for name in ("linalg.abs", "affine.for", "gpu.launch", "foo.pair")} == {"operation"}


@pytest.mark.parametrize(
    ("line", "message", "help"),
    [
        ("%1 = stablhlo.add %0, %0 : tensor<f32>", "unknown operation", "did you mean stablehlo.add?"),
        (
            "%1 = tensor.casts %0 : tensor<f32> to tensor<f32>",
            "unknown operation",
            "did you mean tensor.cast?",
        ),
        (
            "%1 = stablehlo.matmul %0, %0 : tensor<f32>",
            "unknown operation",
            "did you mean stablehlo.dot_general?",
        ),
        (
            "%1 = %0 + %0",
            "expected an operation",
            "an operation has a name, as in stablehlo.add %x, %y : tensor<4xf32>",
        ),
        (
            "%1 = stablehlo.constant 2.0 : tensor<f32>",
            "a number is not of type",
            "write dense<2.0> for a tensor of this number",
        ),
        ("%1 = stablehlo.bogus %0 : tensor<f32>", "unknown operation", ""),
        ("foo.use %typo", "use of undeclared value '%typo'", ""),
    ],
)
def test_mistakes_are_no_guests(line: str, message: str, help: str) -> None:
    (found,) = diagnostics(Document(f"func.func @f(%0: tensor<f32>) {{\n  {line}\n  return\n}}\n"))
    assert (found.severity, found.message[: len(message)]) == ("error", message)
    assert not help or found.help == help


def test_an_expected_finding_is_a_hint_and_a_missing_one_a_finding() -> None:
    text = """\
func.func @f(%0: tensor<2xf32>) {
  // expected-error@+1 {{words of another tool}}
  %1 = stablehlo.bogus %0 : tensor<2xf32>
  // expected-error-re@below {{never {{.*}} found}}
  %2 = stablehlo.add %0, %0 : tensor<2xf32>
  return
}
"""
    found = [(each.severity, each.code) for each in diagnostics(Document(text))]
    assert found == [("hint", "syntax"), ("warning", "expectation")]


@pytest.mark.timeout(60)
def test_many_arguments_of_a_guest_take_linear_time() -> None:
    arguments = ", ".join(f"%a{number}: i32" for number in range(20_000))
    assert [each.name for each in Document(f"foo.func @x({arguments})\n").parts[0].index.symbols.all] == ["x"]
