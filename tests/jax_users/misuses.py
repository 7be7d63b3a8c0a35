"""Mistakes in calls of shlo's functions, each on a line that ends in `# expect`: an editor has to find them.

pyright reads this file in `test_typing.py`; nothing runs it.
"""

# ruff: noqa
# pyright: strict, reportUnusedVariable=false, reportUnusedExpression=false

from __future__ import annotations

import numpy as np

import shlo


def scaled(x: float, *, by: int = 1) -> str:
    return str(x * by)


module = shlo.parse("")

# right
text: str = shlo.run(scaled, 1.0, by=2)
other: str = shlo.run(scaled, 1.0, engine="xla")
third: str = shlo.run(scaled, 1.0, options={"max_steps": 10})
shlo.run(module, np.zeros(3), engine="reference")
shlo.run("program.mlir", 1.0)
shlo.run(scaled, 1.0, shadow="f64").losses
shlo.why(scaled, 1.0, options={"max_steps": 10}).causes
shlo.cost("program.mlir", rules="xla")
shlo.check(module)
shlo.debug(scaled, 1.0, by=2, shadow="f64")
shlo.debug(scaled, 1.0, by=2, listen=":0", options={"memory": 10}, static_argnames="by")
shlo.debug("program.mlir", 1.0, listen=":0", max_steps=10)
shlo.check(scaled, 1.0, by=2, static_argnums=1)
shlo.why(scaled, 1.0, by=2, static_argnames="by")
shlo.cost(scaled, 1.0, by=2, rules="xla", static_argnames="by")
watched = shlo.watch(scaled)
again: str = watched(1.0, by=3)

# wrong
number: int = shlo.run(scaled, 1.0)  # expect
shlo.run(scaled, "1.0")  # expect
shlo.run(scaled)  # expect
shlo.run(scaled, 1.0, 2.0)  # expect
shlo.run(scaled, 1.0, by="2")  # expect
shlo.run(scaled, 1.0, times=2)  # expect
shlo.run(scaled, 1.0, engine="XLA")  # expect
shlo.run(module, engine="xlaa")  # expect
shlo.run(scaled, 1.0, options={"max_step": 10})  # expect
shlo.run(scaled, 1.0, options={"max_steps": "10"})  # expect
shlo.run(scaled, 1.0, options={"semantics": "jax"})  # expect
shlo.run(scaled, 1.0, options="xla")  # expect
shlo.run(scaled, 1.0, shadow="f32")  # expect
shlo.run(3)  # expect
wrong: int = shlo.run(scaled, 1.0, engine="xla")  # expect
shlo.watch(3)  # expect
shlo.watch(scaled, every="100")  # expect
shlo.watch(scaled, on_failure="stop")  # expect
watched("1.0")  # expect
watched(1.0, by=2.5)  # expect
shlo.parse(3)  # expect
shlo.verify("text")  # expect
shlo.save(3, scaled)  # expect
shlo.debug_nans(front_end="tui")  # expect
shlo.debug(scaled, 1.0, options={"max_stepz": 1})  # expect
shlo.debug(3)  # expect
shlo.debug(scaled, 1.0, shadow="f32")  # expect
shlo.debug(scaled, 1.0, listen=5678)  # expect
shlo.check(3)  # expect
shlo.check(scaled, 1.0, static_argnums="by")  # expect
shlo.why(3)  # expect
shlo.why(scaled, 1.0, options={"max_steps": "10"})  # expect
shlo.cost(3)  # expect
shlo.cost(scaled, 1.0, rules="XLA")  # expect
shlo.debug(scaled, "1.0")  # expect
shlo.debug(scaled, 1.0, times=2)  # expect
shlo.debug("program.mlir", 1.0, listen=5678)  # expect
shlo.check(scaled)  # expect
shlo.check(scaled, 1.0, by="2")  # expect
shlo.why(scaled, 1.0, 2.0)  # expect
shlo.why(scaled, 1.0, engine="xla")  # expect
shlo.cost(scaled, 1.0, entri="main")  # expect
shlo.cost(scaled, 1.0, entry=3)  # expect
