"""Files of `jax.export` for tests, written by JAX in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys, pathlib
import jax, jax.numpy as jnp
from jax import export
from jax.sharding import Mesh, PartitionSpec

folder = pathlib.Path(sys.argv[1])

def write(name, function, *arguments, platforms=("cpu",), vjp_order=0, **keywords):
    exported = export.export(jax.jit(function), platforms=platforms)(*arguments, **keywords)
    (folder / f"{name}.jaxexp").write_bytes(exported.serialize(vjp_order=vjp_order))

def matrix(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)

b, c = export.symbolic_shape("b, c")
write("kept", lambda x, unused, *, scale: {"sum": x.sum() * scale, "pair": (x, None)},
      matrix(2, 3), {"w": matrix(4)}, scale=matrix())
write("sizes", lambda x, y: x.sum() * x.shape[0] + y.shape[0], matrix(b, c), matrix(2 * b))
write("platforms", lambda x: jax.lax.platform_dependent(x, cpu=lambda x: x + 1, tpu=lambda x: x * 2),
      matrix(b), platforms=("tpu", "cpu"))


write("derivatives", jnp.sin, matrix(3), vjp_order=2)
mesh = Mesh(jax.devices(), "x")
write("sharded", jax.shard_map(lambda x: jax.lax.psum(x, "x"), mesh=mesh, in_specs=PartitionSpec("x"),
      out_specs=PartitionSpec()), matrix(8))
"""


def write_exports(folder: Path) -> None:
    """Writes `NAME.jaxexp` for each function of the script into a folder."""
    environment = {
        "XLA_FLAGS": "--xla_force_host_platform_device_count=4",
        "JAX_PLATFORMS": "cpu",
        "PATH": "",
    }
    subprocess.run([sys.executable, "-c", SCRIPT, str(folder)], env=environment, check=True, timeout=240)
