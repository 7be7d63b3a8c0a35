"""Every kind of object that holds a program runs on what its Python function takes, and returns what that returns."""

# pyright: reportArgumentType=false, reportCallIssue=false

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export
from jax.experimental import io_callback

import shlo
from shlo.debugger import Session

from .objects import EXAMPLES, Example

pytestmark = pytest.mark.oracle

STAGES: dict[str, Callable[[Any, Example], Any]] = {
    "jitted": lambda jitted, example: jitted,
    "traced": lambda jitted, example: jitted.trace(*example.arguments, **example.keywords),
    "lowered": lambda jitted, example: jitted.lower(*example.arguments, **example.keywords),
}


def same(ours: Any, theirs: Any) -> None:
    assert jax.tree.structure(ours) == jax.tree.structure(theirs)
    for mine, other in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs)):
        if hasattr(other, "dtype") and jnp.issubdtype(other.dtype, jax.dtypes.prng_key):
            mine, other = jax.random.key_data(mine), jax.random.key_data(other)
        mine, other = np.asarray(mine), np.asarray(other)
        assert (mine.dtype, mine.shape) == (other.dtype, other.shape)
        np.testing.assert_allclose(mine.astype(complex), other.astype(complex), rtol=2e-5)


def dynamic_arguments(example: Example) -> tuple[list[Any], dict[str, Any]]:
    """Returns the arguments of a call without the static ones, which a lowered program holds."""
    number, name = example.jit.get("static_argnums"), example.jit.get("static_argnames")
    return (
        [value for at, value in enumerate(example.arguments) if at != number],
        {key: value for key, value in example.keywords.items() if key != name},
    )


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", EXAMPLES)
def test_stages_of_jit_run_as_the_function(name: str, stage: str) -> None:
    example = EXAMPLES[name]
    jitted = jax.jit(example.function, **example.jit)
    program = STAGES[stage](jitted, example)
    positional, keywords = (
        (example.arguments, example.keywords) if stage == "jitted" else dynamic_arguments(example)
    )
    same(
        shlo.run(program, *positional, **keywords),
        jitted(*example.arguments, **example.keywords),
    )


@pytest.mark.parametrize("name", EXAMPLES)
def test_plain_functions_run_as_jitted(name: str) -> None:
    example = EXAMPLES[name]
    static = {key: value for key, value in example.jit.items() if key.startswith("static")}
    expected = jax.jit(example.function, **example.jit)(*example.arguments, **example.keywords)
    same(shlo.run(example.function, *example.arguments, **example.keywords, **static), expected)


@pytest.mark.parametrize("name", EXAMPLES)
def test_exported_functions_run_for_every_platform(name: str) -> None:
    example = EXAMPLES[name]
    jitted = jax.jit(example.function, **example.jit)
    exported = export.export(jitted, platforms=["tpu", "cpu"])(*example.arguments, **example.keywords)
    given, named = dynamic_arguments(example)
    same(shlo.run(exported, *given, **named), jitted(*example.arguments, **example.keywords))


def test_the_platform_is_chosen() -> None:
    def f(x: Any) -> Any:
        return jax.lax.platform_dependent(x, cpu=lambda x: x + 1, tpu=lambda x: x + 2)

    exported = export.export(jax.jit(f), platforms=["tpu", "cpu"])(1.0)
    assert shlo.run(exported, 1.0) == 2
    assert shlo.run(exported, 1.0, options={"platform": "tpu"}) == 3
    with pytest.raises(
        shlo.RequestError, match=r"expected a platform that it was lowered for \(tpu, cpu\), got gpu"
    ):
        shlo.run(exported, 1.0, options={"platform": "gpu"})


@pytest.mark.parametrize("stage", ["exported", "lowered"])
def test_symbolic_shapes_take_arrays_of_any_size(stage: str) -> None:
    rows, columns = export.symbolic_shape("rows, columns")
    jitted = jax.jit(lambda x, y: jnp.sin(x) @ y + x.shape[0])
    shapes = jax.ShapeDtypeStruct((rows, columns), np.float32), jax.ShapeDtypeStruct((columns,), np.float32)
    program = export.export(jitted)(*shapes) if stage == "exported" else jitted.trace(*shapes).lower()
    x, y = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(3, np.float32)
    same(shlo.run(program, x, y), jitted(x, y))


def test_x64_is_what_jax_was_told() -> None:
    with jax.enable_x64(True):
        lowered = jax.jit(lambda x, n: x / n).lower(np.arange(3.0), 3)
        same(shlo.run(lowered, np.arange(3.0), 3), np.arange(3.0) / 3)
        same(shlo.run(lambda x: x / 3, np.arange(3.0)), np.arange(3.0) / 3)


def test_programs_that_are_no_functions_take_what_main_takes(tmp_path: Path) -> None:
    lowered = jax.jit(lambda p, k: (p["w"] * 2, jax.random.key_data(k))).lower(
        {"w": jnp.ones(2)}, jax.random.key(1)
    )
    path = tmp_path / "program.mlir"
    path.write_text(lowered.as_text())
    artifact = export.export(jax.jit(lambda x: x * 2))(jnp.ones(2)).serialize()
    for program in (lowered.compiler_ir(), lowered.as_text(), lowered.as_text().encode(), path, str(path)):
        doubled, words = shlo.run(program, {"w": jnp.ones(2)}, jax.random.key(1))
        assert (doubled.tolist(), words.tolist()) == ([2, 2], [0, 1])
    assert shlo.run(bytes(artifact), np.ones(2, np.float32))[0].tolist() == [2, 2]
    assert shlo.run(
        shlo.parse(lowered.as_text()), np.ones(2, np.float32), np.arange(2, dtype=np.uint32), max_steps=9
    )


def test_partial_functions_methods_and_what_is_no_array_in_pytrees() -> None:
    class Model:
        def __init__(self, scale: float) -> None:
            self.scale = scale

        def __call__(self, x: Any, config: dict[str, Any]) -> Any:
            return {"y": config["activation"](x * self.scale), "name": config["name"]}

    config = {"activation": jnp.tanh, "name": "tanh", "rate": 0.5}
    result = shlo.run(Model(2.0), np.ones(2, np.float32), config)
    assert result["name"] == "tanh"
    np.testing.assert_allclose(result["y"], np.tanh([2, 2]), rtol=1e-6)
    assert shlo.run(jax.tree_util.Partial(jnp.add, 1.0), 2.0) == 3
    assert shlo.run(Model(2.0).__call__, 1.0, {"activation": jnp.negative, "name": ""})["y"] == -2


# --- errors ---

LOWERED = jax.jit(lambda params, y: params["layers"][0]["w"] @ y + params["b"]).lower(
    {"layers": [{"w": jnp.ones((2, 3))}], "b": 1.0, "unused": 0}, jnp.ones(3)
)
PARAMS = {"layers": [{"w": np.ones((2, 3), np.float32)}], "b": 1.0, "unused": 0}
Y = np.ones(3, np.float32)
MISTAKES: dict[str, tuple[Callable[[], Any], str]] = {
    "shape": (lambda: shlo.run(LOWERED, PARAMS, Y[:2]), "argument `y` has shape (2,), expected (3,)"),
    "shape of a scalar": (
        lambda: shlo.run(LOWERED, {**PARAMS, "b": Y}, Y),
        "argument `params['b']` has shape (3,), expected ()",
    ),
    "dtype": (
        lambda: shlo.run(LOWERED, PARAMS, np.arange(3)),
        "argument `y` has dtype int64, expected float32",
    ),
    "no array": (
        lambda: shlo.run(LOWERED, {**PARAMS, "layers": [{"w": "zeros"}]}, Y),
        "argument `params['layers'][0]['w']` is a str, expected an array",
    ),
    "missing": (lambda: shlo.run(LOWERED, PARAMS), "argument `y` is missing"),
    "missing leaves": (
        lambda: shlo.run(LOWERED, {"layers": []}, Y),
        "arguments `params['b']`, `params['layers'][0]['w']`, `params['unused']` are missing",
    ),
    "too many": (lambda: shlo.run(LOWERED, PARAMS, Y, Y), "argument `args[2]` is not expected"),
    "another leaf": (
        lambda: shlo.run(LOWERED, {**PARAMS, "c": 1}, Y),
        "argument `params['c']` is not expected",
    ),
    "keyword": (lambda: shlo.run(LOWERED, PARAMS, Y, z=Y), "argument `z` is not expected"),
    "a key for numbers": (
        lambda: shlo.run(LOWERED, PARAMS, jax.random.key(0)),
        "argument `y` has shape (), expected (3,)",
    ),
    "no key": (
        lambda: shlo.run(jax.jit(jax.random.normal).lower(jax.random.key(0)), 3),
        "argument `key` has dtype int, expected key<fry>",
    ),
    "shape without values": (
        lambda: shlo.run(jnp.sin, jax.ShapeDtypeStruct((3,), np.float32)),
        "argument `x` is a ShapeDtypeStruct without values, expected an array of numbers",
    ),
    "objects": (
        lambda: shlo.show(np.array([object()])),
        "the array holds Python objects, expected an array of numbers",
    ),
    "no jax type": (
        lambda: shlo.run(jax.jit(lambda x, mode: x), Y, "add"),
        "argument `mode` is a str, expected an array",
    ),
    "static name": (
        lambda: shlo.run(lambda x: x, Y, static_argnames="n"),
        "static_argnames has 'n', but no argument has that name",
    ),
    "static number": (
        lambda: shlo.run(lambda x: x, Y, static_argnums=1),
        "static_argnums has 1, but 1 positional arguments are given",
    ),
    "static of lowered": (
        lambda: shlo.run(LOWERED, PARAMS, Y, static_argnums=0),
        "static arguments are those of a plain function",
    ),
    "compiled": (
        lambda: shlo.run(LOWERED.compile(), PARAMS, Y),
        "expected StableHLO, got a Compiled, which has kept XLA's optimised HLO alone: pass f.lower(...) "
        "instead, without .compile()",
    ),
    "no program": (lambda: shlo.run(3), "expected a program, got an int"),
    "no such file": (lambda: shlo.run("missing.mlir"), "cannot read missing.mlir: No such file or directory"),
    "arguments of a text": (
        lambda: shlo.run(LOWERED.as_text(), Y),
        "@main takes 3 arguments, 1 given",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_in_the_words_of_the_caller(name: str) -> None:
    act, message = MISTAKES[name]
    with pytest.raises(shlo.RequestError) as caught:
        act()
    assert str(caught.value) == message
    assert message in "\n".join(caught.value._render_traceback_())


def affine(params: Any, x: Any, scale: Any = 1.0, train: bool = True) -> Any:
    return params["w"] * x * scale + (1 if train else 0)


FIT = ({"w": jnp.ones(2)}, jnp.ones(2))
JITTED = jax.jit(affine, static_argnames="train")
HOLDERS = {
    "traced": JITTED.trace(*FIT, train=True),
    "lowered": JITTED.lower(*FIT, train=True),
    "exported": export.export(JITTED)(*FIT, train=True),
}
DOORS: dict[str, Callable[..., Any]] = {
    "run": shlo.run,
    "debug": lambda *call, **keywords: shlo.debug(*call, front_end=lambda session: session, **keywords),
    "sanitize": shlo.sanitize,
    "check": shlo.check,
    "show": shlo.show,
    "cost": shlo.cost,
    "diff": lambda program, *call, **keywords: shlo.diff(program, program, *call, **keywords),
    "save": lambda *call, **keywords: shlo.save("never.mlir", *call, **keywords),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("holder", HOLDERS)
def test_arguments_that_a_lowered_program_does_not_take_are_refused(holder: str, door: str) -> None:
    """It holds its defaults and static arguments: others would be left out of the answer."""
    call, program = DOORS[door], HOLDERS[holder]
    for positional, keywords, name in (
        ((), {"scale": 3.0}, "scale"),
        ((), {"train": False}, "train"),
        ((), {"nonsense": None}, "nonsense"),
        ((5.0, 6.0), {}, "args[2]`, `args[3]"),
        ((None,), {}, "args[2]"),
    ):
        with pytest.raises(shlo.RequestError) as caught:
            call(program, *FIT, *positional, **keywords)
        assert str(caught.value).startswith(f"argument{'s' * (len(positional) == 2)} `{name}` ")
        assert "lower it again" in (caught.value.hint or "")


def test_a_container_with_other_constants_is_refused() -> None:
    @partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["activation"])
    @dataclass
    class Model:
        w: Any
        activation: str

    lowered = jax.jit(lambda model, x: model.w * x[1]).lower(Model(1.0, "tanh"), [1.0, 2.0])
    assert shlo.run(lowered, Model(2.0, "tanh"), (1.0, 2.0)) == 4
    with pytest.raises(shlo.RequestError, match="Model differs in more than arrays"):
        shlo.run(lowered, Model(2.0, "relu"), [1.0, 2.0])


def test_texts_and_modules_take_no_surplus_arguments() -> None:
    text = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}"
    for door in (shlo.show, shlo.check, shlo.cost):
        for program in (text, shlo.parse(text)):
            with pytest.raises(shlo.RequestError, match="@main takes 1 argument, 2 given"):
                door(program, 1.0, 2.0)
            with pytest.raises(shlo.RequestError, match=r"expected no keyword arguments .* got `y`"):
                door(program, y=2.0)
    with pytest.raises(shlo.RequestError, match="expected no arguments: neither program is a function"):
        shlo.diff(text, text, 1.0)


def test_what_to_do_is_below_the_message_in_scripts_and_notebooks() -> None:
    with pytest.raises(shlo.RequestError) as caught:
        shlo.run(jax.jit(lambda x, mode: x), Y, "add")
    hint = "hint: name it in static_argnames of jax.jit"
    assert traceback.format_exception_only(caught.value)[-1] == f"{hint}\n"
    (shown,) = (line for line in caught.value._render_traceback_() if "static_argnames" in line)
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == hint


def test_errors_of_the_function_are_its_own() -> None:
    def f(x: Any) -> Any:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        shlo.run(f, 1.0)
    with pytest.raises(TypeError, match="add got incompatible shapes"):
        shlo.run(jax.jit(jnp.add), jnp.ones(2), jnp.ones(3))


def test_arguments_that_are_traced_are_refused() -> None:
    with pytest.raises(shlo.RequestError, match="argument `x` is being traced by JAX"):
        jax.jit(lambda x: shlo.run(jnp.sin, x))(1.0)


# --- callbacks ---


def test_callbacks_call_the_functions_of_this_process(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[Any] = []

    def f(x: Any) -> Any:
        jax.debug.print("x is {}", x)
        jax.debug.callback(lambda value: seen.append(float(value)), x[0], ordered=True)
        half = jax.pure_callback(lambda x: np.asarray(x) / 2, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
        count = io_callback(lambda: np.int32(len(seen)), jax.ShapeDtypeStruct((), np.int32), ordered=True)
        return half, count

    half, count = shlo.run(f, np.array([2.0, 4.0], np.float32))
    assert (half.tolist(), count) == ([1, 2], 1)
    assert seen == [2.0]
    assert capsys.readouterr().out == "x is [2. 4.]\n"


def test_callbacks_in_loops_and_functions_are_told_apart() -> None:
    seen: list[tuple[str, int]] = []

    def note(name: str) -> Callable[[Any], None]:
        return lambda value: seen.append((name, int(value)))

    @jax.jit
    def inner(x: Any) -> Any:
        jax.debug.callback(note("inner"), x, ordered=True)
        return x + 1

    def body(x: Any, _: Any) -> Any:
        jax.debug.callback(note("body"), x, ordered=True)
        return inner(x), None

    shlo.run(lambda x: jax.lax.scan(body, x, None, length=2)[0], 0)
    assert seen == [("body", 0), ("inner", 0), ("body", 1), ("inner", 1)]


def test_an_error_in_a_callback_names_it() -> None:
    def fail(x: Any) -> Any:
        raise ValueError("not today")

    with pytest.raises(shlo.ExecutionError, match="callback 0 raised ValueError: not today"):
        shlo.run(lambda x: jax.pure_callback(fail, jax.ShapeDtypeStruct((), np.float32), x), 1.0)


def test_a_program_from_elsewhere_calls_no_function() -> None:
    lowered = jax.jit(
        lambda x: jax.pure_callback(lambda x: x, jax.ShapeDtypeStruct((), np.float32), x)
    ).lower(1.0)
    with pytest.raises(shlo.ExecutionError, match="expected a handler for custom call"):
        shlo.run(lowered.as_text(), 1.0)


def sessions_of(*call: Any, **keywords: Any) -> Session:
    return shlo.debug(*call, front_end=lambda session: session, **keywords)


def test_a_session_notes_what_callbacks_print_and_calls_them_once() -> None:
    calls: list[float] = []

    def f(x: Any) -> Any:
        jax.debug.print("x is {}", x)
        return (
            jax.pure_callback(lambda x: calls.append(float(x)) or x, jax.ShapeDtypeStruct((), np.float32), x)
            * 2
        )

    session = sessions_of(f, 3.0)
    session.resume()
    session.restart()
    session.resume()
    assert session.results[0] == 6
    assert calls == [3.0]
    assert [entry.text for entry in session.output] == ["x is 3.0"]


def test_the_debugger_has_jax_names_of_arguments() -> None:
    session = sessions_of(LOWERED, PARAMS, Y)
    assert [value.label for value in session.inspector.values() if value.is_argument] == [
        "params['b']",
        "params['layers'][0]['w']",
        "y",
    ]
    session = sessions_of(lambda params, *, rate: params["w"] * rate, {"w": Y, "act": jnp.tanh}, rate=2.0)
    assert [value.label for value in session.inspector.values() if value.is_argument] == [
        "params['w']",
        "rate",
    ]


# --- check, show, diff, save ---


def test_check_reports_what_is_wrong_with_texts_and_programs() -> None:
    assert shlo.check(network_of(), jnp.ones(3)) == []
    wrong = (
        "func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {\n  %y = stablehlo.abs %x : tensor<3xf32>\n}"
    )
    assert {finding.severity for finding in shlo.check(wrong)} == {"error"}


def test_show_prints_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    shlo.show(network_of(), jnp.ones(3))
    shown = capsys.readouterr().out
    assert "stablehlo.sine %arg0" in shown
    assert shown.startswith("module @")
    assert "loc(" not in shown
    shlo.show(network_of(), jnp.ones(3), locations=True)
    assert f'#loc3 = loc("{__file__}":' in capsys.readouterr().out


def test_show_prints_a_text_as_written_unless_it_has_locations(capsys: pytest.CaptureFixture[str]) -> None:
    text = "func.func @main() {\n  // nothing yet\n  return\n}"
    shlo.show(text)
    assert capsys.readouterr().out == f"{text}\n"
    shlo.show(text.replace("return\n", 'return loc("f.py":3:1)\n'))
    assert "loc(" not in capsys.readouterr().out
    shlo.show(text.replace("yet", "\x1b[2J"))
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("array", "title"),
    [
        (np.arange(6, dtype=np.int8).reshape(2, 3), "int8[2, 3]"),
        (jnp.ones(4, jnp.bfloat16), "bfloat16[4]"),
        (np.float32(2), "float32[]"),
        (jax.random.key(0), "uint32[2]"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_show_prints_an_array(array: Any, title: str, capsys: pytest.CaptureFixture[str]) -> None:
    shlo.show(array)
    shown = capsys.readouterr().out
    assert shown.startswith(f"{title}\n")
    numbers = jax.random.key_data(array) if title.startswith("uint32") else array
    assert all(str(int(number)) in shown for number in np.asarray(numbers).reshape(-1))


def test_what_show_cannot_show_is_said_in_a_line() -> None:
    with pytest.raises(shlo.RequestError, match="StableHLO has no element type for NumPy's str"):
        shlo.show(np.array(["one"]))
    with pytest.raises(shlo.RequestError, match="the array is being traced by JAX"):
        jax.jit(shlo.show)(jnp.ones(3))


def test_diff_tells_how_two_functions_differ() -> None:
    x = jnp.ones(3)
    assert not shlo.diff(network_of(), jax.jit(network_of()), x)
    difference = shlo.diff(network_of(), jax.jit(lambda x: jnp.cos(x) + 1).lower(x), x)
    assert "stablehlo.cosine" in str(difference)
    assert str(difference).splitlines()[0].startswith("@main")


@pytest.mark.parametrize("name", ["step.mlir", "step.mlirbc"])
def test_save_writes_what_the_command_runs(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from shlo.cli import main

    shlo.save(tmp_path / name, EXAMPLES["keys"].function, *EXAMPLES["keys"].arguments)
    assert main(["run", str(tmp_path / name), str(tmp_path / "step.npz")]) == 0
    assert "result 1 (result[1]): tensor<2xui32>" in capsys.readouterr().out
    with pytest.raises(
        shlo.RequestError, match=r"expected a file that ends with .mlir or .mlirbc, got step.txt"
    ):
        shlo.save(tmp_path / "step.txt", jnp.sin, 1.0)


def network_of() -> Callable[[Any], Any]:
    return lambda x: jnp.sin(x) + 1
