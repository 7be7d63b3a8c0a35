"""The chain from an element back through operations, rounds, calls and processes."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import shlo
from shlo.debugger.commands.table import run_command
from shlo.debugger.errors import DebuggerError
from shlo.debugger.provenance.chain import Chain
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.session import Session
from tests.debugger.long_gradient import PLANTED, gradient_arguments, gradient_program
from tests.debugger.parallel_programs import parallel_program
from tests.debugger.programs import read

TRAINING = """
func.func @main(%weights: tensor<3xf32>, %data: tensor<4x3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %last:2 = stablehlo.while(%i = %zero, %w = %weights) : tensor<i32>, tensor<3xf32>
    cond {
      %n = stablehlo.constant dense<4> : tensor<i32>
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %c0 = stablehlo.constant dense<0> : tensor<i32>
      %row = stablehlo.dynamic_slice %data, %i, %c0, sizes = [1, 3] : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
      %x = stablehlo.reshape %row : (tensor<1x3xf32>) -> tensor<3xf32>
      %next = func.call @update(%w, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %next : tensor<i32>, tensor<3xf32>
    }
  return %last#1 : tensor<3xf32>
}
func.func private @update(%w: tensor<3xf32>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %dot = stablehlo.dot_general %w, %x, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %positive = stablehlo.compare GT, %dot, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %scale = "stablehlo.if"(%positive) ({
    %half = stablehlo.constant dense<0.5> : tensor<f32>
    %less = stablehlo.multiply %dot, %half : tensor<f32>
    stablehlo.return %less : tensor<f32>
  }, {
    stablehlo.return %zero : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %all = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %new = stablehlo.subtract %w, %all : tensor<3xf32>
  return %new : tensor<3xf32>
}
"""

GRID = """
func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %gathered = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  %sum = "stablehlo.all_reduce"(%gathered) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  %swapped = "stablehlo.collective_permute"(%sum) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  %part = "stablehlo.slice"(%swapped) <{start_indices = array<i64: 5>, limit_indices = array<i64: 7>, strides = array<i64: 1>}> : (tensor<8xf32>) -> tensor<2xf32>
  return %part : tensor<2xf32>
}
"""


def chain(session: Session, name: str, *index: int) -> Chain:
    return session.elements.chain(session.elements.find(name, index))


def finished(session: Session) -> Session:
    """Returns a session that is before the last operation of its function."""
    session.resume()
    session.back_in()
    return session


def test_an_infinity_is_followed_through_rounds_and_calls_to_the_argument_it_comes_from() -> None:
    weights, data = np.ones(3, np.float32), np.ones((4, 3), np.float32)
    data[0, 2] = np.inf
    session = finished(Session(shlo.parse(TRAINING), [weights, data]))
    assert np.isneginf(session.inspector.value("last#1")[0])
    position = session.position

    found = chain(session, "last#1", 0)

    assert (found.end, found.links[-1].element.name, found.links[-1].element.index) == (
        "argument",
        "data",
        (0, 2),
    )
    names = [link.element.name for link in found.links]
    assert [name for name in ("new", "scale", "less", "dot", "row") if name not in names] == []
    assert session.position == position  # the session has not moved


def test_a_number_is_followed_by_what_adds_most() -> None:
    session = finished(Session(shlo.parse(TRAINING), [np.ones(3, np.float32), np.zeros((4, 3), np.float32)]))
    found = chain(session, "last#1", 1)
    assert (found.end, found.links[-1].element.name, found.links[-1].element.index) == (
        "argument",
        "weights",
        (1,),
    )


@pytest.mark.parametrize(
    ("operation", "x", "y", "followed"),
    [
        ("add", 1.0, -1000.0, "y"),
        ("subtract", 1000.0, 1.0, "x"),
        ("multiply", 0.999, -3.0, "y"),
        ("multiply", -0.999, 3.0, "x"),
        ("multiply", 7.0, 0.0, "y"),
        ("divide", 3.0, 1e-20, "y"),
        ("maximum", -1.0, 2.0, "y"),
        ("minimum", -1.0, 2.0, "x"),
    ],
)
def test_a_number_is_followed_by_the_operand_that_makes_it_what_it_is(
    operation: str, x: float, y: float, followed: str
) -> None:
    text = f"""
    func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {{
      %r = stablehlo.{operation} %x, %y : tensor<f32>
      return %r : tensor<f32>
    }}"""
    session = finished(Session(shlo.parse(text), [np.float32(x), np.float32(y)]))
    assert chain(session, "r").links[-1].element.name == followed


def test_a_chain_of_numbers_that_are_not_finite_ends_where_the_first_was_made() -> None:
    weights = np.full(3, 3e38, np.float32)
    session = finished(Session(shlo.parse(TRAINING), [weights, np.full((4, 3), 3e38, np.float32)]))
    found = chain(session, "last#1", 0)
    assert (found.end, found.links[-1].op, found.links[-1].element.name) == (
        "made",
        "stablehlo.dot_general",
        "dot",
    )


def test_sources_of_a_dot_are_ranked_by_their_products() -> None:
    weights, data = np.array([1, 2, 3], np.float32), np.array([[9, 8, 1]] * 4, np.float32)
    session = Session(shlo.parse(TRAINING), [weights, data])
    session.breakpoints.on_value("dot")
    session.resume()
    sources = session.elements.sources(session.elements.find("dot", ()))
    assert [(link.element.name, link.element.index, link.amount) for link in sources.links] == [
        ("w", (1,), 16.0),
        ("x", (1,), 16.0),
        ("w", (0,), 9.0),
        ("x", (0,), 9.0),
        ("w", (2,), 3.0),
        ("x", (2,), 3.0),
    ]


@pytest.mark.parametrize(("selected", "process"), [(0, 1), (1, 1)])
def test_a_chain_leads_through_collectives_to_the_process_it_came_from(selected: int, process: int) -> None:
    values = [np.arange(4, dtype=np.float32), np.array([4, 5, np.nan, 7], np.float32)]
    session = Session(shlo.parse(GRID), [[value] for value in values], replicas=2)
    session.resume()
    session.select_process(selected)
    session.back_in()
    found = chain(session, "part", 1)
    last = found.links[-1].element
    assert (found.end, last.process, last.name, last.index) == ("argument", process, "x", (2,))


def test_an_index_outside_of_the_tensor_is_refused() -> None:
    session = Session(shlo.parse(TRAINING), [np.ones(3, np.float32), np.zeros((4, 3), np.float32)])
    with pytest.raises(DebuggerError, match=r"expected an index in a tensor of shape \(4, 3\), got \[4, 0\]"):
        session.elements.find("data", (4, 0))


SHARDED = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = sdy.manual_computation(%w) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"y"}, {"x"}]>] manual_axes={"x", "y"} (%part: tensor<2x2xf32>) {
    %turned = stablehlo.transpose %part, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
    sdy.return %turned : tensor<2x2xf32>
  } : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.negate %0 : tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
"""

LEGACY = """
func.func @main(%w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.custom_call @Sharding(%w) {mhlo.sharding = "{devices=[2,2]<=[4]}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<4x4xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[2,2]<=[2,2]T(1,0)}"} : (tensor<2x2xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}
"""


@pytest.mark.parametrize("text", [SHARDED, LEGACY], ids=["shardy", "legacy"])
def test_a_chain_leads_through_shards_to_the_element_of_the_whole_tensor(text: str) -> None:
    """A transposition in parts that lie transposed in the whole tensor."""
    w = np.arange(16, dtype=np.float32).reshape(4, 4)
    session = Session(shlo.parse(text), [[w]], partitions=4)
    session.resume()
    session.select_process(2)
    (got,) = session.results
    assert abs(got).tolist() == w.T.tolist()
    for index in ((0, 3), (3, 1), (2, 2)):
        found = session.elements.chain(session.elements.result(0, index))
        assert (found.end, found.links[-1].element.name) == ("argument", "w")
        assert found.links[-1].element.index == index[::-1]
    session.goto(0)
    session.select_process(1)  # whose part holds the element
    reached = session.elements.reached(session.elements.find("w", (1, 3))).results
    found = sorted((each.process, each.reached, each.first) for each in reached)
    assert found == [(process, 1, (3, 1)) for process in range(4)]


@pytest.mark.parametrize("seed", range(24))
def test_chains_of_parallel_programs_lead_to_the_planted_nan_and_forwards_reach_it(seed: int) -> None:
    """Collectives, also asynchronous ones, messages, loops, branches and calls, in up to six processes."""
    text, (replicas, partitions) = parallel_program(seed)
    random = np.random.default_rng(seed)
    process, index = int(random.integers(replicas * partitions)), int(random.integers(4))
    values = [np.asarray(random.random(4), np.float32) for _ in range(replicas * partitions)]
    values[process][index] = np.nan
    session = Session(
        shlo.parse(text), [[value] for value in values], replicas=replicas, partitions=partitions
    )
    session.resume()
    if not session.cursor.is_over:
        return  # processes wait for each other without end
    reached: dict[int, int] = {}
    for number in range(len(values)):
        session.select_process(number)
        link = session.elements.nonfinite_result()
        if link is not None:
            last = session.elements.chain(link).links[-1].element
            assert (last.process, last.position, last.index) == (process, 0, (index,))
            reached[number] = int(np.isnan(session.results[0]).sum())
    session.goto(0)
    session.select_process(process)
    (name,) = [view.name for view in session.inspector.values()]
    found = session.elements.reached(session.elements.find(name, (index,))).results
    counts = {each.process: each.reached for each in found}
    assert {number for number, count in reached.items() if counts.get(number, 0) < count} == set()


def test_an_infinity_in_a_long_gradient_is_followed_to_the_one_element_of_30_000() -> None:
    session = Session(shlo.parse(gradient_program()), gradient_arguments())
    session.resume()
    assert session.cursor.last == 1000
    for number, index in ((0, (0, 0)), (1, (PLANTED[1], 0))):
        link = session.elements.result(number, index)
        assert not link.is_finite
        chain = session.elements.chain(link)
        last = chain.links[-1].element
        assert (chain.end, last.name, last.index) == ("argument", "x", PLANTED)
        assert len(chain.links) > 100 or number


def test_an_infinity_in_a_gradient_of_jax_is_followed_to_its_element() -> None:
    import jax
    import jax.numpy as jnp

    def loss(w: jax.Array, x: jax.Array) -> jax.Array:
        def layer(h: jax.Array, _: None) -> tuple[jax.Array, None]:
            return jnp.maximum(h @ w, 0), None

        h, _ = jax.lax.scan(layer, x, None, length=7)
        return jax.nn.logsumexp(h, axis=1).sum()

    random = np.random.default_rng(3)
    w, x = random.random((6, 6), np.float32), random.random((5, 6), np.float32)
    x[3, 4] = np.inf
    session = Session(read(jax.jit(jax.grad(loss)).lower(w, x).as_text()), [w, x])
    session.resume()
    link = session.elements.nonfinite_result()
    assert link is not None
    chain = session.elements.chain(link)
    assert (chain.end, chain.links[-1].element.index, len(chain.links[-1].element.index)) == (
        "argument",
        (3, 4),
        2,
    )


def test_scalars_that_a_region_uses_from_outside_are_sources() -> None:
    text = """
func.func @main(%x: tensor<3xf32>, %limit: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    %t = stablehlo.multiply %s, %limit : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
"""
    session = Session(shlo.parse(text), [np.ones(3, np.float32), np.float32(np.nan)])
    session.resume()
    link = session.elements.nonfinite_result()
    assert link is not None
    assert session.elements.chain(link).links[-1].element.name == "limit"


def test_tuples_and_custom_calls_that_annotate_pass_elements_on_and_others_end_a_chain() -> None:
    text = """
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{replicated}"} : (tensor<3xf32>) -> tensor<3xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<3xf32>
  %2 = stablehlo.tuple %0, %1 : tuple<tensor<3xf32>, tensor<3xf32>>
  %3 = stablehlo.get_tuple_element %2[1] : (tuple<tensor<3xf32>, tensor<3xf32>>) -> tensor<3xf32>
  %4 = stablehlo.custom_call @own(%3) : (tensor<3xf32>) -> tensor<3xf32>
  return %3, %4 : tensor<3xf32>, tensor<3xf32>
}
"""
    handlers = {"own": lambda call: lambda x: x * 2}
    session = Session(shlo.parse(text), [np.arange(3, dtype=np.float32)], handlers=handlers)
    session.resume()
    chain = session.elements.chain(session.elements.result(0, (0,)))
    assert (chain.end, chain.links[-1].element.index) == ("argument", (2,))
    chain = session.elements.chain(session.elements.result(1, (0,)))
    assert (chain.end, len(chain.links)) == ("opaque", 1)
    assert "'own'" in chain.reason


LONG_CHAIN = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<20000> : tensor<i32>
  %first = stablehlo.constant dense<50> : tensor<i32>
  %mend = stablehlo.constant dense<60> : tensor<i32>
  %second = stablehlo.constant dense<1000> : tensor<i32>
  %minus = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
  %plus = stablehlo.constant dense<1.0> : tensor<2xf32>
  %out:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<2xf32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %is_first = stablehlo.compare EQ, %i, %first : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %is_mend = stablehlo.compare EQ, %i, %mend : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %is_second = stablehlo.compare EQ, %i, %second : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %is_bad = stablehlo.or %is_first, %is_second : tensor<i1>
    %good = stablehlo.select %is_mend, %plus, %c : tensor<i1>, tensor<2xf32>
    %in = stablehlo.select %is_bad, %minus, %good : tensor<i1>, tensor<2xf32>
    %root = stablehlo.sqrt %in : tensor<2xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %root : tensor<i32>, tensor<2xf32>
  }
  return %out#1 : tensor<2xf32>
}
"""


def test_blame_leads_through_all_rounds_in_a_row_to_the_one_that_made_the_nan() -> None:
    session = Session(read(LONG_CHAIN), [np.ones(2, np.float32)])
    session.resume()
    answer = run_command(session, "blame").text
    assert "rounds before, at whose beginnings it is not finite" in answer
    assert "made here" in answer
    *_, made, _, last = answer.splitlines()
    assert made.startswith("%root[0] = nan  stablehlo.sqrt, line 22")
    assert last.startswith("  %in[0] = -1.")
    link = session.elements.nonfinite_result()
    assert link
    chain = session.elements.chain(link)
    assert len(chain.links) < 100
    assert [link.element.iteration for link in chain.links if link.rounds] == [1001]


def test_reaches_answers_at_the_end_and_says_at_the_start_what_to_do() -> None:
    session = Session(read(LONG_CHAIN.replace("20000", "3")), [np.ones(2, np.float32)])
    question = "reaches %x[1]"
    assert f"go to the end (continue), then: {question}" in run_command(session, question).text
    session.resume()
    assert "result 0: 1 of 2 elements, [1]" in run_command(session, question).text
    assert session.snapshot.status == "done"


def test_states_on_the_way_back_take_no_more_memory_than_there_is_for_them_and_few_steps_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("shlo.debugger.provenance.rewind.MOST_HELD", 4 << 20)
    steps, type_ = 400, "tensor<262144xf32>"
    lines = [f"%x{number + 1} = stablehlo.negate %x{number} : {type_}" for number in range(steps)]
    text = "\n".join(
        [f"func.func @main(%x0: {type_}) -> {type_} {{", *lines, f"return %x{steps} : {type_}", "}"]
    )
    x = np.zeros(262144, np.float32)
    x[7] = np.nan
    session = Session(shlo.parse(text), [x], memory=4 << 20)
    session.resume()
    taken, forward = 0, ReplayCursor.forward

    def counting(cursor: ReplayCursor) -> bool:
        nonlocal taken
        taken += 1
        return forward(cursor)

    monkeypatch.setattr(ReplayCursor, "forward", counting)
    last = session.elements.nonfinite_result()
    assert last is not None
    tracemalloc.start()
    try:
        assert len(session.elements.chain(last).links) == steps + 1
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()
    assert taken < 8 * steps
