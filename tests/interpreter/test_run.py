"""What goes in and comes out of `run`, its limits, and its errors."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import shlo
from shlo.interpreter import RunOptions, make_process, run, run_grid
from shlo.interpreter.program.code import program_of
from shlo.interpreter.runtime.profile import ProfiledRun
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.types import F32, I1, I32, FloatType, IntegerType

from .build import BlockBuilder, function, module, program, tensor

IDENTITY = program([tensor(F32, 2)], lambda b: [b.arguments[0]])


def test_results_are_the_callers_own() -> None:
    two = tensor(F32, 2)

    def make(b: BlockBuilder) -> list[int]:
        total = b.binary("add", b.arguments[0], b.arguments[0])
        return [b.arguments[0], total, total, b.constant(np.float32([3, 4])), b.constant(np.float32(5))]

    argument = np.float32([1, 2])
    for _ in range(3):
        results = run(program([two], make), argument)
        assert [type(result) for result in results] == [np.ndarray] * 5
        for result in results:
            result[...] = 7
        assert argument.tolist() == [1, 2]
        assert argument.flags.writeable
    assert all(not np.shares_memory(a, b) for i, a in enumerate(results) for b in results[:i])


def test_broadcast_results_are_full() -> None:
    made = program([], lambda b: [b.constant(np.broadcast_to(np.float32(1), (3, 4)))])
    (result,) = run(made)
    result[0, 0] = 2
    assert result.sum() == 13


def test_a_handler_cannot_write_into_an_argument() -> None:
    made = program([tensor(F32, 2)], lambda b: [b.custom_call("clear", b.arguments, [tensor(F32, 2)])])

    def clear(call: Any) -> Any:
        return lambda x: x.fill(0)

    argument = np.float32([1, 2])
    with pytest.raises(
        ExecutionError, match=r"built:1:1: error: stablehlo.custom_call: ValueError: .*read-only"
    ):
        run(made, argument, handlers={"clear": clear})
    assert argument.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("type_", "given", "expected"),
    [
        (tensor(F32), 2, np.float32(2)),
        (tensor(F32, 2), [1.5, 2], np.float32([1.5, 2])),
        (tensor(I1), True, np.True_),
        (tensor(IntegerType(32, "unsigned"), 2), np.int32([1, 2]), np.uint32([1, 2])),
        (tensor(I1, 2), np.int8([0, 1]), np.array([False, True])),
        (tensor(FloatType("bf16"), 1), np.array([0x3F80], "<u2").view("V2"), np.ones(1, ml_dtypes.bfloat16)),
        (tensor(F32, None), np.float32([1, 2, 3]), np.float32([1, 2, 3])),
        (tensor(F32, 0), [], np.zeros(0, np.float32)),
        (tensor(F32, 2), np.array([1, 2], ">f4"), np.float32([1, 2])),
    ],
)
def test_arguments_that_fit_are_converted(type_: Any, given: Any, expected: Any) -> None:
    (result,) = run(program([type_], lambda b: [b.arguments[0]]), given)
    assert result.dtype == np.asarray(expected).dtype
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    ("type_", "given", "message"),
    [
        (
            tensor(F32, 2),
            np.float64([1, 2]),
            r"argument 0 is tensor<2xf64>, but must be tensor<2xf32>; convert",
        ),
        (tensor(F32, 2), np.float32([1, 2, 3]), r"argument 0 is tensor<3xf32>, but must be tensor<2xf32>"),
        (tensor(IntegerType(32, "unsigned")), -1, "argument 0 is tensor<i64>, but must be tensor<ui32>"),
        (tensor(I32), 1.5, "but must be tensor<i32>"),
        (tensor(I32, 2), [[1], [2, 3]], "argument 0 cannot be made an array"),
        (tensor(I1), 2, "but must be tensor<i1>"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(type_: Any, given: Any, message: str) -> None:
    with pytest.raises(ExecutionError, match=message):
        run(program([type_], lambda b: [b.arguments[0]]), given)


def test_the_number_of_arguments_and_the_entry_are_checked() -> None:
    with pytest.raises(ExecutionError, match="@main takes 1 argument, but 0 are given"):
        run(IDENTITY)
    with pytest.raises(ExecutionError, match="no function @other with a body; it has @main"):
        run(IDENTITY, entry="other")


def endless() -> Any:
    return program(
        [tensor(I32)],
        lambda b: b.while_loop(
            b.arguments,
            lambda c: [c.compare("EQ", c.arguments[0], c.arguments[0])],
            lambda d: [d.binary("add", d.arguments[0], d.constant(np.int32(1)))],
        ),
    )


def test_a_budget_of_steps_ends_an_endless_loop() -> None:
    with pytest.raises(ExecutionError, match="budget of 1000 steps"):
        run(endless(), 0, max_steps=1000)


def test_a_budget_of_bytes_counts_what_is_held() -> None:
    wide = tensor(F32, 1000)

    def chain(keep: bool) -> Any:
        def make(b: BlockBuilder) -> list[int]:
            values = [b.arguments[0]]
            for _ in range(8):
                values.append(b.binary("add", values[-1], values[-1]))
            return values[1:] if keep else values[-1:]

        return program([wide], make)

    argument = np.ones(1000, np.float32)
    (result,) = run(chain(False), argument, max_bytes=16_000)
    assert result[0] == 256
    with pytest.raises(ExecutionError, match=r"values would take .* KiB, more than the 15.6 KiB allowed"):
        run(chain(True), argument, max_bytes=16_000)


def test_results_that_repeat_their_elements_count_in_full() -> None:
    repeated = tensor(F32, 1000)
    zero = DenseElementsAttr(repeated, np.zeros((), np.float32))

    def make(b: BlockBuilder) -> list[int]:
        return [b.op("constant", (), [repeated], value=zero) for _ in range(8)]

    made = program([], make)
    assert len(run(made, max_bytes=32_000)) == 8
    with pytest.raises(
        ExecutionError, match=r"results would take 31.2 KiB in full, more than the 15.6 KiB allowed"
    ):
        run(made, max_bytes=16_000)
    with pytest.raises(ExecutionError, match=r"results would take 62.5 KiB in full"):
        run_grid(made, [()], partitions=2, max_bytes=32_000)
    process = make_process(made, [], RunOptions(max_bytes=16_000))
    with pytest.raises(ExecutionError, match=r"results would take 31.2 KiB in full"):
        process.run()


def test_a_result_larger_than_memory_is_not_tried() -> None:
    huge = program([], lambda b: [b.op("iota", (), [tensor(F32, 10**12)], iota_dimension=_i64(0))])
    with pytest.raises(ExecutionError, match=r"stablehlo.iota: the result would take 3.6 TiB"):
        run(huge)


def test_a_result_of_another_type_than_declared_is_an_error() -> None:
    made = program([], lambda b: [b.custom_call("make", (), [tensor(F32, 2)])])
    wrong = {"make": lambda call: lambda: np.zeros(3, np.float32)}
    with pytest.raises(
        ExecutionError, match=r"the result is tensor<3xf32>, but the program declares tensor<2xf32>"
    ):
        run(made, handlers=wrong)
    right = {"make": lambda call: lambda: np.zeros(2, np.float32)}
    for _ in range(3):
        run(made, handlers=right)
    with pytest.raises(ExecutionError, match=r"built:0:1: error: .* declares tensor<2xf32>"):
        run(made, handlers=wrong)


def test_control_flow_whose_types_do_not_fit_is_an_error() -> None:
    def make(b: BlockBuilder) -> list[int]:
        return [*b.while_loop(b.arguments, lambda c: [c.arguments[0]], lambda d: [d.arguments[0]])]

    with pytest.raises(ExecutionError, match=r"output_types\(cond\) is .* \[while-C1\]"):
        run(program([tensor(F32)], make), 1.0)


def test_an_operation_that_nothing_is_known_about_fails_only_when_it_is_reached() -> None:
    def make(b: BlockBuilder) -> list[int]:
        return [
            b.branch(
                "if",
                b.arguments[0],
                [tensor(F32)],
                lambda c: [c.op("strange.thing", (), [tensor(F32)])],
                lambda c: [c.constant(np.float32(1))],
            )
        ]

    made = program([tensor(I1)], make)
    for _ in range(3):
        assert run(made, False) == (1.0,)
        with pytest.raises(ExecutionError, match=r"built:1:1: error: strange.thing: no kernel is registered"):
            run(made, True)


def test_a_function_that_calls_itself_without_end_is_an_error() -> None:
    main = function("main", [tensor(F32)], lambda b: [b.call("main", b.arguments, [tensor(F32)])])
    for _ in range(3):
        with pytest.raises(
            ExecutionError, match=r"built:1:1: error: func.call: calls and regions nest too deeply"
        ):
            run(module(main), 1.0)


def test_errors_in_hot_code_have_their_place_and_the_calls_that_led_there() -> None:
    inner = function("inner", [tensor(F32)], lambda b: [b.custom_call("fragile", b.arguments, [tensor(F32)])])
    main = function("main", [tensor(F32)], lambda b: [b.call("inner", b.arguments, [tensor(F32)])])
    made = module(main, inner)
    for value in (1.0, 2.0, 3.0):
        run(made, value, handlers={"fragile": lambda call: lambda x: x})
    with pytest.raises(
        ExecutionError, match=r"built:1:1: error: stablehlo.custom_call: ZeroDivisionError"
    ) as caught:
        run(made, 0.0, handlers={"fragile": lambda call: lambda x: 1 // 0})
    assert caught.value.op == "stablehlo.custom_call"


def test_an_interrupt_passes() -> None:
    made = program([tensor(F32)], lambda b: [b.custom_call("stop", b.arguments, [tensor(F32)])])

    def stop(call: Any) -> Any:
        def evaluate(x: Any) -> Any:
            raise KeyboardInterrupt

        return evaluate

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            run(made, 1.0, handlers={"stop": stop})


def test_the_costs_of_operations_and_progress_are_told() -> None:
    class Costs:
        def __init__(self) -> None:
            self.counts: dict[str, int] = {}

        def record(self, run: ProfiledRun) -> None:
            self.counts[run.name] = self.counts.get(run.name, 0) + 1

    made = program(
        [tensor(F32)], lambda b: [b.binary("add", b.binary("add", *b.arguments * 2), b.arguments[0])]
    )
    costs, seen = Costs(), []
    run(made, 1.0, profile=costs, progress=lambda done, total: seen.append((done, total)))
    assert costs.counts == {"stablehlo.add": 2}
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_an_unknown_custom_call_names_its_target_and_how_to_register_it() -> None:
    made = program([tensor(F32)], lambda b: [b.custom_call("mine", b.arguments, [tensor(F32)])])
    with pytest.raises(
        ExecutionError,
        match=r'expected a handler for custom call "mine", got none: shlo.register_custom_call',
    ):
        run(made, 1.0)


def _i64(value: int) -> Any:
    from shlo.ir.attributes import IntegerAttr
    from shlo.ir.types import I64

    return IntegerAttr(value, I64)


def test_a_manual_computation_over_a_mesh_that_is_too_large_is_refused_with_its_place() -> None:
    text = """
    sdy.mesh @mesh = <["x"=1000000000000]>
    func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
        manual_axes={"x"} (%arg1: tensor<2xf32>) {
        sdy.return %arg1 : tensor<2xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    with pytest.raises(ExecutionError, match=r"<text>:4:7: error: sdy.manual_computation: .* 1000000000000"):
        run(shlo.parse(text), np.zeros(4, np.float32))


def test_sizes_that_types_leave_open_may_differ_from_run_to_run() -> None:
    text = """func.func @main(%x: tensor<?x2xf32>, %n: tensor<2xi32>) -> (tensor<?x2xf32>, tensor<4x2xf32>) {
      %0 = stablehlo.add %x, %x : tensor<?x2xf32>
      %1 = stablehlo.dynamic_broadcast_in_dim %0, %n, dims = [0, 1]
        : (tensor<?x2xf32>, tensor<2xi32>) -> tensor<4x2xf32>
      return %0, %1 : tensor<?x2xf32>, tensor<4x2xf32>
    }"""
    module = shlo.parse(text)
    for size in (1, 4, 1, 4):
        first, second = run(module, np.ones((size, 2), np.float32), [4, 2])
        assert (first.shape, second.shape) == ((size, 2), (4, 2))
    with pytest.raises(ExecutionError, match=r"<text>:3:7: error: stablehlo.dynamic_broadcast_in_dim: "):
        run(module, np.ones((1, 2), np.float32), [3, 2])


@pytest.mark.parametrize("types", [("?", "?", "?"), ("3", "3", "1")])
def test_elementwise_operations_do_not_broadcast(types: tuple[str, ...]) -> None:
    p, x, y = (f"tensor<{size}x{element}>" for size, element in zip(types, ("i1", "i32", "i32")))
    module = shlo.parse(f"""func.func @main(%p: {p}, %x: {x}, %y: {y}) -> {x} {{
      %0 = "stablehlo.select"(%p, %x, %y) : ({p}, {x}, {y}) -> {x}
      return %0 : {x}
    }}""")
    for _ in range(3):
        with pytest.raises(ExecutionError, match=r":2:7: .*select: .* \[3\] and \[1\]|select-C2"):
            run(module, [True, False, True], [1, 2, 3], [1])


def test_compiled_programs_live_as_long_as_their_module() -> None:
    made = program([tensor(F32)], lambda b: [b.binary("add", b.arguments[0], b.arguments[0])])
    run(made, 1.0)
    known = weakref.ref(program_of(made))
    assert program_of(made) is known()
    del made
    gc.collect()
    assert known() is None


def test_threads_may_run_one_module_together() -> None:
    def make(b: BlockBuilder) -> list[int]:
        def body(d: BlockBuilder) -> list[int]:
            return [d.binary("add", d.arguments[0], d.constant(np.int32(1))), d.arguments[1]]

        def condition(c: BlockBuilder) -> list[int]:
            return [c.compare("LT", c.arguments[0], c.arguments[1])]

        return [*b.while_loop([b.constant(np.int32(0)), b.arguments[0]], condition, body)]

    made = program([tensor(I32)], make)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda count: run(made, count), range(200)))
    assert [int(result[0]) for result in results] == list(range(200))


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        ("%0 = stablehlo.add %x, %1 : tensor<2xf32>", "operand 1 is used before it is defined"),
        ('%0 = "stablehlo.add"(%x) : (tensor<2xf32>) -> tensor<2xf32>', "expected 2 operands of .*, got 1"),
        (
            '%0 = "stablehlo.sine"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>',
            "expected 1 operand of .*, got 2",
        ),
    ],
)
def test_operations_that_are_put_together_wrongly_are_errors(operation: str, message: str) -> None:
    module, _ = shlo.syntax.parse(
        f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
          {operation}
          %1 = stablehlo.negate %0 : tensor<2xf32>
          return %1 : tensor<2xf32>
        }}"""
    )
    for _ in range(3):
        with pytest.raises(ExecutionError, match=rf"<text>:2:11: error: stablehlo.\w+: {message}"):
            run(module, [1.0, 2.0])


@pytest.mark.parametrize(
    "operation",
    [
        """"stablehlo.reduce_window"(%x, %zero) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %s = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %s : tensor<f32>
        }) {window_dimensions = array<i64: 1, 1, 1>, window_strides = array<i64: 1, 1000000, 1>,
            base_dilations = array<i64: 1, 1000000, 1>} : (tensor<1x50x1xf32>, tensor<f32>) -> tensor<1x50x1xf32>""",
        """stablehlo.convolution(%x, %one) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
          window = {stride = [1000000], lhs_dilate = [1000000]}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<1x50x1xf32>, tensor<1x1x1xf32>) -> tensor<1x50x1xf32>""",
    ],
)
def test_max_bytes_bounds_what_windows_make_of_an_operand(operation: str) -> None:
    made = shlo.parse(f"""func.func @main(%x: tensor<1x50x1xf32>) -> tensor<1x50x1xf32> {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %one = stablehlo.constant dense<1.0> : tensor<1x1x1xf32>
      %r = {operation}
      return %r : tensor<1x50x1xf32>
    }}""")
    x = np.ones((1, 50, 1), np.float32)
    with pytest.raises(ExecutionError, match=r"would need 186\.\d MiB on the way, more than the 97\.7 KiB"):
        run(made, x, max_bytes=100_000)
