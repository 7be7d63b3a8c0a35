"""What is typed by its name in NumPy, JAX or PyTorch becomes operations that give what it gives there."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.language import Document, Edit
from shlo.language.completion.idioms import IDIOMS, Idiom
from shlo.language.completion.items import complete
from shlo.language.completion.operations import Completion
from shlo.language.diagnostics import diagnostics
from tests.language.programs import marked

GENERATOR = np.random.default_rng(7)
X = GENERATOR.standard_normal((4, 6)).astype(np.float32)
Z = GENERATOR.standard_normal((4, 6)).astype(np.float32)
Y = GENERATOR.standard_normal((6, 3)).astype(np.float32)
V = GENERATOR.standard_normal(5).astype(np.float32)
W = GENERATOR.standard_normal(2).astype(np.float32)
I = GENERATOR.integers(0, 4, (2, 3)).astype(np.int32)  # noqa: E741
P = X > Z
ARGUMENTS = {"x": X, "z": Z, "y": Y, "v": V, "w": W, "i": I, "p": P}
TYPES = {"float32": "f32", "int32": "i32", "bool": "i1"}


def _exponentials(x: Any) -> Any:
    return np.exp(x - x.max(-1, keepdims=True))


def _softmax(x: Any) -> Any:
    return _exponentials(x) / _exponentials(x).sum(-1, keepdims=True)


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def _normalized(x: Any) -> Any:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)


EXPECTED: dict[str, tuple[str, Callable[..., Any]]] = {
    "matmul({}, {})": ("x y", np.matmul),
    "outer({}, {})": ("v w", np.outer),
    "where({}, {}, {})": ("p x z", np.where),
    "{}[{}]": ("x i", lambda x, index: x[index]),
    "take({}, {}, axis=0)": ("x i", lambda x, index: np.take(x, index, axis=0)),
    "softmax({}, axis=-1)": ("x", _softmax),
    "log_softmax({}, axis=-1)": ("x", lambda x: np.log(_softmax(x))),
    "logsumexp({}, axis=-1)": ("x", lambda x: np.log(np.exp(x).sum(-1))),
    "sum({})": ("x", np.sum),
    "sum({}, axis=-1)": ("i", lambda x: x.sum(-1)),
    "prod({})": ("x", np.prod),
    "max({})": ("i", np.max),
    "max({}, axis=-1)": ("x", lambda x: x.max(-1)),
    "min({})": ("x", np.min),
    "min({}, axis=-1)": ("i", lambda x: x.min(-1)),
    "mean({})": ("x", np.mean),
    "mean({}, axis=-1)": ("x", lambda x: x.mean(-1)),
    "var({}, axis=-1)": ("x", lambda x: x.var(-1)),
    "std({}, axis=-1)": ("v", lambda x: x.std(-1)),
    "argmax({}, axis=-1)": ("x", lambda x: x.argmax(-1)),
    "argmin({}, axis=-1)": ("i", lambda x: x.argmin(-1)),
    "cumsum({}, axis=-1)": ("x", lambda x: x.cumsum(-1)),
    "layernorm({})": ("x", _normalized),
    "rmsnorm({})": ("x", lambda x: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6)),
    "relu({})": ("i", lambda x: np.maximum(x, 0)),
    "gelu({})": ("x", lambda x: x * (1 + np.vectorize(math.erf)(x / np.sqrt(2))) / 2),
    "sigmoid({})": ("x", _sigmoid),
    "silu({})": ("v", lambda x: x * _sigmoid(x)),
    "mse({}, {})": ("x z", lambda x, z: np.mean((x - z) ** 2)),
    "tril({})": ("x", np.tril),
    "swapaxes({}, -1, -2)": ("y", lambda x: np.swapaxes(x, -1, -2)),
    "expand_dims({}, -1)": ("x", lambda x: np.expand_dims(x, -1)),
    "zeros_like({})": ("i", np.zeros_like),
    "ones_like({})": ("x", np.ones_like),
}
"""What NumPy gives for each idiom, on which arguments."""


def typed(line: str, names: str) -> tuple[Document, list[Completion]]:
    """Returns a program in whose function of arguments a line is being typed, and what is offered there."""
    arguments = ", ".join(f"%{name}: {type_of(ARGUMENTS[name])}" for name in names.split())
    document, offset = marked(f"func.func @main({arguments}) {{\n  {line}|\n  return\n}}\n")
    return document, complete(document, offset)


def type_of(array: np.ndarray[Any, Any]) -> str:
    return f"tensor<{'x'.join((*map(str, array.shape), TYPES[str(array.dtype)]))}>"


def accepted(document: Document, completion: Completion, result: str) -> Document:
    """Returns a program with a completion, which returns the completion's result."""
    text = document.edit([Edit(completion.span, completion.insert), *completion.edits]).text
    return Document(
        text.replace(") {", f") -> {completion.detail} {{", 1).replace(
            "  return\n", f"  return %{result} : {completion.detail}\n"
        )
    )


@pytest.mark.parametrize("idiom", IDIOMS, ids=lambda idiom: idiom.call.format(*"xyz"))
def test_a_name_becomes_valid_operations_that_give_what_numpy_gives(idiom: Idiom) -> None:
    names, expected = EXPECTED[idiom.call]
    arguments = [ARGUMENTS[name] for name in names.split()]
    call = idiom.call.format(*(f"%{name}" for name in names.split()))
    for line, result in ((idiom.word, idiom.word), (f"%result = {idiom.word}", "result")):
        document, completions = typed(line, names)
        (completion,) = (each for each in completions if each.label == call)
        program = accepted(document, completion, result)
        assert diagnostics(program) == []
        (value,) = shlo.run(shlo.parse(program.text), *arguments)
        np.testing.assert_allclose(value, expected(*arguments), rtol=2e-5, atol=2e-6)


def test_the_name_alone_takes_few_keys_and_is_the_first_proposal() -> None:
    for idiom in IDIOMS:
        names, _ = EXPECTED[idiom.call]
        first = typed(f"%result = {idiom.word}", names)[1][0]
        assert len(idiom.word) < 12
        assert first.kind == "idiom"


def test_operands_are_the_nearest_that_fit_and_new_names_are_new() -> None:
    document, completions = typed("%matmul = stablehlo.negate %x : tensor<4x6xf32>\n  jnp.matmul", "z x y")
    offered = [each for each in completions if each.kind == "idiom"]
    assert [each.label for each in offered][:2] == ["matmul(%matmul, %y)", "matmul(%x, %y)"]
    assert diagnostics(accepted(document, offered[0], "matmul_0")) == []
    assert not [each for each in typed("%y = softmax", "i p")[1] if each.kind == "idiom"]


def test_a_value_of_a_mistyped_type_is_no_operand() -> None:
    """No array holds an i732: there is no 0 to begin its sum with."""
    header = "func.func @f(%a: tensor<2xi732>, %b: tensor<2xi32>) {"
    proposals = complete(*marked(f"{header}\n  %0 = sum|\n  return\n}}\n"))
    assert [each.label for each in proposals if each.kind == "idiom"] == ["sum(%b)"]
