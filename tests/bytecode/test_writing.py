"""Bytecode and artifacts that we write are, byte for byte, those that jaxlib writes."""

from __future__ import annotations

from pathlib import Path

import pytest

import shlo
import shlo_bytecode
from shlo.ir.upper_layers import lowered
from shlo_bytecode.container.file import open_container
from tests.bytecode.test_artifacts import VERSIONS as TARGETS
from tests.bytecode.texts import TEXTS
from tests.jax_programs import SMALL, Program, program_id
from tests.oracle import JAXLIB, Oracle, OracleError

CONSUMER = f"jaxlib=={'.'.join(map(str, JAXLIB))}"
WITH_USE_LISTS = ("regions", "stablehlo", "symbolic_loop")
"""Texts and programs in whose bytecode jaxlib says in which order values are used, which no text says."""
WRITTEN_AS_TEXT = ("attributes", "types")
"""Texts with affine maps and layouts, which MLIR 24 writes in binary, and we as text, which every MLIR reads."""


def parse(text: str) -> shlo.Module:
    """Returns the program, its file called as jaxlib calls it."""
    return shlo.parse(text, "-")


def producer_of(data: bytes) -> str:
    """Returns what wrote the bytecode, as its header says: each MLIR writes its own version."""
    return open_container(data).producer


@pytest.mark.parametrize("version", range(7))
@pytest.mark.parametrize("name", TEXTS)
def test_every_kind_of_content_in_every_version(oracle: Oracle, name: str, version: int) -> None:
    wanted = oracle.bytecode(TEXTS[name], version, unregistered=True)
    module = shlo_bytecode.read(wanted)
    written = shlo_bytecode.write(module, version, consumer=CONSUMER, producer=producer_of(wanted))
    is_text_of_ours = name in WRITTEN_AS_TEXT and mlir_of(wanted) > 23
    assert_same(oracle, written, wanted, is_text_of_ours or (version >= 3 and name == "stablehlo"))


def mlir_of(data: bytes) -> int:
    """Returns the number in `MLIR24.0.0git`."""
    return int(producer_of(data).removeprefix("MLIR").partition(".")[0])


def assert_same(oracle: Oracle, written: bytes, wanted: bytes, as_modules: bool) -> None:
    if not as_modules:
        assert written == wanted
        return
    modules = [oracle.pretty_bytecode(data, locations=True, unregistered=True) for data in (written, wanted)]
    assert modules[0] == modules[1]


@pytest.mark.parametrize("program", SMALL, ids=program_id)
def test_a_jax_program_from_its_text(oracle: Oracle, program: Program) -> None:
    text = program.text(debug_info=True)
    wanted = oracle.bytecode(text)
    written = shlo_bytecode.write(parse(text), 6, consumer=CONSUMER, producer=producer_of(wanted))
    assert_same(oracle, written, wanted, program.name in WITH_USE_LISTS)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("target", TARGETS)
def test_artifacts_and_refusals(oracle: Oracle, name: str, target: str) -> None:
    parsed, _ = shlo.syntax.parse(TEXTS[name], "-")
    module = lowered(parsed)  # which the oracle does not
    text = TEXTS[name] if module is parsed else module.to_text(locations=True)
    try:
        wanted = oracle.artifact(text, target)
    except OracleError:
        with pytest.raises(shlo_bytecode.EncodingError):
            shlo_bytecode.write_artifact(module, target)
        return
    assert shlo_bytecode.write_artifact(module, target, consumer=CONSUMER) == wanted


SHARDED = {
    "regions": """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %c = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32>
  %d = sdy.sharding_constraint %c <@mesh, [{"y"}]> : tensor<8xf32>
  %1 = sdy.manual_computation(%c, %arg1) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<4xf32>, %b: tensor<8xf32>) {
    %2 = stablehlo.add %a, %a : tensor<4xf32>
    %3 = stablehlo.multiply %2, %a : tensor<4xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{"y"}]> : tensor<4xf32>
    %5 = stablehlo.add %4, %2 : tensor<4xf32>
    sdy.return %5 : tensor<4xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %6 = stablehlo.add %1, %c : tensor<8xf32>
  %7 = stablehlo.add %6, %d : tensor<8xf32>
  return %7 : tensor<8xf32>
}
""",
    "several values": """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> (tensor<8xf32>) {
  %c = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  %d = sdy.sharding_constraint %arg2 <@mesh, [{"y"}]> : tensor<8xf32>
  %e = sdy.sharding_constraint %arg1 <@mesh, [{"y"}]> : tensor<8xf32>
  %m:2 = sdy.manual_computation(%c, %arg1) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<4xf32>, %b: tensor<8xf32>) {
    %2 = stablehlo.add %a, %a : tensor<4xf32>
    %3 = stablehlo.multiply %b, %b : tensor<8xf32>
    sdy.return %2, %2 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %w:2 = stablehlo.while(%x = %m#0, %y = %m#1) : tensor<8xf32>, tensor<8xf32>
   cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
   } do {
    %q = sdy.sharding_constraint %y <@mesh, [{"y"}]> : tensor<8xf32>
    %r = sdy.sharding_constraint %x <@mesh, [{"y"}]> : tensor<8xf32>
    %s = stablehlo.add %q, %arg0 : tensor<8xf32>
    stablehlo.return %r, %s : tensor<8xf32>, tensor<8xf32>
   }
  %z = sdy.sharding_constraint %w#1 <@mesh, [{"y"}]> : tensor<8xf32>
  %zz = sdy.sharding_constraint %w#0 <@mesh, [{"y"}]> : tensor<8xf32>
  %v = stablehlo.add %z, %zz : tensor<8xf32>
  sdy.sharding_group %v group_id=0 : tensor<8xf32>
  return %v : tensor<8xf32>
}
""",
    "meshes alone": """
sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.sine %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}""",
}


@pytest.mark.parametrize("target", ["1.0.0", "1.9.0", "1.17.0"])
@pytest.mark.parametrize("name", SHARDED)
def test_operations_of_shardy_stay_what_they_are(oracle: Oracle, name: str, target: str) -> None:
    written = shlo_bytecode.write_artifact(parse(SHARDED[name]), target)
    wanted = oracle.artifact(SHARDED[name], target, mixed=True)
    assert_same(oracle, written, wanted, name != "meshes alone")
    assert oracle.pretty_artifact(written, locations=True) == oracle.pretty_artifact(wanted, locations=True)


def test_operations_of_chlo_are_lowered_and_others_refused() -> None:
    text = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %0 = {} : {}
  return %0 : tensor<f32>
}}"""
    data = shlo_bytecode.write_artifact(
        parse(text.format("chlo.erf %x", "tensor<f32> -> tensor<f32>")), "1.3.0"
    )
    assert "stablehlo.multiply" in shlo_bytecode.read(data).to_text()
    with pytest.raises(shlo_bytecode.EncodingError, match=r"math.tan: VHLO has no such operation"):
        shlo_bytecode.write_artifact(parse(text.format("math.tan %x", "tensor<f32>")), "1.9.0")


def test_locations_are_dropped_on_request(oracle: Oracle) -> None:
    data = shlo_bytecode.write(parse(TEXTS["locations"]), locations=False)
    assert "loc(unknown)" in oracle.pretty_bytecode(data, locations=True, unregistered=True)
    assert b"file.py" not in data


REFUSALS = {
    "1.8.0": ("stablehlo.exponential", "result_accuracy", "1.9.0"),
    "1.5.0": ("func.func @h", "tf32", "1.6.0"),
    "1.2.0": ("stablehlo.custom_call", "configuration", "1.3.0"),
}

NEWS = """
func.func @f(%x: tensor<2xf32>) {
  %0 = "stablehlo.exponential"(%x) <{result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2xf32>) -> tensor<2xf32>
  stablehlo.custom_call @g(%x) {api_version = 4 : i32, backend_config = {a = 1 : i32}} : (tensor<2xf32>) -> ()
  return
}
func.func private @h(tensor<2xtf32>)
"""


@pytest.mark.parametrize("target", REFUSALS)
def test_a_refusal_says_which_version_has_it(target: str) -> None:
    with pytest.raises(shlo_bytecode.EncodingError) as caught:
        shlo_bytecode.write_artifact(parse(NEWS), target)
    operation, words, first = REFUSALS[target]
    found = [
        obstacle
        for obstacle in caught.value.obstacles
        if words in obstacle.reason and obstacle.operation == operation
    ]
    assert [obstacle.first for obstacle in found] == [first]
    assert found[0].place.startswith("-:")


@pytest.mark.parametrize("version", ["0.8.0", "1.23.0", "2.0.0", "1.4", "x"])
def test_there_is_no_such_version(version: str) -> None:
    with pytest.raises(ValueError, match="version"):
        shlo_bytecode.write_artifact(parse("module {}"), version)


def test_newer_than_the_oracle() -> None:
    module = parse(TEXTS["recent"])
    text = module.to_text(locations=True)
    for target in ("1.18.0", "1.19.0", "1.20.0", "1.21.0", "1.22.0"):
        assert (
            shlo_bytecode.read(shlo_bytecode.write_artifact(module, target)).to_text(locations=True) == text
        )


def test_reductions_of_newer_shardy_are_written_and_read() -> None:
    text = (
        'module @m attributes {a.b = #sdy.sharding<@m, [{"x"}], replicated={"y"}, unreduced=max{"z"}>} {\n}\n'
    )
    assert shlo_bytecode.read(shlo_bytecode.write(parse(text))).to_text() == text


def test_sizes_of_segments_are_attributes_like_others_of_operations_that_are_not_known() -> None:
    text = """"foo.bar"() <{operandSegmentSizes = array<i32: 2>, resultSegmentSizes = array<i32: -1>}> : () -> ()"""
    module = shlo.parse(text)
    assert shlo_bytecode.read(shlo_bytecode.write(module)).to_text() == module.to_text()


def test_foreign_attributes_keep_their_line_breaks(oracle: Oracle) -> None:
    text = '"foo.bar"() {a = #foo<x\n  y>, b = !foo.t<1,\n 2>} : () -> ()\n'
    written = shlo_bytecode.write(parse(text))
    wanted = oracle.pretty(text, unregistered=True)
    assert oracle.pretty_bytecode(written, unregistered=True) == wanted
    assert b"#foo<x\n  y>\0" in written
    assert b"#foo<x\n  y>\0" in oracle.bytecode(text, 6, unregistered=True)


CALL = """
func.func @main(%x: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  %0 = stablehlo.custom_call @f(%x) : (tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}
"""


def test_bytecode_is_written_for_what_reads_it(tmp_path: Path) -> None:
    module = parse(CALL)
    assert shlo_bytecode.write(module)[4:5] == b"\x09"  # version 4, of which no layout depends on the reader
    assert b"f8E4M3FN\0" in shlo_bytecode.write(module)  # which is a code since jaxlib 0.10.2
    sizes = {
        name: len(shlo_bytecode.write(module, 6, consumer=name))
        for name in (
            "jaxlib==0.4.34",
            "jaxlib==0.9.0",
            "jaxlib==0.10.2",
            "jaxlib==0.12.0.1",
            "stablehlo==1.20.0",
        )
    }
    assert sizes["jaxlib==0.4.34"] < sizes["jaxlib==0.9.0"]  # func.func has no_inline
    assert sizes["jaxlib==0.10.2"] + 1 == sizes["jaxlib==0.12.0.1"] == sizes["stablehlo==1.20.0"]
    path = tmp_path / "old.bc"
    path.write_bytes(shlo_bytecode.write_artifact(parse("module {}"), "1.4.0"))
    assert b"StableHLO_v1.4.0\0" in shlo_bytecode.write_artifact(module, consumer=path)
    assert b"StableHLO_v1.13.5\0" in shlo_bytecode.write_artifact(module, consumer="jaxlib==0.8.3")


def test_what_the_consumer_lacks_is_refused() -> None:
    text = CALL.replace("@f(%x)", "@f(%x) {result_tilings = [dense<1> : tensor<1xindex>]}")
    with pytest.raises(
        shlo_bytecode.EncodingError, match=r"no result_tilings \(version 1.18.0 first has it\)"
    ):
        shlo_bytecode.write(parse(text), consumer="jaxlib==0.10.2")
    for name in ("jaxlib==0.4.30", "numpy==2.0.0", "nothing.bc"):
        with pytest.raises(ValueError, match="expected"):
            shlo_bytecode.write(parse("module {}"), consumer=name)


CAPTURED = """
func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.add %x, %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


def ordered(*orders: tuple[int, ...]) -> bytes:
    """Returns a program whose arguments have orders of uses."""
    module = parse(CAPTURED)
    [function] = module.functions.values()
    assert function.body is not None
    function.body.values.use_orders = dict(enumerate(orders))
    return shlo_bytecode.write(module, 6)


def orders_of(data: bytes) -> list[tuple[int, ...]]:
    [function] = shlo_bytecode.read(data).functions.values()
    assert function.body is not None
    return [*(function.body.values.use_orders or {}).values()]


@pytest.mark.parametrize("order", [(2, 1, 0), (1, 2, 0), (0, 2, 1)])
def test_orders_of_uses_are_kept_and_read_by_mlir(oracle: Oracle, order: tuple[int, ...]) -> None:
    data = ordered(order)
    assert orders_of(data) == [order]
    assert shlo_bytecode.write(shlo_bytecode.read(data), 6) == data
    assert oracle.pretty_bytecode(data) == oracle.pretty(CAPTURED)


def test_orders_that_do_not_fit_the_uses_are_left_out() -> None:
    plain = ordered()
    assert ordered((3, 2, 1, 0), (0, 1)) == plain  # more than there are uses
    assert orders_of(ordered((1, 0))) == [(1, 0, 2)]  # a use has been added
    data = ordered((2, 1, 0))
    place = data.index(bytes((0x20,)) + bytes(2 * number + 1 for number in (1, 0, 6, 2, 1, 0)))
    assert orders_of(data[: place + 5] + b"\5" + data[place + 6 :]) == []  # 1 twice


def test_an_order_of_many_uses_is_written_in_pairs() -> None:
    """As MLIR writes one of which less than half moves."""
    adds = "".join(f"  %{n} = stablehlo.add %x, %x : tensor<f32>\n" for n in range(5))
    module = parse(f"func.func @main(%x: tensor<f32>) {{\n{adds}  return\n}}")
    [function] = module.functions.values()
    assert function.body is not None
    function.body.values.use_orders = {0: (0, 3, 2, 1, *range(4, 10))}
    data = shlo_bytecode.write(module, 6)
    assert bytes(2 * number + 1 for number in (4 << 1 | 1, 1, 3, 3, 1)) in data
    assert orders_of(data) == [(0, 3, 2, 1)]
    assert shlo_bytecode.write(shlo_bytecode.read(data), 6) == data
