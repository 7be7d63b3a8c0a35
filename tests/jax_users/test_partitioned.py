"""Functions of `jax.experimental.custom_partitioning` on several devices: a program has no more of them than a
number.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import shlo

pytestmark = pytest.mark.oracle


def partitioned() -> tuple[Any, jax.Array]:
    """Returns a jitted function that calls one twice, in a branch too, and its argument on all devices."""
    from jax.experimental.custom_partitioning import custom_partitioning

    def double_sine(x: jax.Array) -> jax.Array:
        return jnp.sin(x) * 2

    def partition(mesh: Any, arguments: Any, result: Any) -> Any:
        return mesh, double_sine, result.sharding, (arguments[0].sharding,)

    own: Any = custom_partitioning(double_sine)
    own.def_partition(partition, sharding_rule="i j -> i j")
    mesh = jax.sharding.Mesh(np.array(jax.devices()), ("x",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x", None))
    x = jax.device_put(np.arange(16, dtype=np.float32).reshape(8, 2), sharding)
    return jax.jit(lambda x: own(x) + jax.lax.cond(x.sum() > 0, own, jnp.cos, x)), x


def check_on_8_devices(path: str) -> None:
    """Raises AssertionError, in a process of 8 devices."""
    function, x = partitioned()
    expected, lowered = np.asarray(function(x)), function.lower(x)
    assert "@CustomSPMDPartitioning" in lowered.as_text()
    for given in (function, function.trace(x), lambda x: function(x)):
        for engine in ("interpreter", "xla"):
            np.testing.assert_allclose(shlo.run(given, x, engine=engine), expected, rtol=1e-5)
    np.testing.assert_allclose(shlo.run(lowered, x, engine="xla"), expected, rtol=1e-5)
    Path(path).write_text(lowered.as_text())
    with pytest.raises(shlo.ExecutionError, match="what it computes is in the process that lowered"):
        shlo.run(lowered, x)


def test_they_run_where_the_function_is_at_hand_and_elsewhere_it_is_said(tmp_path: Path) -> None:
    path = tmp_path / "lowered.mlir"
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=8", "JAX_PLATFORMS": "cpu"}
    root = Path(__file__).parents[2]
    for code in (
        "import sys; from tests.jax_users.test_partitioned import check_on_8_devices as check; check(sys.argv[1])",
        "import sys; from tests.jax_users.test_partitioned import check_file as check; check(sys.argv[1])",
    ):
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)],
            env={**os.environ, **flags},
            cwd=root,
            capture_output=True,
            text=True,
            timeout=200,
        )
        assert done.returncode == 0, done.stderr


def check_file(path: str) -> None:
    """Raises AssertionError, in another process than the one that lowered the program."""
    x = np.ones((8, 2), np.float32)
    for engine in ("interpreter", "xla"):
        with pytest.raises(shlo.ExecutionError, match="the process that lowered the program") as raised:
            shlo.run(Path(path), x, engine=engine)
        assert (raised.value.place or "").startswith(f"{path}:")
