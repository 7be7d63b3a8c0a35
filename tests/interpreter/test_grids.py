"""Processes side by side: groups, schedules, states to come back to."""

from __future__ import annotations

import cProfile
import hashlib
import random
from collections.abc import Callable

import numpy as np
import pytest

import shlo
from shlo.interpreter import Channels, ProcessGrid, RunOptions, make_grid, run_grid
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.topology.groups import (
    GridShape,
    Groups,
    connected,
    cross_partition,
    cross_replica,
    cross_replica_and_partition,
    flattened_ids,
)
from shlo.interpreter.topology.hlo_sharding import read_sharding
from shlo.interpreter.topology.mesh import Axis, DeviceMesh
from shlo.ir.diagnostics import ExecutionError

from .grids import all_reduce, grid_of, inputs_of, programs

MIXED = """
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %start = stablehlo.after_all : !stablehlo.token
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = func.call @exchange(%v) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %j, %w : tensor<i32>, tensor<4xf32>
  }
  %sent = "stablehlo.send"(%r#1, %start) {
    channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>,
    source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
  } : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %got, %t = "stablehlo.recv"(%sent) {
    channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>,
    source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
  } : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %nothing = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%got init: %nothing) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r#1, %sum : tensor<4xf32>, tensor<f32>
}
func.func private @exchange(%v: tensor<4xf32>) -> tensor<4xf32> {
  %f = "stablehlo.async_start"(%v) ({
  ^bb0(%inner: tensor<4xf32>):
    %p = "stablehlo.collective_permute"(%inner) {
      source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
    } : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %p : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  %s = "stablehlo.all_reduce"(%v) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %d = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  %w = stablehlo.add %s, %d : tensor<4xf32>
  %y = stablehlo.cosine %w : tensor<4xf32>
  return %y : tensor<4xf32>
}
"""
SHAPE = GridShape(2, 2)
SEEDS = (1, 2, 3)


def mixed_grid(keep_values: bool = False) -> ProcessGrid:
    """Two replicas of two partitions of a program with loops, calls, collectives and messages."""
    inputs = [[np.random.default_rng(number).standard_normal(4).astype(np.float32)] for number in range(4)]
    module = shlo.parse(MIXED, "mixed.mlir")
    return make_grid(module, inputs, RunOptions(replicas=2, partitions=2, keep_values=keep_values))


def digest(grid: ProcessGrid) -> str:
    """Returns the bits of all results."""
    return hashlib.sha256(b"".join(np.asarray(x).tobytes() for own in grid.results for x in own)).hexdigest()


def picture(grid: ProcessGrid) -> object:
    """Returns where a grid stands, and all that its processes hold."""
    return (
        grid.steps,
        grid.status,
        sorted(grid.wait_graph().waiting.items()),
        [
            [
                (
                    frame.code.function.name,
                    frame.index,
                    frame.iteration,
                    [str(v.value) for v in frame.values()],
                )
                for frame in process.frames
            ]
            for process in grid.processes
        ],
        {key: len(items) for key, items in grid.channels(0).channels.items() if items},
    )


Strategy = Callable[[list[list[int]], GridShape], Groups]


@pytest.mark.parametrize(
    ("strategy", "ids", "shape", "expected"),
    [
        (cross_replica, [[0, 1], [2, 3]], (4, 2), [[(0, 0), (1, 0)], [(0, 1), (1, 1)], [(2, 0), (3, 0)], [(2, 1), (3, 1)]]),
        (cross_partition, [[0, 1]], (4, 2), [[(0, 0), (0, 1)], [(1, 0), (1, 1)], [(2, 0), (2, 1)], [(3, 0), (3, 1)]]),
        (cross_replica_and_partition, [[0, 1], [2, 3]], (4, 2), [[(0, 0), (1, 0), (0, 1), (1, 1)], [(2, 0), (3, 0), (2, 1), (3, 1)]]),
        (flattened_ids, [[0, 1, 2, 3], [4, 5, 6, 7]], (4, 2), [[(0, 0), (0, 1), (1, 0), (1, 1)], [(2, 0), (2, 1), (3, 0), (3, 1)]]),
        (flattened_ids, [[1, -1], [0, 2]], (3, 1), [[(1, 0)], [(0, 0), (2, 0)]]),
        (cross_replica, [], (2, 1), [[(0, 0), (1, 0)]]),
    ],
)  # fmt: skip
def test_groups_are_those_of_the_specification(
    strategy: Strategy, ids: list[list[int]], shape: tuple[int, int], expected: list[list[tuple[int, int]]]
) -> None:
    grid = GridShape(*shape)
    assert [[grid.place(process) for process in group] for group in strategy(ids, grid)] == expected


def test_pairs_join_processes_into_chains_and_rings() -> None:
    assert connected(((3, 1), (1, 3), (5, 2), (2, 4), (0, 0))) == ((0,), (1, 3), (2, 4, 5))


def test_groups_along_axes_and_parts_of_axes_of_a_mesh() -> None:
    mesh = DeviceMesh.of([("x", 2), ("y", 4)])
    assert mesh.groups([Axis("y")]) == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert mesh.groups([Axis("y", 1, 2)]) == ((0, 2), (1, 3), (4, 6), (5, 7))
    assert mesh.groups([Axis("y", 2, 2)]) == ((0, 1), (2, 3), (4, 5), (6, 7))
    assert mesh.groups([Axis("y", 2, 2), Axis("x")]) == ((0, 4, 1, 5), (2, 6, 3, 7))
    assert DeviceMesh.of([("x", 2), ("y", 2)], [0, 2, 1, 3]).groups([Axis("x")]) == ((0, 1), (2, 3))
    assert DeviceMesh.of([], [0]).groups([]) == ((0,),)


@pytest.mark.parametrize(
    ("text", "counts", "tiles"),
    [
        ("{devices=[2,2]<=[4]}", (2, 2), ((0, 0), (0, 1), (1, 0), (1, 1))),
        ("{devices=[2,2]<=[2,2]T(1,0)}", (2, 2), ((0, 0), (1, 0), (0, 1), (1, 1))),
        ("{devices=[2,1]1,0}", (2, 1), ((1, 0), (0, 0))),
        ("{devices=[1,2,2]<=[4] last_tile_dim_replicate}", (1, 2), ((0, 0), (0, 0), (0, 1), (0, 1))),
        ("{devices=[2,1,2]<=[4] last_tile_dims={manual, replicated}}", (2,), ((0,), (0,), (1,), (1,))),
        ("{replicated}", (), ()),
        ("{manual}", (), ()),
    ],
)
def test_shardings_as_xla_writes_them(text: str, counts: tuple[int, ...], tiles: object) -> None:
    sharding = read_sharding(text)
    assert (sharding.counts, sharding.tiles) == (counts, tiles)


@pytest.mark.parametrize(
    "text", ["", "{devices=[2]<=[3]}", "{devices=[2]0,0}", "{devices=[99999999]<=[99999999]}", "{{manual}}"]
)
def test_what_is_no_sharding_is_refused(text: str) -> None:
    with pytest.raises(KernelError):
        read_sharding(text)


def test_steps_lead_to_the_same_bits_as_a_run() -> None:
    stepped, ran = mixed_grid(), mixed_grid()
    while stepped.status == "ready":
        stepped.step()
    ran.run()
    assert digest(stepped) == digest(ran)
    assert stepped.steps > 200


def test_any_order_of_steps_leads_to_the_same_bits() -> None:
    expected = mixed_grid()
    expected.run()
    for seed in SEEDS:
        chosen, grid = random.Random(seed), mixed_grid()
        while grid.status == "ready":
            grid.step(chosen.choice([n for n in range(4) if grid.status_of(n) == "ready"]))
        assert digest(grid) == digest(expected)


def test_turns_are_taken_in_the_same_order_every_time() -> None:
    def turns() -> list[tuple[int, tuple[int, ...]]]:
        grid, taken = mixed_grid(), []
        while grid.status == "ready":
            step = grid.step()
            taken.append((step.process, tuple(number for number, _ in step.resumed)))
        return taken

    first = turns()
    assert first == turns()
    assert first[0] == (0, ())
    assert (1, (0,)) not in first, "partitions of one replica do not meet in an all_reduce of replicas"
    assert (2, (0,)) in first


def test_going_back_and_on_equals_a_fresh_run_at_every_stop() -> None:
    fresh, pictures = mixed_grid(keep_values=True), []
    while fresh.status == "ready":
        pictures.append(picture(fresh))
        fresh.step()
    pictures.append(picture(fresh))
    for seed in SEEDS:
        chosen, grid = random.Random(seed), mixed_grid(keep_values=True)
        states = {0: grid.save()}
        for _ in range(25):
            target = chosen.randrange(len(pictures))
            grid.restore(states[max(at for at in states if at <= target)])
            while grid.steps < target:
                grid.step()
            states[target] = grid.save()
            assert picture(grid) == pictures[target]
        grid.restore(states[0])
        assert digest_after_run(grid) == digest(fresh)


def digest_after_run(grid: ProcessGrid) -> str:
    grid.run()
    return digest(grid)


def test_processes_that_took_no_step_are_shared_by_states() -> None:
    grid = mixed_grid()
    before = grid.save()
    grid.step()
    after = grid.save()
    assert [one is two for one, two in zip(before.processes, after.processes)] == [False, True, True, True]


def test_the_work_of_a_grid_grows_as_its_processes_do() -> None:
    def calls(count: int) -> int:
        text = f"""func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {{
          %zero = stablehlo.constant dense<0> : tensor<i32>
          %one = stablehlo.constant dense<1> : tensor<i32>
          %four = stablehlo.constant dense<4> : tensor<i32>
          %i, %out = stablehlo.while(%k = %zero, %v = %x) : tensor<i32>, tensor<2xi32>
          cond {{
            %c = stablehlo.compare LT, %k, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
          }} do {{
            {all_reduce("%r", "%v", str([list(range(count))]))}
            %next = stablehlo.add %k, %one : tensor<i32>
            stablehlo.return %next, %r : tensor<i32>, tensor<2xi32>
          }}
          return %out : tensor<2xi32>
        }}"""
        module, profile = shlo.parse(text), cProfile.Profile()
        profile.runcall(run_grid, module, [[[0, 1]]], replicas=count)
        return sum(entry.callcount for entry in profile.getstats())

    first, second, third = (calls(count) for count in (64, 128, 256))
    assert second < 2.1 * first
    assert third < 2.1 * second


def test_reductions_go_through_the_group_in_its_order() -> None:
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %r = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %t = stablehlo.subtract %a, %b : tensor<f32>
        stablehlo.return %t : tensor<f32>
      }) {replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>} : (tensor<f32>) -> tensor<f32>
      return %r : tensor<f32>
    }"""
    results = run_grid(shlo.parse(text), [[1.0], [10.0], [100.0]], replicas=3)
    assert [float(own[0]) for own in results] == [89.0] * 3


def test_ragged_exchange_sends_slices_of_any_size() -> None:
    text = """func.func @main(%x: tensor<4xi32>, %starts: tensor<2xi32>, %sizes: tensor<2xi32>, %places: tensor<2xi32>,
        %taken: tensor<2xi32>) -> tensor<5xi32> {
      %out = stablehlo.constant dense<-1> : tensor<5xi32>
      %r = stablehlo.custom_call @ragged_all_to_all(%x, %out, %starts, %sizes, %places, %taken) {
        api_version = 4 : i32,
        backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      } : (tensor<4xi32>, tensor<5xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5xi32>
      return %r : tensor<5xi32>
    }"""
    inputs = [
        [[1, 2, 3, 4], [0, 1], [1, 3], [0, 0], [1, 2]],
        [[5, 6, 7, 8], [0, 2], [2, 1], [1, 3], [3, 1]],
    ]
    results = run_grid(shlo.parse(text), inputs, partitions=2)
    assert [own[0].tolist() for own in results] == [[1, 5, 6, -1, -1], [2, 3, 4, 7, -1]]


def test_programs_may_be_modules_of_their_own() -> None:
    bodies = (
        all_reduce("%out", "%x", "[[0, 1]]"),
        all_reduce("%y", "%x", "[[0, 1]]") + "\n%out = stablehlo.negate %y : tensor<2xi32>",
    )
    first, second = (
        shlo.parse(
            f"func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {{{body}\nreturn %out : tensor<2xi32>}}"
        )
        for body in bodies
    )
    results = shlo.run_grid([first, second], inputs_of(2), partitions=1, replicas=2)
    assert [own[0].tolist() for own in results] == [[1, 10], [-1, -10]]


def test_each_process_has_an_infeed_and_an_outfeed() -> None:
    text = """func.func @main() -> tensor<i32> {
      %s = stablehlo.after_all : !stablehlo.token
      %x, %t = "stablehlo.infeed"(%s) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
      %y = stablehlo.add %x, %x : tensor<i32>
      %u = "stablehlo.outfeed"(%y, %t) : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
      return %y : tensor<i32>
    }"""
    feeds = [Channels.fed([[5]]), Channels.fed([[6]])]
    shlo.run_grid(shlo.parse(text), [[]], partitions=2, channels=feeds)
    assert [[int(item[0]) for item in feed.outfeed] for feed in feeds] == [[10], [12]]


def test_a_host_fills_a_channel_while_a_process_waits() -> None:
    text = """func.func @main() -> tensor<i32> {
      %s = stablehlo.after_all : !stablehlo.token
      %x, %t = "stablehlo.recv"(%s) {
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true
      } : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
      return %x : tensor<i32>
    }"""
    grid = make_grid(shlo.parse(text), [[]], RunOptions(replicas=2))
    while grid.status == "ready":
        grid.step()
    assert grid.status == "waiting"
    grid.channels(0).channels[1].extend([(1,), (2,)])
    assert [int(own[0]) for own in grid.run()] == [1, 2]


def test_limits_hold_for_all_processes_together() -> None:
    with pytest.raises(ExecutionError, match="budget of 50 steps"):
        shlo.run_grid(shlo.parse(MIXED), [[np.zeros(4, np.float32)]], replicas=2, partitions=2, max_steps=50)


def test_limits_hold_for_processes_that_a_program_starts() -> None:
    text = """func.func private @endless(%x: tensor<i32>) -> tensor<i32> {
      %t = stablehlo.constant dense<true> : tensor<i1>
      %r = stablehlo.while(%v = %x) : tensor<i32>
      cond { stablehlo.return %t : tensor<i1> } do { stablehlo.return %v : tensor<i32> }
      return %r : tensor<i32>
    }
    func.func @main(%x: tensor<i32>) -> tensor<i32> {
      %r = "interpreter.run_parallel"(%x) {programs = [[@endless]]} : (tensor<i32>) -> tensor<i32>
      return %r : tensor<i32>
    }"""
    with pytest.raises(ExecutionError, match="budget of 500 steps"):
        shlo.run(shlo.parse(text), 1, max_steps=500)


def test_arguments_are_left_alone_and_results_are_the_callers_own() -> None:
    given = np.array([1, 2], np.int32)
    module = programs(all_reduce("%out", "%x", "[[0, 1]]"), all_reduce("%out", "%x", "[[0, 1]]"))
    first, second = run_grid(module, [[given]], replicas=2, entry=["p0", "p1"])
    first[0][0] = 99
    assert second[0].tolist() == [2, 4]
    assert given.tolist() == [1, 2]


def test_collectives_of_one_process_need_no_grid() -> None:
    grid = grid_of(programs(all_reduce("%out", "%x", "[[0]]")), 1)
    assert [own[0].tolist() for own in grid.run()] == [[0, 0]]
    with pytest.raises(ExecutionError, match="run_grid starts several"):
        shlo.run(programs(all_reduce("%out", "%x", "[[0, 1]]")), [1, 2], entry="p0")


def test_a_grid_takes_as_many_inputs_as_it_has_processes() -> None:
    module = programs(all_reduce("%out", "%x", "[[0, 1]]"))
    with pytest.raises(ValueError, match="expected 4 lists of inputs"):
        make_grid(module, inputs_of(3), RunOptions(replicas=2, partitions=2, entry="p0"))
    with pytest.raises(ValueError, match="got 0 x 2"):
        make_grid(module, inputs_of(1), RunOptions(replicas=0, partitions=2))


def test_steps_of_all_processes_count() -> None:
    text = f"""func.func @main(%go: tensor<i1>, %x: tensor<2xi32>) -> tensor<2xi32> {{
      %r:2 = stablehlo.while(%i = %go, %v = %x) : tensor<i1>, tensor<2xi32>
      cond {{
        stablehlo.return %i : tensor<i1>
      }} do {{
        {all_reduce("%s", "%v", "[[0, 1]]")}
        stablehlo.return %i, %s : tensor<i1>, tensor<2xi32>
      }}
      return %r#1 : tensor<2xi32>
    }}"""
    module = shlo.parse(text)
    shlo.run_grid(module, [[False, [1, 2]]], replicas=2, max_steps=6)
    with pytest.raises(shlo.GridError, match="budget of 5 steps"):
        shlo.run_grid(module, [[False, [1, 2]]], replicas=2, max_steps=5)
    with pytest.raises(shlo.GridError, match="budget of 1000 steps"):
        shlo.run_grid(module, [[True, [1, 2]]], replicas=2, max_steps=1000)
