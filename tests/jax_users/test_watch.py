"""`shlo.watch`: the first wrong step of a training loop is replayed, captured in a file, and named."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import nnx

import shlo
from shlo.runner.capture import is_capture, sources_of

pytestmark = pytest.mark.oracle


def run_shlo(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "shlo", *words], capture_output=True, text=True, check=False)


def loss_of(w: Any, x: Any) -> Any:
    return jnp.mean(jnp.sqrt(x) @ w)


def plain_step(w: Any, x: Any) -> Any:
    loss, grad = jax.value_and_grad(loss_of)(w, x)
    return w - 0.1 * grad, loss


def batch(is_bad: bool) -> Any:
    return jnp.full((4, 3), -1.0 if is_bad else 2.0)


def plain_loop() -> tuple[Any, Callable[[Any, Any], Any]]:
    state = [jnp.ones(3)]

    def advance(step: Any, x: Any) -> None:
        state[0], _ = step(state[0], x)

    return jax.jit(plain_step, donate_argnums=0), advance


class Model(nnx.Module):
    """A layer of flax.nnx."""

    def __init__(self) -> None:
        self.lin = nnx.Linear(3, 1, rngs=nnx.Rngs(0))


def nnx_loop() -> tuple[Any, Callable[[Any, Any], Any]]:
    model = Model()
    optimizer = nnx.Optimizer(model, optax.adam(0.1), wrt=nnx.Param)

    @nnx.jit
    def step(model: Any, optimizer: Any, x: Any) -> Any:
        loss, grads = nnx.value_and_grad(lambda m: jnp.mean(m.lin(jnp.sqrt(x))))(model)
        optimizer.update(model, grads)
        return loss

    return step, lambda step, x: step(model, optimizer, x)


def equinox_loop() -> tuple[Any, Callable[[Any, Any], Any]]:
    state = [eqx.nn.Linear(3, 1, key=jax.random.PRNGKey(0))]

    @eqx.filter_jit
    def step(model: Any, x: Any) -> Any:
        loss, grads = eqx.filter_value_and_grad(lambda m: jnp.mean(jax.vmap(m)(jnp.sqrt(x))))(model)
        return eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, grads)), loss

    def advance(step: Any, x: Any) -> None:
        state[0], _ = step(state[0], x)

    return step, advance


@pytest.mark.parametrize("make", [plain_loop, nnx_loop, equinox_loop])
def test_the_first_step_with_a_nan_is_captured_and_named(make: Any, tmp_path: Path) -> None:
    step, advance = make()
    watched = shlo.watch(step, every=4, on_failure="file", capture=str(tmp_path / "s{step}.shlo"))

    def train() -> None:
        for number in range(60):
            advance(watched, batch(number == 10))
        watched.finish()

    with pytest.raises(shlo.StepError, match=r"sqrt made .*NaN") as caught:
        train()
    assert caught.value.step == 10
    assert caught.value.capture == str(tmp_path / "s10.shlo")
    assert caught.value.card is not None
    assert [path.name for path in tmp_path.iterdir()] == ["s10.shlo"]


def test_a_capture_is_debugged_where_its_sources_are_not(tmp_path: Path) -> None:
    path = tmp_path / "step.shlo"
    watched = shlo.watch(jax.jit(plain_step), on_failure="file", capture=str(path))
    watched(jnp.ones(3), batch(True))
    with pytest.raises(shlo.StepError):
        watched.finish()
    assert is_capture(str(path))
    assert __file__ in sources_of(str(path))
    (tmp_path / "script").write_text("nonfinite nan\nlist python\nprint x[0, 0]\n", encoding="utf-8")
    debugged = run_shlo("debug", str(path), "--script", str(tmp_path / "script"))
    assert "return jnp.mean(jnp.sqrt(x) @ w)" in debugged.stdout
    assert debugged.stdout.endswith("print x[0, 0]\n-1.\n")
    assert "nan" in run_shlo("run", str(path)).stdout


def test_a_state_that_turns_nan_unseen_is_traced_to_its_step(tmp_path: Path) -> None:
    @jax.jit
    def step(state: Any, x: Any) -> Any:
        return {"w": state["w"], "unused": state["unused"] * jnp.sqrt(x)}, jnp.sum(state["w"])

    watched = shlo.watch(step, every=5, on_failure="file", capture=str(tmp_path / "{step}.shlo"))
    state: Any = {"w": jnp.ones(2), "unused": jnp.ones(2)}
    for number in range(11):  # the next snapshot is that of step 10
        state, _ = watched(state, np.float32(-1 if number == 7 else 1))
    with pytest.raises(shlo.StepError) as caught:
        watched.finish()
    assert caught.value.step == 7


def test_a_predicate_is_checked_with_the_step(tmp_path: Path) -> None:
    step = jax.jit(lambda x: x * 2)
    watched = shlo.watch(
        step, predicate=lambda y: y < 100, on_failure="file", capture=str(tmp_path / "c.shlo")
    )
    x = jnp.float32(1)
    for _ in range(9):
        x = watched(x)
    with pytest.raises(shlo.StepError, match="the predicate is false") as caught:
        watched.finish()
    assert caught.value.step == 6


def test_memory_holds_two_snapshots(tmp_path: Path) -> None:
    watched = shlo.watch(jax.jit(plain_step), every=1000, memory=1000, on_failure="file")
    w = jnp.ones(3)
    for _ in range(200):  # of 48 bytes each
        w, _ = watched(w, batch(False))
    assert watched.kept_calls <= 2 * (1 + 1000 // 48 + 1)


def test_a_donated_state_that_turns_nan_unseen_is_captured_as_it_was(tmp_path: Path) -> None:
    def step(state: Any, x: Any) -> Any:
        return {"w": state["w"], "unused": state["unused"] * jnp.sqrt(x)}, jnp.sum(state["w"])

    jitted = jax.jit(step, donate_argnums=0)
    watched = shlo.watch(jitted, every=5, on_failure="file", capture=str(tmp_path / "{step}.shlo"))
    state: Any = {"w": jnp.ones(2), "unused": jnp.ones(2)}
    for number in range(11):
        state, _ = watched(state, np.float32(-1 if number == 7 else 1))
    with pytest.raises(shlo.StepError, match="sqrt made a NaN") as caught:
        watched.finish()
    assert caught.value.step == 7


def test_a_call_that_raises_is_no_step(tmp_path: Path) -> None:
    path = str(tmp_path / "step.shlo")
    watched = shlo.watch(jax.jit(plain_step), on_failure="file", capture=path)
    w = jnp.ones(3)
    for number in range(9):
        if number in (0, 4):
            with pytest.raises(TypeError):
                watched(w, jnp.ones((4, 2)))
        w, _ = watched(w, batch(number == 6))
    with pytest.raises(shlo.StepError, match="sqrt made 12 NaN") as caught:
        watched.finish()
    assert caught.value.step == 6


def test_arguments_that_change_their_order_and_structure_are_replayed_as_they_were(tmp_path: Path) -> None:
    @partial(jax.jit, donate_argnames="w")
    def step(w: Any, a: Any, b: Any, extra: Any = None) -> Any:
        total = w + a - 2 * b
        return total if extra is None else total + extra, jnp.log(w)

    watched = shlo.watch(step, on_failure="file", capture=str(tmp_path / "step.shlo"))
    w, one, two = jnp.full(3, 20.0), jnp.full(3, 1.0), jnp.full(3, 2.0)
    for number in range(40):  # 3 steps take 0, -3 and -2.5 from w, which is -2 after step 11
        if number % 3 == 2:
            w, _ = watched(w=w, a=one, b=two, extra=jnp.full(3, 0.5))
        else:
            w, _ = watched(w, *((two, one) if number % 3 == 0 else (one, two)))
    with pytest.raises(shlo.StepError, match="log made 3 NaN") as caught:
        watched.finish()
    assert caught.value.step == 12


SHARDED = """
import sys, jax, jax.numpy as jnp, shlo
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((8,), ("x",))

def train_step(w, x):
    loss, grad = jax.value_and_grad(lambda w: jnp.mean(jnp.sqrt(x) @ w))(w)
    return w - 1e-4 * grad, loss

step = shlo.watch(jax.jit(train_step, donate_argnums=0), every=100, on_failure="file", capture=sys.argv[1])
w = jax.device_put(jnp.ones(3), NamedSharding(mesh, P()))
good, bad = (
    jax.device_put(jnp.full((8, 3), value), NamedSharding(mesh, P("x"))) for value in (2.0, -1.0)
)
try:
    for number in range(800):
        w, _ = step(w, bad if number == 712 else good)
        jax.block_until_ready(w)  # XLA's devices of a host wait for each other without end in many calls at once
    step.finish()
except shlo.StepError as error:
    print(error.step, error.card.title)
"""


def test_a_nan_of_a_donated_run_on_eight_devices_is_captured_and_named(tmp_path: Path) -> None:
    path = tmp_path / "step.shlo"
    trained = subprocess.run(
        [sys.executable, "-c", SHARDED, str(path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=8"},
    )
    assert trained.stdout.startswith("712 "), trained.stderr
    assert "sqrt" in trained.stdout
    assert is_capture(str(path))


def test_a_state_that_shows_in_no_other_result_is_checked_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "step.shlo"
    watched = shlo.watch(jax.jit(lambda w: jnp.sqrt(w - 0.5)), on_failure="file", capture=str(path))
    w = jnp.ones(3)
    for _ in range(5):
        w = watched(w)
    with pytest.raises(shlo.StepError) as caught:
        watched.finish()
    assert caught.value.step == 2
    watched.finish()


def test_numbers_of_python_are_checked_and_a_step_that_cannot_be_traced_is_told_so(tmp_path: Path) -> None:
    path = str(tmp_path / "step.shlo")
    watched = shlo.watch(lambda x: float(jnp.log(x)), on_failure="file", capture=path)
    watched(jnp.float32(-1))
    with pytest.raises(
        shlo.StepError, match="its results are wrong; not captured, as JAX cannot trace"
    ) as caught:
        watched.finish()
    assert (caught.value.step, caught.value.capture) == (0, "")


UNFINISHED = """
import sys, jax, jax.numpy as jnp, shlo

def train_step(w, x):
    return w - x, jnp.log(w).sum()

def train(step):
    w = jnp.ones(3)
    for _ in range(3):
        w, _ = step(w, jnp.full(3, 0.9))

def main():
    train(shlo.watch(jax.jit(train_step), on_failure="file", capture=sys.argv[1]))
    train(shlo.watch(train_step, on_failure="file", capture=sys.argv[1]))
    print("main ends", file=sys.stderr)

main()
step = shlo.watch(jax.jit(train_step), on_failure="file", capture=sys.argv[1])
train(step)
print("exit", file=sys.stderr)
"""


def test_the_last_steps_are_checked_where_nothing_finishes_them(tmp_path: Path) -> None:
    command = [sys.executable, "-c", UNFINISHED, str(tmp_path / "step.shlo")]
    trained = subprocess.run(command, capture_output=True, text=True, check=True)
    told = [line for line in trained.stderr.splitlines() if line.startswith(("shlo.watch: ", "main", "exit"))]
    failure = f"shlo.watch: step 2 of train_step, captured in {command[-1]}:"
    assert told == [failure, failure, "main ends", "exit", failure]


WRITER = """
import itertools, sys
import numpy as np
from shlo.runner.capture import FORMAT, VERSION, CaptureHeader, write_capture

for number in itertools.count():
    write_capture(sys.argv[1], "module {}", {"x": np.full(100_000, number)}, CaptureHeader(FORMAT, VERSION, number))
    print(number, flush=True)
"""


def test_a_process_that_is_killed_while_it_captures_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "step.shlo"
    for delay in np.random.default_rng(0).uniform(0, 0.05, 6):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()  # a capture is there, and the next one is being written
            time.sleep(delay)
            writer.kill()
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
        assert is_capture(str(path))


def test_misuse_is_refused() -> None:
    for wrong, words in (
        (lambda: shlo.watch(3), "expected a function, got 3"),  # pyright: ignore[reportArgumentType]
        (lambda: shlo.watch(plain_step, every=0), "expected a positive number for every, got 0"),
        (lambda: shlo.watch(plain_step, on_failure="stop"), "expected 'debug', 'file' or a function"),  # pyright: ignore[reportArgumentType]
    ):
        with pytest.raises(shlo.RequestError, match=words):
            wrong()


@pytest.fixture
def parts(tmp_path: Path) -> dict[str, bytes]:
    """Returns the parts of a capture."""
    path = tmp_path / "good.shlo"
    watched = shlo.watch(jax.jit(plain_step), on_failure="file", capture=str(path))
    watched(jnp.ones(3), batch(True))
    with pytest.raises(shlo.StepError):
        watched.finish()
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pickled() -> bytes:
    """Returns an array file of Python objects."""
    from io import BytesIO

    file = BytesIO()
    np.save(file, np.array([print], dtype=object), allow_pickle=True)
    return file.getvalue()


HOSTILE: dict[str, dict[str, bytes]] = {
    "another version": {"capture.json": json.dumps({"format": "shlo-capture", "version": 9}).encode()},
    "no JSON": {"capture.json": b"\xff{"},
    "nested JSON": {"capture.json": b"[" * 100_000},
    "no program": {"program.mlir": b"\0\1\2"},
    "objects": {"arg1.npy": pickled()},
    "an array that claims terabytes": {
        "arg1.npy": b"\x93NUMPY\x01\x00v\x00"
        + b"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3000000000000), }".ljust(117)
        + b"\n"
    },
}


@pytest.mark.parametrize("changes", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_capture_is_one_message(
    changes: dict[str, bytes], parts: dict[str, bytes], tmp_path: Path
) -> None:
    path = tmp_path / "bad.shlo"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**parts, **changes}.items():
            archive.writestr(name, data)
    refused = run_shlo("run", str(path))
    assert refused.returncode in (1, 2)
    assert "error" in refused.stderr
    assert "internal error" not in refused.stderr
    assert "Traceback" not in refused.stderr
