"""`shlo.debug` on programs as people write them ends at the planted NaN, with its line of Python."""

from __future__ import annotations

import linecache
import os
import subprocess
import sys
from pathlib import Path

import pytest

import shlo
from shlo.debugger import Session

from .models import MODELS

pytestmark = pytest.mark.oracle


def line_of_nan(session: Session) -> str:
    """Returns the line of Python of the operation that makes the first NaN."""
    session.nonfinite.run_to("nan")
    step = session.snapshot.last_step
    assert step is not None
    lines = (linecache.getline(line.file, line.line).strip() for line in step.origin.lines)
    return next((line for line in lines if "# the NaN" in line), str(step.origin))


@pytest.mark.parametrize("name", MODELS)
def test_the_debugger_ends_at_the_planted_nan(name: str) -> None:
    function, arguments = MODELS[name]()
    session = shlo.debug(function, *arguments, front_end=lambda session: session)
    assert "# the NaN" in line_of_nan(session)


DEVICES = """
from tests.jax_users.models import shard_map
from tests.jax_users.test_models import line_of_nan
import shlo

function, arguments = shard_map()
session = shlo.debug(function, *arguments, front_end=lambda session: session)
print(session.grid.replicas * session.grid.partitions, "processes;", line_of_nan(session))
print(shlo.run(function, abs(arguments[0])), function(abs(arguments[0])))
"""


def test_shard_map_on_8_devices_is_a_grid_of_8_processes() -> None:
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=8", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, "-c", DEVICES],
        env={**os.environ, **flags},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.stdout.splitlines() == [
        "8 processes; return jnp.sqrt(total)  # the NaN",
        "10.954452 10.954452",
    ], done.stderr
