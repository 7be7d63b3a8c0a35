"""Engines: the same programs, arguments, grids and results; what one cannot run is said."""

# pyright: reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false, reportIndexIssue=false

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.cli import main
from shlo.engines import EngineError, Placement, engine_of
from shlo.interpreter import RunOptions
from shlo.interpreter.custom_call_api import Stub
from shlo.interpreter.kernel_api import TOKEN
from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.program import program_of
from tests.jax_programs import RUNNABLE
from tests.oracle import UNOPTIMIZED

PARTS = 48
"""Processes that the corpus is given to."""
ROOT = Path(__file__).parents[2]
PROGRAM = """func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
  %0 = call @doubled(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @doubled(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @sized(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @stored(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  %0 = stablehlo.add %x, %x : tensor<2x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}
func.func @token(%x: !stablehlo.token) -> !stablehlo.token {
  return %x : !stablehlo.token
}
func.func @pair(%x: tuple<tensor<f32>>) -> tuple<tensor<f32>> {
  return %x : tuple<tensor<f32>>
}
func.func @callback(%x: tensor<f32>, %is_called: tensor<i1>) -> tensor<f32> {
  %0 = "stablehlo.if"(%is_called) ({
    %1 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @chain(%x: tensor<2xbf16>) -> (tensor<2xbf16>, tensor<i64>) {
  %t = stablehlo.create_token : !stablehlo.token
  %0:3 = stablehlo.custom_call @first(%t, %x) {has_side_effect = true}
    : (!stablehlo.token, tensor<2xbf16>) -> (!stablehlo.token, tensor<2xbf16>, tensor<i64>)
  %1 = stablehlo.custom_call @second.kernel(%0#1) : (tensor<2xbf16>) -> tensor<2xbf16>
  %2 = stablehlo.add %0#1, %1 : tensor<2xbf16>
  return %2, %0#2 : tensor<2xbf16>, tensor<i64>
}
"""
GRID_EXCEPTIONS = {
    "all_gather, both 2x4": "`groups-of-both` of docs/differences.md",
    "reduce_scatter, both 2x4": "`groups-of-both` of docs/differences.md",
    **{
        f"collective_broadcast, {way}": "XLA's CPU has no collective-broadcast"
        for way in ("cross replica 8x1", "cross partition 1x8", "cross replica 2x4", "cross partition 2x4")
    },
}


@pytest.fixture(scope="module")
def module() -> shlo.Module:
    return shlo.parse(PROGRAM)


def in_a_process(*arguments: str, **environment: str) -> Any:
    """Returns what a module of this folder prints, in a process in which JAX starts anew."""
    command = [sys.executable, "-m", "tests.engines.both_engines", *arguments]
    run = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()[-3000:]
    return json.loads(run.stdout)


def fresh(code: str) -> str:
    """Returns what code prints in a process of its own."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout.strip()


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("part", range(PARTS))
def test_every_jax_program_has_the_same_results_on_both_engines(part: int, tmp_path: Path) -> None:
    names = [program.name for program in RUNNABLE][part::PARTS]
    flags = os.environ.get("XLA_FLAGS", f"{UNOPTIMIZED} --xla_llvm_disable_expensive_passes=true")
    assert in_a_process("corpus", str(tmp_path), *names, XLA_FLAGS=flags) == {}


@pytest.mark.slow
@pytest.mark.oracle
def test_collectives_agree_in_grids_of_replicas_and_partitions(tmp_path: Path) -> None:
    assert in_a_process("collectives", str(tmp_path)).keys() == GRID_EXCEPTIONS.keys()


@pytest.mark.oracle
def test_xla_runs_any_function_and_leaves_arguments_as_they_are(module: shlo.Module) -> None:
    x = np.arange(4, dtype=np.float32)
    (found,) = shlo.run(module, x, engine="xla", platform="cpu")
    assert found.tolist() == [0, 2, 4, 6]
    found += 1  # it is the caller's own
    assert x.tolist() == [0, 1, 2, 3]
    assert shlo.run(module, x, engine="xla", entry="doubled")[0].tolist() == [0, 2, 4, 6]
    for size in (2, 3):
        given = np.arange(size, dtype=np.float32)
        assert shlo.run(module, given, engine="xla", entry="sized")[0].tolist() == (-given).tolist()
    stored = np.array([3, -7], np.int8)
    expected = shlo.run(module, stored, entry="stored")[0]
    assert np.array_equal(shlo.run(module, stored, engine="xla", entry="stored")[0], expected)


@pytest.mark.oracle
@pytest.mark.parametrize("dtype", ["f32", "bf16", "f8E5M2"])
@pytest.mark.parametrize("size", [4, 1 << 16])
def test_results_of_xla_may_be_written_to_and_share_memory_with_nothing(size: int, dtype: str) -> None:
    program = shlo.parse(f"""func.func @main(%x: tensor<{size}x{dtype}>, %y: tensor<{size}x{dtype}>) ->
        (tensor<{size}x{dtype}>, tensor<{size}x{dtype}>, tensor<{size}x{dtype}>, tensor<{size}x{dtype}>) {{
      %0 = stablehlo.constant dense<3.0> : tensor<{size}x{dtype}>
      %1 = stablehlo.add %x, %y : tensor<{size}x{dtype}>
      return %x, %0, %1, %1 : {", ".join([f"tensor<{size}x{dtype}>"] * 4)}
    }}""")
    of = shlo.run(
        shlo.parse(f"""func.func @main() -> tensor<{size}x{dtype}> {{
      %0 = stablehlo.constant dense<1.0> : tensor<{size}x{dtype}>
      return %0 : tensor<{size}x{dtype}>
    }}""")
    )[0]
    backing = np.zeros(of.nbytes + 64, np.uint8)  # aligned, so that XLA reads the argument where it is
    start = -backing.ctypes.data % 64
    x = backing[start : start + of.nbytes].view(of.dtype)
    x[:] = of
    for _ in range(3):
        results = shlo.run(program, x, of, engine="xla")
        assert [(result[0], result[-1]) for result in results] == [(1, 1), (3, 3), (2, 2), (2, 2)]
        for written, result in enumerate(results):
            result[:] = 7
            assert all(each[0] != 7 for each in (x, of, *results[written + 1 :]))


def test_an_executable_is_compiled_once(module: shlo.Module, monkeypatch: pytest.MonkeyPatch) -> None:
    from shlo.engines.xla import runtime

    x = np.zeros(4, np.float32)
    shlo.run(module, x, engine="xla", entry="doubled")
    monkeypatch.setattr(runtime, "compile_program", None)  # calling it would fail
    shlo.run(module, x, engine="xla", entry="doubled")


@pytest.mark.oracle
def test_a_function_of_jax_runs_on_xla() -> None:
    import jax.numpy as jnp

    found = shlo.run(lambda x: {"y": jnp.sin(x), "n": 3}, np.ones(3, np.float32), engine="xla")
    np.testing.assert_allclose(found["y"], np.sin(np.ones(3, np.float32)), rtol=1e-6)
    assert found["n"] == 3


@pytest.mark.oracle
def test_a_program_that_this_process_has_not_lowered_calls_lapack() -> None:
    program = """func.func @main(%x: tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<i32>) {
      %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%x) {
        backend_config = {uplo = 76 : ui8},
        output_operand_aliases = [#stablehlo.output_operand_alias<
          output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>],
        operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
        result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], api_version = 4 : i32
      } : (tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<i32>)
      return %0#0, %0#1 : tensor<1x1xf32>, tensor<i32>
    }"""
    found = fresh(
        f"import numpy, shlo\nmodule = shlo.parse({program!r})\n"
        "root, info = shlo.run(module, numpy.full((1, 1), 4, numpy.float32), engine='xla')\n"
        "print(root.tolist(), info)"
    )
    assert found == "[[2.0]] 0"


@pytest.mark.oracle
def test_callbacks_of_a_function_are_called_as_the_interpreter_calls_them(
    capfd: pytest.CaptureFixture[str],
) -> None:
    import jax
    import jax.numpy as jnp

    seen: list[float] = []

    def doubled(x: Any) -> Any:
        seen.append(float(x.sum()))
        if x[0] < 0:
            raise ValueError("it is negative")
        return np.asarray(x) * 2

    def function(x: Any) -> Any:
        jax.debug.print("x[0] is {}", x[0])
        return jnp.sin(jax.pure_callback(doubled, jax.ShapeDtypeStruct((3,), np.float32), x + 1))

    x = np.ones(3, np.float32)
    found = [shlo.run(function, x, engine=engine) for engine in ("interpreter", "xla", "xla")]
    np.testing.assert_allclose(found[1], found[0], rtol=1e-6)
    assert found[1].tolist() == found[2].tolist()
    assert seen == [6, 6, 6]
    assert capfd.readouterr().out == "x[0] is 1.0\n" * 3
    for engine in ("interpreter", "xla"):
        with pytest.raises(shlo.ExecutionError, match=r"<jax>:\d+:\d+: .* raised ValueError: it is negative"):
            shlo.run(function, -2 * x, engine=engine)
    assert shlo.run(lambda x: jax.debug.print("only {}", x), 1.5, engine="xla") is None
    assert "only 1.5" in capfd.readouterr().out


@pytest.mark.oracle
@pytest.mark.parametrize("is_separate", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_tokens_of_a_function_are_not_xlas(
    is_separate: bool, module: shlo.Module, capfd: pytest.CaptureFixture[str]
) -> None:
    import jax

    def ordered(x: Any) -> Any:
        jax.debug.print("first {}", x, ordered=True)
        jax.debug.print("second {}", x, ordered=True)
        return x + 1

    program = program_of(ordered, Arguments((np.ones(2, np.float32),)))
    engine = engine_of("xla", Placement("cpu", is_separate=is_separate))
    options = RunOptions(callbacks=program.callbacks)
    token, found = engine.execute(program.module, [None, np.ones(2, np.float32)], options)
    assert (token, found.tolist()) == (TOKEN, [2, 2])
    assert capfd.readouterr().out == "first [1. 1.]\nsecond [1. 1.]\n"
    assert engine.execute(module, [None], RunOptions(entry="token")) == (TOKEN,)


@pytest.mark.oracle
@pytest.mark.parametrize("is_separate", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_stubs_and_handlers_of_a_run_answer_custom_calls_of_xla(
    module: shlo.Module, is_separate: bool
) -> None:
    engine = engine_of("xla", Placement("cpu", is_separate=is_separate))
    x = np.array([1, 2], "bfloat16")
    handlers = {"first": lambda call: lambda token, value: (token, value * value, np.int64(7))}
    stubs: list[tuple[Stub, list[float]]] = [("zeros", [1, 4]), ({"result_0": [5, 6]}, [6, 10])]
    for stub, expected in stubs:
        options = RunOptions(entry="chain", handlers=handlers, stubs={"second.*": stub})
        found, number = engine.execute(module, [x], options)
        assert (found.tolist(), number) == (expected, 7)
    options = RunOptions(entry="callback")
    assert engine.execute(module, [3.0, False], options)[0] == 3
    with pytest.raises(shlo.ExecutionError, match="expected a handler for custom call") as raised:
        engine.execute(module, [3.0, True], options)
    assert raised.value.place == "<text>:25:5"
    options = RunOptions(entry="callback", stubs={"xla_ffi_python_cpu_callback": "zeros"})
    assert engine.execute(module, [3.0, True], options)[0] == 0


@pytest.mark.oracle
def test_an_executable_that_calls_python_runs_within_itself(module: shlo.Module) -> None:
    options: Any = {"entry": "chain", "engine": "xla", "stubs": {"second.*": "zeros"}}
    inner = {"first": lambda call: lambda token, value: (token, value, np.int64(1))}

    def outer(call: Any) -> Any:
        def run(token: Any, value: Any) -> Any:
            return token, shlo.run(module, value + value, handlers=inner, **options)[0], np.int64(2)

        return run

    found, number = shlo.run(module, np.array([1, 2], "bfloat16"), handlers={"first": outer}, **options)
    assert (found.tolist(), number) == ([2, 4], 2)


@pytest.mark.parametrize(
    ("entry", "arguments", "options", "message"),
    [
        ("pair", [(1,)], {}, "expected tensors as arguments and results of @pair for XLA"),
        ("main", [np.zeros(4, np.float32)], {"max_steps": 3}, "expected a run without a limit of operations"),
        ("main", [np.zeros(4, np.float32)], {"platform": "abacus"}, "expected a platform that JAX can use"),
    ],
)
@pytest.mark.oracle
def test_what_only_the_interpreter_runs_is_said(
    module: shlo.Module, entry: str, arguments: list[Any], options: Any, message: str
) -> None:
    with pytest.raises(EngineError, match=message) as raised:
        shlo.run(module, *arguments, entry=entry, engine="xla", **options)
    assert raised.value.hint


@pytest.mark.oracle
def test_arguments_that_do_not_fit_are_said_as_the_interpreter_says_it(module: shlo.Module) -> None:
    with pytest.raises(shlo.ExecutionError) as of_xla:
        shlo.run(module, np.zeros(5, np.float32), engine="xla")
    with pytest.raises(shlo.ExecutionError) as of_interpreter:
        shlo.run(module, np.zeros(5, np.float32))
    assert str(of_xla.value) == str(of_interpreter.value)


def test_an_engine_that_there_is_not_is_said(module: shlo.Module) -> None:
    with pytest.raises(EngineError, match="there is no engine 'xlaa'"):
        shlo.run(module, np.zeros(4, np.float32), engine="xlaa")
    with pytest.raises(EngineError, match="expected no devices for the interpreter"):
        engine_of("interpreter", Placement(devices=8))


def test_without_jax_the_message_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from shlo.engines.xla import runtime

    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    monkeypatch.setattr(runtime, "find_spec", lambda name: None)
    assert main(["run", str(path), "--zeros", "--engine", "xla"]) == 2
    said = capsys.readouterr().err
    assert "error: jax is not installed, which brings XLA\nhint: pip install 'shlo[xla]'" in said


def test_options_that_look_into_a_run_are_for_the_interpreter(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    assert main(["run", str(path), "--zeros", "--engine", "xla", "--time"]) == 2
    assert capsys.readouterr().err.startswith("error: expected the interpreter for --time, got --engine xla")


@pytest.mark.oracle
def test_a_jaxlib_whose_undeclared_parts_are_others_is_used_as_far_as_they_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from jaxlib import xla_client

    from shlo.engines.xla import runtime

    inside, x = vars(xla_client)["_xla"], np.ones(4, np.float32)
    make: Any = inside.array_result_handler
    quick = {"_skip_checks": True} if "_skip_checks" in make.__doc__ else {}
    taking_no_keywords: Any = lambda *given: make(*given, **quick)  # noqa: E731
    monkeypatch.setattr(inside, "array_result_handler", taking_no_keywords)
    assert shlo.run(shlo.parse(PROGRAM), x, engine="xla")[0].tolist() == [2, 2, 2, 2]
    monkeypatch.setattr(inside, "array_result_handler", lambda: None)
    with pytest.raises(EngineError, match=r"expected a jaxlib like 0.10.2 to .* whose calls are others"):
        shlo.run(shlo.parse(PROGRAM), x, engine="xla")
    runtime._client.cache_clear()
    monkeypatch.setattr(runtime, "UNDECLARED", {"_xla": ("pjit", "moved_elsewhere")})
    with pytest.raises(EngineError, match="which has no moved_elsewhere") as raised:
        shlo.run(shlo.parse(PROGRAM), x, engine="xla")
    assert raised.value.hint


def test_jax_is_imported_by_the_engine_alone() -> None:
    found = fresh(
        "import sys, numpy, shlo, shlo.engines\n"
        f"module = shlo.parse({PROGRAM!r})\n"
        "shlo.run(module, numpy.zeros(4, numpy.float32))\n"
        "from shlo.engines.xla import engine\n"
        "print(sorted(each for each in sys.modules if each.split('.')[0] in ('jax', 'jaxlib')))"
    )
    assert found == "[]"


@pytest.mark.oracle
def test_too_few_devices_in_a_process_in_which_jax_runs() -> None:
    found = fresh(
        "import jax, shlo, shlo.engines\n"
        "jax.devices('cpu')\n"
        f"module = shlo.parse({PROGRAM!r})\n"
        "try:\n"
        "    shlo.run_grid(module, [[[1, 2, 3, 4]]], partitions=8, engine='xla', platform='cpu')\n"
        "except shlo.engines.EngineError as error:\n"
        "    print(error, error.hint)"
    )
    assert found.startswith("expected 8 devices of platform cpu, got 1 JAX settled the number of CPU devices")
    assert "XLA_FLAGS=--xla_force_host_platform_device_count=8" in found


@pytest.mark.slow
@pytest.mark.oracle
def test_a_sharded_program_goes_to_xlas_partitioner_whole() -> None:
    path = ROOT / "examples" / "mesh.mlir"
    code = (
        "import numpy, shlo\n"
        f"module = shlo.load({str(path)!r})\n"
        f"with numpy.load({str(path.with_suffix('.npz'))!r}) as file: values = [file[name] for name in file]\n"
        "one, = shlo.run(module, *values)\n"
        "other, = shlo.run(module, *values, engine='xla', platform='cpu')\n"
        "print(one.shape == other.shape and numpy.allclose(one, other, 1e-5))\n"
    )
    assert fresh(code) == "True"
