"""Running a function of a module on arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shlo.interpreter.custom_calls.registry import Handler
from shlo.interpreter.custom_calls.stubs import Stub
from shlo.interpreter.engine.errors import unlocated
from shlo.interpreter.engine.fast_path import Meter, Profile, Progress, Run, call
from shlo.interpreter.kernel_api import Context
from shlo.interpreter.program.code import program_of
from shlo.interpreter.program.region import set_current_context
from shlo.interpreter.runtime.channels import Channels
from shlo.interpreter.runtime.limits import Budget
from shlo.interpreter.runtime.marshal import accept, hand_out
from shlo.interpreter.semantics import Semantics
from shlo.interpreter.spmd.legacy import sharded_grid, sharded_partitions
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module


def run(
    module: Module,
    *arguments: Any,
    entry: str = "main",
    seed: int = 0,
    max_steps: int | None = None,
    max_bytes: int | None = None,
    handlers: Mapping[str, Handler] | None = None,
    stubs: Mapping[str, Stub] | None = None,
    semantics: Semantics = "spec",
    probe_folder: str | None = None,
    channels: Channels | None = None,
    profile: Profile | None = None,
    progress: Progress | None = None,
) -> tuple[Any, ...]:
    """Runs the function `entry` on arrays and gives its results, as NumPy arrays that are the caller's
    own.

    An argument is an array of the declared shape and dtype (`ml_dtypes` has those that NumPy lacks), or
    numbers or lists that fit; None stands for a token. Arguments are never written to.

    `seed` starts the generator of `rng`. `max_steps` limits how many operations are carried out,
    `max_bytes` how many bytes all values may take together. `handlers` go before the registered handlers
    of custom calls, `stubs` give results where there is none (see stubs.py). `probe_folder` is the folder
    that `interpreter.probe` writes to and `check.expect_serialized_eq` reads from. `channels` hold what
    `infeed` reads, and get what `outfeed` and `send` write. `profile` is told what each operation costs;
    `progress` is called with how many of the entry function's operations are done, and of how many.
    `semantics` "xla" does as XLA on CPU where it departs from the specification (see semantics.py).

    Parts of a program that are for each device of a mesh run on as many processes; the arguments and results
    are whole tensors.

    Raises ExecutionError, with the operation and its place, where the program cannot be run to its end.
    """
    partitions = sharded_partitions(module, entry, semantics)
    if partitions > 1:
        grid = sharded_grid(
            module,
            arguments,
            partitions,
            entry=entry,
            seed=seed,
            max_steps=max_steps,
            max_bytes=max_bytes,
            handlers=handlers,
            stubs=stubs,
            semantics=semantics,
            probe_folder=probe_folder,
            channels=channels,
            profile=profile,
        )
        return grid.run()[0]
    context = Context(seed=seed, handlers=handlers or {}, stubs=stubs or {}, probe_folder=probe_folder)
    if channels is not None:
        context.state[Channels] = channels
    meter = None if profile is None else Meter(profile)
    if meter is not None:
        context.state[Meter] = meter
    budget = context.state[Budget] = Budget(max_steps, max_bytes)
    before = set_current_context(context)
    function = None
    try:
        with np.errstate(all="ignore"):
            function = program_of(module, semantics).function(entry)
            values = accept(function, arguments)
            results = call(Run(context, budget, meter, progress), function, values)
            budget.check_results(results)
            return hand_out(results)
    except ExecutionError:
        raise
    except Exception as error:
        raise unlocated(error, function) from error
    finally:
        set_current_context(before)
