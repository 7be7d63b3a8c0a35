"""Processes that do not meet: what is found, at once, and who and what is named."""

from __future__ import annotations

import pytest

import shlo
from shlo.interpreter import Channels, GridError, ProcessGrid, WaitForGraph

from .grids import SUM, all_reduce, grid_of, line_of, programs

BOTH = "[[0, 1]]"
GATHER = """%{result} = "stablehlo.all_gather"(%{operand}) {{all_gather_dim = 0 : i64,
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<1xi32>) -> tensor<2xi32>"""
SEND = """%{token} = "stablehlo.send"(%x, %start) {{
    channel_handle = #stablehlo.channel_handle<handle = {channel}, type = 1>}}
    : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token"""
RECV = """%{result}, %{token} = "stablehlo.recv"(%start) {{
    channel_handle = #stablehlo.channel_handle<handle = {channel}, type = 1>}}
    : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)"""
TOKEN = "%start = stablehlo.after_all : !stablehlo.token\n"
HALF = "%half = stablehlo.slice %x [0:1] : (tensor<2xi32>) -> tensor<1xi32>\n"


def failure(grid: ProcessGrid) -> tuple[GridError, WaitForGraph]:
    """Returns the error in which a grid ends."""
    with pytest.raises(GridError) as caught:
        grid.run()
    return caught.value, caught.value.graph


def waits(graph: WaitForGraph) -> dict[int, tuple[str, tuple[int, ...]]]:
    """Of each process that waits the operation, without its dialect, and for whom."""
    return {
        number: (wait.operation.removeprefix("stablehlo."), wait.missing)
        for number, wait in graph.waiting.items()
    }


def lines(graph: WaitForGraph) -> dict[int, int]:
    """In which line each process waits."""
    return {number: int((wait.place or "").split(":")[1]) for number, wait in graph.waiting.items()}


def test_two_operations_in_another_order() -> None:
    reduce_first = HALF + all_reduce("%r", "%x", BOTH) + "\n" + GATHER.format(result="out", operand="half")
    gather_first = HALF + GATHER.format(result="g", operand="half") + "\n" + all_reduce("%out", "%x", BOTH)
    module = programs(reduce_first, gather_first)
    error, graph = failure(grid_of(module, 2))
    assert (graph.kind, graph.cycle, graph.closing) == ("deadlock", (0, 1), (1, 0))
    assert waits(graph) == {0: ("all_reduce", (1,)), 1: ("all_gather", (0,))}
    assert lines(graph) == {0: line_of(module, "%r = "), 1: line_of(module, "%g = ")}
    assert graph.differences == ("the operation",)
    assert error.place == f"grid.mlir:{line_of(module, '%g = ')}:1"
    assert "(0, 0) -> (1, 0) -> (0, 0); they differ in the operation" in error.message
    assert error.__notes__[-1] == "(1, 0) -> (0, 0) closes the cycle"


def test_groups_in_another_order() -> None:
    module = programs(all_reduce("%out", "%x", "[[0, 1]]"), all_reduce("%out ", "%x", "[[1, 0]]"))
    _, graph = failure(grid_of(module, 2))
    assert graph.differences == ("the groups",)
    assert graph.cycle == (0, 1)


def test_groups_that_overlap_make_a_cycle_of_three() -> None:
    bodies = [
        all_reduce(f"%out{' ' * i}", "%x", group)
        for i, group in enumerate(("[[0, 1], [2, -1]]", "[[1, 2], [0, -1]]", "[[2, 0], [1, -1]]"))
    ]
    module = programs(*bodies)
    _, graph = failure(grid_of(module, 3))
    assert graph.cycle == (0, 1, 2)
    assert graph.closing == (2, 0)
    assert waits(graph) == {0: ("all_reduce", (1,)), 1: ("all_reduce", (2,)), 2: ("all_reduce", (0,))}
    assert graph.differences == ()


def test_channels_of_one_operation_differ() -> None:
    handle = ", channel_handle = #stablehlo.channel_handle<handle = {}, type = 1>, use_global_device_ids"
    one, two = (all_reduce("%out", "%x", BOTH, handle.format(channel)) for channel in (1, 2))
    _, graph = failure(grid_of(programs(one, two), 2))
    assert graph.differences == ("the channel",)
    assert {wait.channel for wait in graph.waiting.values()} == {1, 2}


def test_shapes_differ() -> None:
    other = """%one = stablehlo.slice %x [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %sum = "stablehlo.all_reduce"(%one) SUM {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<1xi32>) -> tensor<1xi32>
    %out = stablehlo.concatenate %sum, %sum, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>"""
    module = programs(all_reduce("%out", "%x", BOTH), other.replace("SUM", SUM))
    _, graph = failure(grid_of(module, 2))
    assert graph.differences == ("the types of operands", "the types of results")


def test_regions_differ() -> None:
    largest = SUM.replace("stablehlo.add", "stablehlo.maximum")
    module = programs(all_reduce("%out", "%x", BOTH), all_reduce("%out", "%x", BOTH, body=largest))
    assert failure(grid_of(module, 2))[1].differences == ("the region",)


def test_a_process_ends_before_the_others_come() -> None:
    module = programs(
        all_reduce("%out", "%x", "[[0, 1, 2]]"),
        "%out = stablehlo.add %x, %x : tensor<2xi32>",
        all_reduce("%out ", "%x", "[[0, 1, 2]]"),
    )
    error, graph = failure(grid_of(module, 3))
    assert (graph.kind, graph.ended) == ("ended", {1})
    assert waits(graph) == {0: ("all_reduce", (1, 2))}
    assert "(1, 0) has ended, but (0, 0) waits for it" in error.message
    assert error.place == f"grid.mlir:{line_of(module, '%out = ' + chr(34))}:1"


def test_who_skipped_an_operation_is_told_from_who_is_not_there_yet() -> None:
    group = "[[0, 1, 2, 3]]"
    reduce = all_reduce("%out", "%x", group)
    module = programs(reduce, "%out = stablehlo.add %x, %x : tensor<2xi32>", reduce, reduce)
    _, graph = failure(grid_of(module, 4))
    assert graph.culprits == (1,)
    where = f"stablehlo.all_reduce at {graph.waiting[0].place}"
    coming = "2 processes are merely not there yet"
    assert graph.blame() == [f"(1, 0) skipped {where}, and is done; {coming}"]
    assert graph.awaited(graph.waiting[0]) == f"(1, 0), which has ended; {coming}"


def test_who_came_elsewhere_is_told_from_most() -> None:
    group = "[[0, 1, 2, 3]]"
    reduce = all_reduce("%out", "%x", group)
    other = all_reduce("%out", "%x", group, body=SUM.replace("stablehlo.add", "stablehlo.maximum"))
    module = programs(reduce, reduce, other, reduce)
    _, graph = failure(grid_of(module, 4))
    assert graph.culprits == (2,)
    (line,) = graph.blame()
    assert line.startswith("(2, 0) is in stablehlo.all_reduce at")
    assert ", but 2 wait in stablehlo.all_reduce at" in line
    assert line.endswith("; 1 process is merely not there yet")


def test_a_process_comes_after_another_has_ended() -> None:
    module = programs("%out = stablehlo.add %x, %x : tensor<2xi32>", all_reduce("%out", "%x", BOTH))
    error, graph = failure(grid_of(module, 2))
    assert (graph.kind, graph.ended, error.process) == ("ended", {0}, 1)


BRANCHES = """
    %zero = stablehlo.constant dense<0> : tensor<ui32>
    %id = stablehlo.replica_id : tensor<ui32>
    %is_first = stablehlo.compare EQ, %id, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %y = "stablehlo.if"(%is_first) ({
      FIRST
      stablehlo.return %r : tensor<2xi32>
    }, {
      stablehlo.return %x : tensor<2xi32>
    }) : (tensor<i1>) -> tensor<2xi32>
"""


def test_a_branch_that_one_process_takes() -> None:
    body = BRANCHES.replace("FIRST", all_reduce("%r", "%x", BOTH)) + all_reduce("%out", "%y", BOTH)
    module = shlo.parse(
        f"func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {{{body}\nreturn %out : tensor<2xi32>}}",
        "grid.mlir",
    )
    grid = shlo.interpreter.make_grid(module, [[[1, 2]]], shlo.interpreter.RunOptions(replicas=2))
    _, graph = failure(grid)
    assert (graph.kind, graph.ended) == ("ended", {1})
    assert lines(graph) == {0: line_of(module, "%out = ")}, "the first waits a second time"


def test_loops_of_different_length() -> None:
    def loop(count: int) -> str:
        return f"""%zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %times = stablehlo.constant dense<{count}> : tensor<i32>
    %i, %out = stablehlo.while(%k = %zero, %v = %x) : tensor<i32>, tensor<2xi32>
    cond {{
      %c = stablehlo.compare LT, %k, %times : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }} do {{
      {all_reduce(f"%r{count}", "%v", BOTH)}
      %next = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %next, %r{count} : tensor<i32>, tensor<2xi32>
    }}"""

    module = programs(loop(5), loop(3))
    grid = grid_of(module, 2)
    _, graph = failure(grid)
    assert (graph.kind, graph.ended) == ("ended", {1})
    assert lines(graph) == {0: line_of(module, "%r5 = ")}
    assert grid.processes[0].frames[-1].iteration == 3


def test_a_message_that_nobody_sends() -> None:
    module = programs(
        TOKEN + RECV.format(result="out", token="t", channel=3),
        TOKEN + SEND.format(token="t", channel=4) + "\n%out = stablehlo.add %x, %x : tensor<2xi32>",
    )
    error, graph = failure(grid_of(module, 2))
    assert graph.kind == "unsent"
    assert waits(graph) == {0: ("recv", ())}
    assert "no process is left to send on channel 3, but (0, 0) waits for that" in error.message
    assert lines(graph) == {0: line_of(module, "%out, %t = ")}


def test_each_waits_for_the_message_of_the_other() -> None:
    def body(first: int, second: int) -> str:
        return (
            TOKEN
            + RECV.format(result="out", token=f"t{first}", channel=first)
            + "\n"
            + SEND.format(token="s", channel=second)
        )

    module = programs(body(1, 2), body(2, 1))
    error, graph = failure(grid_of(module, 2))
    assert (graph.kind, graph.cycle, graph.closing) == ("deadlock", (0, 1), (1, 0))
    assert waits(graph) == {0: ("recv", (1,)), 1: ("recv", (0,))}
    assert {wait.channel for wait in graph.waiting.values()} == {1, 2}
    assert error.place == f"grid.mlir:{line_of(module, '%out, %t2 = ')}:1"


def test_messages_in_a_ring_wait_for_the_process_before() -> None:
    pairs = "type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>"
    receive = RECV.format(result="out", token="t", channel=1)
    send = SEND.format(token="s", channel=1)
    body = (TOKEN + receive + "\n" + send).replace("type = 1>", pairs)
    _, graph = failure(grid_of(programs(body, body, body), 3))
    assert waits(graph) == {0: ("recv", (2,)), 1: ("recv", (0,)), 2: ("recv", (1,))}
    assert sorted(graph.cycle) == [0, 1, 2]


def test_a_message_behind_a_meeting() -> None:
    module = programs(
        TOKEN + RECV.format(result="m", token="t", channel=1) + "\n" + all_reduce("%out", "%m", BOTH),
        all_reduce("%out ", "%x", BOTH) + "\n" + TOKEN + SEND.format(token="t", channel=1),
    )
    _, graph = failure(grid_of(module, 2))
    assert (graph.kind, graph.cycle) == ("deadlock", (0, 1))
    assert waits(graph) == {0: ("recv", (1,)), 1: ("all_reduce", (0,))}


def test_an_empty_infeed_can_be_filled() -> None:
    infeed = (
        TOKEN
        + '%out, %t = "stablehlo.infeed"(%start) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)'
    )
    module, channels = programs(infeed), Channels()
    grid = grid_of(module, 1, channels)
    error, graph = failure(grid)
    assert (graph.kind, grid.status) == ("unfed", "waiting")
    assert error.place == f"grid.mlir:{line_of(module, '%out, %t')}:1"
    channels.infeed.append(([7, 8],))
    assert [int(number) for number in grid.run()[0][0]] == [7, 8]


def test_an_asynchronous_operation_that_the_other_never_starts() -> None:
    start = """%f = "stablehlo.async_start"(%x) ({
    ^bb0(%inner: tensor<2xi32>):
      REDUCE
      stablehlo.return %r : tensor<2xi32>
    }) : (tensor<2xi32>) -> !stablehlo.future<tensor<2xi32>>
    %out = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>"""
    module = programs(
        start.replace("REDUCE", all_reduce("%r", "%inner", BOTH)),
        "%out = stablehlo.add %x, %x : tensor<2xi32>",
    )
    _, graph = failure(grid_of(module, 2))
    assert graph.kind == "ended"
    assert waits(graph) == {0: ("async_done", (1,))}


def test_a_process_that_fails_stops_the_grid() -> None:
    failing = "%out = stablehlo.custom_call @nowhere(%x) : (tensor<2xi32>) -> tensor<2xi32>"
    module = programs(all_reduce("%out", "%x", BOTH), failing)
    grid = grid_of(module, 2)
    error, graph = failure(grid)
    assert (error.process, error.op) == (1, "stablehlo.custom_call")
    assert error.place == f"grid.mlir:{line_of(module, '@nowhere')}:1"
    assert error.__notes__ == ["in process (1, 0) of the grid"]
    assert waits(graph) == {0: ("all_reduce", (1,))}
    assert [grid.status_of(number) for number in range(2)] == ["waiting", "failed"]


def test_a_process_in_no_group() -> None:
    module = programs(all_reduce("%out", "%x", "[[0, 1]]"), *[all_reduce("%out ", "%x", "[[0, 1]]")] * 2)
    error, _ = failure(grid_of(module, 3))
    assert (error.process, error.op) == (2, "stablehlo.all_reduce")
    assert "in none of its groups" in error.message


def test_a_cycle_is_found_while_others_could_still_run() -> None:
    reduce_first = HALF + all_reduce("%r", "%x", BOTH) + "\n" + GATHER.format(result="out", operand="half")
    gather_first = HALF + GATHER.format(result="out", operand="half")
    endless = """%t = stablehlo.constant dense<true> : tensor<i1>
    %out = stablehlo.while(%v = %x) : tensor<2xi32>
    cond {
      stablehlo.return %t : tensor<i1>
    } do {
      stablehlo.return %v : tensor<2xi32>
    }"""
    _, graph = failure(grid_of(programs(reduce_first, gather_first, endless), 3))
    assert graph.cycle == (0, 1)
