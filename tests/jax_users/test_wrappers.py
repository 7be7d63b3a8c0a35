"""Wrappers of `jax.jit` are lowered as they lower themselves, with all results, by names of the caller's."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import shlo

from .models import equinox_training_step, nnx_training_step
from .test_objects import same

pytestmark = pytest.mark.oracle


def parameters(program: Any, *arguments: Any) -> list[str]:
    session = shlo.debug(program, *arguments, front_end=lambda session: session)
    return [value.label for value in session.inspector.values() if value.is_argument]


def result_names(path: Path, program: Any, *arguments: Any) -> list[str]:
    shlo.save(path, program, *arguments)
    return re.findall(r'jax\.result_info = "([^"]*)"', path.read_text())


NAMES = [
    "head.bias",
    "head.kernel",
    "hidden.bias",
    "hidden.kernel",
    "norm.bias",
    "norm.mean",
    "norm.scale",
    "norm.var",
]


def test_a_step_of_nnx_has_its_updates_as_results_by_name(tmp_path: Path) -> None:
    step, arguments = nnx_training_step()
    names = result_names(tmp_path / "step.mlir", step, *arguments)
    model = [f"model.{name}" for name in NAMES]
    assert names[:8] == model
    assert names[-1] == "result"
    assert {name.partition(".")[0] for name in names[8:-1]} == {"optimizer"}
    assert len(names) == len(jax.tree.leaves(step.lower(*arguments).out_tree.unflatten(range(len(names)))))
    assert "optimizer.opt_state[0].mu['head']['kernel']" in names
    assert set(parameters(step, *arguments)) >= {*model, "x", "labels"}


def test_a_step_of_nnx_returns_its_value_and_leaves_the_objects_alone() -> None:
    step, (model, optimizer, _, labels) = nnx_training_step()
    x = np.array([[0.1, 0.2, 0.0, 0.1], [0.2, 0.1, 0.1, 0.0]], np.float32) / 1e3
    arguments = (model, optimizer, x, labels)
    before = [np.asarray(leaf) for leaf in jax.tree.leaves((model, optimizer))]
    whole = (step, step.lower(*arguments), step.trace(*arguments))
    values = [shlo.run(program, *arguments) for program in whole]
    values.append(shlo.run(partial(step, model), *arguments[1:]))
    for leaf, old in zip(jax.tree.leaves((model, optimizer)), before):
        np.testing.assert_array_equal(leaf, old)
    np.testing.assert_allclose(values, [step(*arguments)] * 4, rtol=1e-4)


def test_a_step_of_equinox_returns_what_it_returns(tmp_path: Path) -> None:
    step, (model, state, x) = equinox_training_step()
    arguments = (model, state, -x)
    same(jax.tree.map(np.asarray, arrays(shlo.run(step, *arguments))), arrays(step(*arguments)))
    assert parameters(step, *arguments)[:2] == ["model.layers[0].weight", "model.layers[0].bias"]
    assert result_names(tmp_path / "step.mlir", step, *arguments)[1] == "result[0].layers[0].weight"


def arrays(tree: Any) -> list[Any]:
    return [leaf for leaf in jax.tree.leaves(tree) if hasattr(leaf, "shape")]


def test_what_a_library_has_lowered_takes_what_it_was_lowered_with() -> None:
    step, arguments = equinox_training_step()
    lowered = step.lower(*arguments)
    with pytest.raises(
        shlo.RequestError, match="another structure than those that the program was lowered with"
    ):
        shlo.run(lowered, *arguments[:2], (arguments[2], 1.0))
    with pytest.raises(shlo.RequestError, match="expected StableHLO, got a Compiled"):
        shlo.run(lowered.compile(), *arguments)
    with pytest.raises(shlo.RequestError, match="step: too many positional arguments"):
        shlo.run(step, *arguments, 1.0)


def test_a_wrapper_whose_lower_is_jax_own_or_something_else() -> None:
    class Plain:
        def __call__(self, x: Any) -> Any:
            return x + 1

        def lower(self, x: Any) -> Any:
            return jax.jit(lambda x: x * 2).lower(x)

    class Text(Plain):
        def lower(self, x: Any) -> Any:
            return "text"

    assert shlo.run(Plain(), 4.0) == 8
    assert shlo.run(Text(), 4.0) == 5
    assert shlo.run(jax.pmap(lambda x: x * 2), jnp.ones((1, 3))).tolist() == [[2, 2, 2]]
