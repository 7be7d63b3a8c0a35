"""Costs of programs: rounds of loops, calls, branches, scopes, memory by liveness, and what is not known."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import shlo
from shlo.cli import main
from shlo.costs import ProgramCost, Work, cost
from shlo.costs.model import total_of
from shlo.costs.report import data_of, lines_of, page_of, scope_tree, summary_of
from shlo.costs.roofline import Roofline
from shlo.text.styled import plain_text

ROOT = Path(__file__).parents[2]
OPERATIONS = sorted((ROOT / "tests" / "ops").glob("*.mlir"))

LOOP = """
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {{
  %start = stablehlo.constant dense<{start}> : tensor<i32>
  %r:2 = stablehlo.while(%i = %start, %v = %x) : tensor<i32>, tensor<8xf32>
  cond {{
    %end = stablehlo.constant dense<{end}> : tensor<i32>
    %go = stablehlo.compare {test}, {sides} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %step = stablehlo.constant dense<{step}> : tensor<i32>
    %j = stablehlo.{change} %i, %step : tensor<i32>
    %w = stablehlo.multiply %v, %v : tensor<8xf32>
    stablehlo.return %j, %w : tensor<i32>, tensor<8xf32>
  }}
  return %r#1 : tensor<8xf32>
}}
"""


def counted(text: str, entry: str = "main") -> ProgramCost:
    return cost(shlo.parse(text), entry)


def flops_of(counted: ProgramCost, name: str) -> int:
    return sum(each.total.flops for each in counted.operations if each.operation.name == f"stablehlo.{name}")


def live_at(counted: ProgramCost, name: str) -> list[int]:
    return [each.live_bytes for each in counted.operations if each.operation.name == f"stablehlo.{name}"]


@pytest.mark.parametrize(
    ("start", "end", "test", "sides", "change", "step", "rounds"),
    [
        (0, 10, "LT", "%i, %end", "add", 1, 10),
        (0, 10, "LE", "%i, %end", "add", 3, 4),
        (10, 0, "GT", "%i, %end", "subtract", 4, 3),
        (0, 10, "GT", "%end, %i", "add", 1, 10),
        (0, 12, "NE", "%i, %end", "add", 4, 3),
        (5, 5, "LT", "%i, %end", "add", 1, 0),
        (0, 10, "LT", "%i, %end", "add", 0, None),
        (0, 10, "NE", "%i, %end", "add", 4, None),
        (0, 10, "LT", "%i, %end", "multiply", 2, None),
    ],
)
def test_a_loop_counts_as_often_as_it_runs(
    start: int, end: int, test: str, sides: str, change: str, step: int, rounds: int | None
) -> None:
    text = LOOP.format(start=start, end=end, test=test, sides=sides, change=change, step=step)
    found = counted(text)
    per_round = 9 if change == "multiply" else 8
    assert flops_of(found, "multiply") == per_round * (1 if rounds is None else rounds)
    assert flops_of(found, "compare") == (2 if rounds is None else rounds + 1)
    assert [note.text for note in found.notes] == (
        ["how often a loop runs is not known: one round is counted"] if rounds is None else []
    )
    assert cost(shlo.parse(text), rules="xla").total.flops == 9 + 1


def test_a_limit_that_a_loop_hands_on_is_a_constant() -> None:
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %many = stablehlo.constant dense<7> : tensor<i32>
      %r:3 = stablehlo.while(%i = %zero, %n = %many, %v = %x) : tensor<i32>, tensor<i32>, tensor<4xf32>
      cond {
        %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %go : tensor<i1>
      } do {
        %j = stablehlo.add %one, %i : tensor<i32>
        %w = stablehlo.negate %v : tensor<4xf32>
        stablehlo.return %j, %n, %w : tensor<i32>, tensor<i32>, tensor<4xf32>
      }
      return %r#2 : tensor<4xf32>
    }"""
    assert flops_of(counted(text), "negate") == 28
    assert flops_of(counted(text.replace("%j, %n, %w", "%j, %j, %w")), "negate") == 4


CALLS = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("jit(f)/layer_0/closed_call"("m.py":3:1))
  %b = func.call @layer(%a) : (tensor<4xf32>) -> tensor<4xf32> loc("jit(f)/layer_1/closed_call"("m.py":3:1))
  %c = stablehlo.add %a, %b : tensor<4xf32> loc("jit(f)/add"("m.py":5:1))
  return %c : tensor<4xf32>
}
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32> loc("tanh"("m.py":9:1))
  %1 = stablehlo.multiply %0, %0 : tensor<4xf32> loc("attn/mul"("m.py":10:1))
  return %1 : tensor<4xf32>
}
"""


def test_a_function_counts_at_each_call_in_the_scope_of_the_call() -> None:
    found = counted(CALLS)
    assert found.total == Work(12, 8, 4 * 4 * (2 + 4 + 2), 4 * 4 * 5)
    works = {group.name: group.work for group in found.scopes}
    assert works["jit(f)/layer_0/closed_call"].transcendentals == 4
    assert works["jit(f)/layer_1/closed_call/attn"].flops == 4
    assert {group.name: group.work.flops for group in found.lines}["m.py:10"] == 8
    tree = scope_tree(found.scopes)
    (function,) = (node for node in tree.children.values() if node.name.startswith("jit(f)"))
    assert (function.work.flops, function.work.transcendentals) == (12, 8)


def test_groups_add_up_to_the_whole() -> None:
    for name in ("transformer", "diverging", "training"):
        found = shlo.cost(shlo.load(ROOT / "examples" / f"{name}.mlir"))
        for groups in (found.kinds, found.scopes, found.lines):
            assert total_of(group.work for group in groups) == found.total
            assert sum(group.times for group in groups) == sum(each.times for each in found.operations)


def test_calls_that_double_at_each_of_many_functions_are_counted_at_once() -> None:
    call = "func.call @f{0}(%x) : (tensor<f32>) -> tensor<f32>"
    functions = [
        f"func.func private @f{n}(%x: tensor<f32>) -> tensor<f32> {{\n"
        f'%a = {call.format(n + 1)} loc("jit(f)/a{n}/b")\n%b = {call.format(n + 1)} loc("jit(f)/c{n}/b")\n'
        "return %b : tensor<f32> }\n"
        for n in range(60)
    ]
    last = "func.func private @f60(%x: tensor<f32>) -> tensor<f32> {\n%0 = stablehlo.negate %x : tensor<f32> return %0 : tensor<f32> }"
    assert counted("".join(functions) + last, "f0").total.flops == 2**60


def test_a_function_that_calls_itself_is_noted() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.negate %x : tensor<4xf32>
      %1 = func.call @main(%0) : (tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }"""
    found = counted(text)
    assert found.total.flops == 4
    assert [note.text for note in found.notes] == ["@main calls itself, how often is not known"]


def test_of_branches_the_costliest_is_counted() -> None:
    found = counted("""
    func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = "stablehlo.if"(%p) ({
        %1 = stablehlo.add %x, %x : tensor<4xf32>
        %2 = stablehlo.add %1, %x : tensor<4xf32>
        stablehlo.return %2 : tensor<4xf32>
      }, {
        %1 = stablehlo.negate %x : tensor<4xf32>
        stablehlo.return %1 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }""")
    assert (found.total.flops, flops_of(found, "negate")) == (8, 0)
    assert [note.text for note in found.notes] == ["of a branch, the region with the most FLOPs is counted"]


def test_what_is_not_known_is_listed() -> None:
    found = counted("""
    func.func @main(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.negate %x : tensor<?xf32>
      %1 = stablehlo.abs %x : tensor<?xf32>
      %2 = stablehlo.custom_call @mystery(%y) : (tensor<4xf32>) -> tensor<4xf32>
      %3 = stablehlo.custom_call @Sharding(%2) : (tensor<4xf32>) -> tensor<4xf32>
      %4 = stablehlo.convert %3 : tensor<4xf32>
      return %4 : tensor<4xf32>
    }""")
    assert not found.total
    assert [(note.text, note.count) for note in found.notes] == [
        ("the sizes of tensor<?xf32> are not known", 2),
        ("what the custom call 'mystery' computes is not in the program", 1),
    ]
    assert [each.operation.name for each in found.not_counted] == [
        "stablehlo.negate",
        "stablehlo.abs",
        "stablehlo.custom_call",
    ]
    lines = plain_text(lines_of(found, top=0)).splitlines()
    assert lines[0].endswith(", 3 operations not counted")
    assert lines[-1].strip().startswith("values whose sizes are not known count as 0 bytes; `shlo refine`")


# --- memory ---

CHAIN = """
func.func @main(%x: tensor<4xf32>{donated}, %y: tensor<4xf32>) -> tensor<4xf32> {{
  %a = stablehlo.add %x, %y : tensor<4xf32>
  %b = stablehlo.tanh %a : tensor<4xf32>
  %c = stablehlo.reshape %b : (tensor<4xf32>) -> tensor<2x2xf32>
  %d = stablehlo.transpose %c, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %e = stablehlo.reshape %d : (tensor<2x2xf32>) -> tensor<4xf32>
  return %e : tensor<4xf32>
}}"""


@pytest.mark.parametrize(
    ("donated", "add"),
    [("", 48), (" {tf.aliasing_output = 0 : i32}", 32), (" {jax.buffer_donor = true}", 32)],
)
def test_values_are_held_from_definition_to_last_use(donated: str, add: int) -> None:
    found = counted(CHAIN.format(donated=donated))
    names = ("add", "tanh", "reshape", "transpose")
    assert [live_at(found, name) for name in names] == [[add], [add], [add, add + 0], [add + 16]]
    assert (found.peak_bytes, found.argument_bytes, found.result_bytes) == (add + 16, 32, 16)
    assert found.peak is not None
    assert found.peak.operation.name == "stablehlo.transpose"


def test_a_loop_updates_what_it_hands_on_in_place() -> None:
    text = """
    func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.negate %x : tensor<64xf32>
      %r:2 = stablehlo.while(%i = %zero, %v = %0) : tensor<i32>, tensor<64xf32>
      cond {
        %n = stablehlo.constant dense<64> : tensor<i32>
        %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %go : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %part = stablehlo.dynamic_slice %v, %i, sizes = [1] : (tensor<64xf32>, tensor<i32>) -> tensor<1xf32>
        %new = stablehlo.exponential %part : tensor<1xf32>
        %w = stablehlo.dynamic_update_slice %v, %new, %i : (tensor<64xf32>, tensor<1xf32>, tensor<i32>) -> tensor<64xf32>
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %w : tensor<i32>, tensor<64xf32>
      }
      return %r#1 : tensor<64xf32>
    }"""
    found = counted(text)
    assert live_at(found, "dynamic_update_slice") == [256 + 256 + 4 + 4 + 4]  # x, v, i, one, new
    assert found.total.written_bytes < 64 * 16 + 512
    kept = counted(text.replace("return %r#1", "%s = stablehlo.add %r#1, %0 : tensor<64xf32>\nreturn %s"))
    assert live_at(kept, "dynamic_update_slice") == [256 + 256 + 256 + 4 + 4 + 4]


def test_memory_in_a_function_is_beside_that_of_its_caller() -> None:
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %big = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
      %a = stablehlo.negate %x : tensor<4xf32>
      %b = func.call @inner(%a) : (tensor<4xf32>) -> tensor<4xf32>
      %c = stablehlo.slice %big [0:1, 0:4] : (tensor<8x4xf32>) -> tensor<1x4xf32>
      return %b : tensor<4xf32>
    }
    func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    assert live_at(counted(text), "reverse") == [16 + 128 + 16 + 16]


# --- every operation ---


@pytest.mark.parametrize("path", OPERATIONS, ids=lambda path: path.stem)
def test_the_work_of_each_operation_is_defined(path: Path) -> None:
    """No definition's work fails on the operation's own test programs."""
    for text in path.read_text("utf-8").split("// -----"):
        module = shlo.syntax.parse(text)[0]
        for name, function in module.functions.items():
            if function.body is not None:
                reasons = [each.unknown for each in cost(module, name).not_counted]
                assert [reason for reason in reasons if "not valid" in reason] == []


# --- reports ---


def test_data_holds_each_operation_and_adds_up() -> None:
    data = json.loads(json.dumps(data_of(counted(CALLS), Roofline(1e12, 1e11))))
    assert sum(each["flops"] for each in data["operations"]) == data["flops"] == 12
    (tanh,) = (each for each in data["operations"] if each["operation"] == "stablehlo.tanh")
    assert (tanh["times"], tanh["line"], tanh["python"]) == (2, 9, "m.py:9")
    assert data["roofline"]["seconds"] == pytest.approx(
        data["read_bytes"] / 1e11 + data["written_bytes"] / 1e11
    )


def test_a_page_is_whole_and_escapes_what_a_file_says() -> None:
    hostile = CALLS.replace("jit(f)/", "jit(f)/<script>x</script>/").replace("m.py", "<img src=x>.py")
    page = page_of(counted(hostile), "<b>.mlir", 12)
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;script&gt;" in page
    assert re.findall(r"(?:src|href)=", page.replace("&lt;img src=x&gt;", "")) == []


def test_a_roofline_says_what_limits() -> None:
    machine = Roofline(flops_per_second=100, bytes_per_second=10)
    assert machine.ridge == 10
    assert (machine.seconds(Work(200, 0, 10, 0)), machine.bound(Work(200, 0, 10, 0))) == (2, "compute")
    assert (machine.seconds(Work(100, 0, 10, 10)), machine.bound(Work(100, 0, 10, 10))) == (2, "memory")


def test_a_summary_is_one_line() -> None:
    assert summary_of(counted(CALLS)) == "12 FLOP, 208 B accessed, peak 48 B"


def test_the_command_writes_text_data_and_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(ROOT / "examples" / "diverging.mlir")
    assert main(["cost", path, "--roofline", "275e12,1.2e12", "--top", "2"]) == 0
    text = capsys.readouterr().out
    assert "275 TFLOP/s and 1.2 TB/s meet at 229 FLOP/byte" in text
    assert "\n  ... " in text
    assert main(["cost", path, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["rules"] == "shlo"
    page = tmp_path / "cost.html"
    assert main(["cost", path, "--format", "html", "-o", str(page)]) == 0
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("arguments", [["--roofline", "fast"], ["--roofline", "0,1"], ["--entry", "nowhere"]])
def test_the_command_refuses_what_it_cannot_use(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(ROOT / "examples" / "distance.mlir")
    try:
        code = main(["cost", path, *arguments])
    except SystemExit as ended:
        code = int(ended.code or 0)
    assert code == 2
    assert capsys.readouterr().out == ""


def test_this_machine_can_be_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cost", str(ROOT / "examples" / "distance.mlir"), "--roofline"]) == 0
    assert re.search(r"roofline: .*FLOP/s and .*B/s meet at", capsys.readouterr().out)


def test_a_cost_is_printed_as_its_tables() -> None:
    printed = repr(shlo.cost(CALLS))
    assert printed.startswith("@main: 12 FLOP, 8 transcendental\n")
    assert "by name scope, inner scopes included" in printed


def test_a_share_is_of_the_two_columns_before_it() -> None:
    kinds = repr(shlo.cost(CALLS)).split("by kind of operation\n")[1].split("\n\n")[0]
    header, *rows = (line.split() for line in kinds.splitlines())
    assert header[:3] == ["FLOP", "transc.", "share"]
    assert [row[2] for row in rows] == [f"{100 * (int(row[0]) + int(row[1])) / 20:.1f}%" for row in rows]
    assert {row[2] for row in rows} > {"40.0%"}


@pytest.mark.oracle
def test_a_function_of_jax_is_counted_with_its_arguments() -> None:
    jax = pytest.importorskip("jax")
    x, w = jax.numpy.ones((3, 4)), jax.numpy.ones((4, 5))

    def layer(x, w):
        with jax.named_scope("layer"):
            return jax.numpy.tanh(x @ w)

    found = shlo.cost(layer, x, w)
    expected = jax.jit(layer).lower(x, w).cost_analysis()
    assert found.total.flops == expected["flops"] == 2 * 3 * 4 * 5
    assert found.total.transcendentals == expected["transcendentals"] == 15
    assert [group.name for group in found.scopes if group.work] == ["jit(layer)/layer"]
