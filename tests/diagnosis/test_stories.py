"""`shlo.why` names the planted line of each of twenty programs first, and finds nothing in clean ones."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import shlo
from shlo.cli import main

from . import stories

pytestmark = pytest.mark.oracle

LINES = inspect.getsource(stories).splitlines()


def planted_line(name: str) -> int:
    start = next(at for at, line in enumerate(LINES, 1) if line.startswith(f"def {name}("))
    if name == "root_in_linen":
        start = next(at for at, line in enumerate(LINES, 1) if line.startswith("class Variance"))
    return next(at for at in range(start, len(LINES) + 1) if LINES[at - 1].endswith("# here"))


EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", stories.STORIES)
def test_the_planted_line_comes_first(name: str) -> None:
    function, arguments = stories.STORIES[name]()
    diagnosis = shlo.why(function, *arguments)
    assert diagnosis, str(diagnosis)
    line = diagnosis.causes[0].place.origin.line
    assert line is not None, str(diagnosis)
    assert (Path(line.file).name, line.line) == ("stories.py", planted_line(name)), str(diagnosis)


def clean_dropout(key: Any, x: Any) -> Any:
    def step(key: Any, _: Any) -> Any:
        key, part = jax.random.split(key)
        return key, jnp.where(jax.random.bernoulli(part, 0.5, x.shape), x, 0.0)

    return jax.lax.scan(step, key, None, length=3)[1], jax.random.fold_in(key, 1)


def clean_remat(key: Any, w: Any, x: Any) -> Any:
    def layer(w: Any, x: Any) -> Any:
        return jnp.tanh(x @ w) * jax.random.bernoulli(key, 0.9, x.shape)

    return jax.value_and_grad(lambda w: jnp.mean(jax.checkpoint(layer)(w, x)))(w)


def clean_distances(x: Any) -> Any:
    return jnp.mean((x[:, None] - x[None, :]) ** 2)


def clean_random_numbers(key: Any) -> Any:
    keys = jax.random.split(key, 4)
    return (
        jax.random.gamma(keys[0], 2.0),
        jax.random.poisson(keys[1], 3.0),
        jax.random.permutation(keys[2], 9),
    )


def clean_bf16(w: Any, x: Any) -> Any:
    return jax.grad(lambda w: jnp.mean(x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)).astype(jnp.float32))(
        w
    )


def clean_key_in_both_branches(key: Any, x: Any) -> Any:
    def draw(flag: Any, x: Any) -> Any:  # batched, both branches are computed, and one is taken
        branches = (
            (lambda: x + jax.random.normal(key, x.shape)),
            (lambda: x * jax.random.uniform(key, x.shape)),
        )
        return jax.lax.cond(flag, *branches)

    return jax.vmap(draw)(x[:, 0] > 0, x)


def clean_key_of_exclusive_draws(key: Any, x: Any) -> Any:
    return jnp.where(x > 0, jax.random.normal(key, x.shape), jax.random.uniform(key, x.shape))


def clean_integer_power(n: Any) -> Any:
    return jnp.int32(2) ** n  # the squares beyond the last bit of n wrap, and are not taken


def clean_search(limits: Any, x: Any) -> Any:
    def goes_on(at: Any) -> Any:
        return (at < len(limits)) & (limits[at] < x)  # reads behind the end where it stops

    return jax.lax.while_loop(goes_on, lambda at: at + 1, 0)


def clean_gather(table: Any, x: Any) -> Any:
    at = jnp.array([0, 1, 9])
    return jnp.where(at < len(table), table.at[at].get(mode="promise_in_bounds"), x)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (clean_key_in_both_branches, (stories.KEY, stories.X)),
        (clean_key_of_exclusive_draws, (stories.KEY, stories.X)),
        (clean_integer_power, (jnp.int32(17),)),
        (clean_search, (jnp.arange(4.0), jnp.float32(9))),
        (clean_gather, (jnp.arange(4.0) + 1, jnp.float32(9))),
        (clean_dropout, (stories.KEY, stories.X)),
        (clean_remat, (stories.KEY, stories.f32(8, 8), stories.X)),
        (clean_distances, (stories.X[0],)),
        (clean_random_numbers, (stories.KEY,)),
        (clean_bf16, (stories.f32(8, 2), stories.X)),
    ],
)
def test_what_looks_like_a_bug_and_is_none_is_not_reported(function: Any, arguments: Any) -> None:
    diagnosis = shlo.why(function, *arguments)
    assert not diagnosis, str(diagnosis)
    assert "no cause found" in str(diagnosis)
    assert "looked at:" in str(diagnosis)


def test_the_like_with_an_effect_is_reported() -> None:
    def both(key: Any, x: Any) -> Any:
        shape = x.shape
        noise = jnp.where(x > 0, jax.random.normal(key, shape), 1 - jax.random.normal(key, shape))
        return noise * jax.random.uniform(key, shape)

    kinds = {
        "key_reuse": (both, stories.KEY, stories.X),
        "wrapped": (lambda n: jnp.int32(2) ** n + 1, jnp.int32(33)),
        "clamped": (lambda table, at: table[at], jnp.arange(4.0), 4),
    }
    for kind, (function, *arguments) in kinds.items():
        assert {card.kind for card in shlo.why(function, *arguments).causes} == {kind}


def test_steps_are_followed_in_float64_only_where_results_lack_digits() -> None:
    x = jnp.linspace(0.1, 3.0, 64)
    exact = shlo.why(lambda x: jnp.sum(jnp.sin(x) ** 2), x)
    nothing = shlo.why(jax.grad(lambda b: jax.nn.softmax(x + b)[0]), jnp.float32(0.3))  # 0 but for rounding
    lost = shlo.why(lambda x: (x + 1e6) - 1e6, x)
    for diagnosis in (exact, nothing):
        assert "digits of 1 result in float64" in diagnosis.looked_at
    assert [card.kind for card in lost.causes] == ["precision"]
    assert "digits of 6 operations in float64" in lost.looked_at


def test_what_a_program_prints_is_shown_once_however_often_it_runs(capsys: Any) -> None:
    def loses(x: Any) -> Any:
        jax.debug.print("x is {}", x)
        return (x + 1e6) - 1e6

    for function in (loses, lambda x: jnp.log(loses(x) - 2)):
        assert shlo.why(function, jnp.float32(1.1))
        assert capsys.readouterr().out.count("x is 1.1") == 1


def test_the_command_prints_the_card_and_writes_data(tmp_path: Path, capsys: Any) -> None:
    program = tmp_path / "p.mlir"
    program.write_text(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %y = stablehlo.log %x : tensor<2xf32>\n  return %y : tensor<2xf32>\n}\n"
    )
    np.save(tmp_path / "x.npy", np.array([1, -1], np.float32))
    arguments = [str(program), str(tmp_path / "x.npy")]
    assert main(["why", *arguments]) == 1
    printed = capsys.readouterr().out
    assert printed.startswith("stablehlo.log made 1 NaN of 2 on line 2\n  from %x[1] = -1\n")
    assert main(["why", *arguments, "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["version"] == 1
    assert data["causes"][0]["kind"] == "nan"
    assert data["causes"][0]["text"] in printed
    np.save(tmp_path / "x.npy", np.array([1, 2], np.float32))
    assert main(["why", *arguments]) == 0
    assert capsys.readouterr().out.startswith("no cause found\nlooked at: ")


def test_a_grid_names_the_process(capsys: Any) -> None:
    assert (
        main(
            [
                "why",
                str(EXAMPLES / "data_parallel.mlir"),
                "--grid",
                "1x4",
                str(EXAMPLES / "data_parallel.npz"),
            ]
        )
        == 1
    )
    printed = capsys.readouterr().out
    assert printed.startswith("stablehlo.dot_general made 6 Inf of 6 on line 32\n")
    assert "  in process (batch=2)\n" in printed
    looked_at, left_out = printed.split("\nlooked at: ")[1].split("\nnot looked at: ")
    assert "keys" not in looked_at
    assert "random keys, which are not compared between processes" in left_out
    entry = "replica_{replica}"
    assert main(["why", str(EXAMPLES / "deadlock.mlir"), "--grid", "2x1", "1.0", "--entry", entry]) == 1
    assert "deadlock: processes wait for each other" in capsys.readouterr().out
    assert main(["why", str(EXAMPLES / "mean.mlir"), "--random", "1"]) == 1
    said = "stablehlo.all_reduce failed on line 7\n  names 1 in its groups, but the last of the grid's replicas is 0"
    assert capsys.readouterr().out.startswith(said)
