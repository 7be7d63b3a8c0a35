"""Modules are namespaces: what two programs with the same names do beside each other."""

from __future__ import annotations

from pathlib import Path

import pytest

import shlo

from .screens import Notebook

PROGRAM = """module{name} {{
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
    %0 = call @helper(%x) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }}
  func.func private @helper(%x: tensor<2xf32>) -> tensor<2xf32> {{
    %0 = stablehlo.{op} %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }}
}}"""


def program(op: str, name: str = "") -> str:
    return PROGRAM.format(op=op, name=f" @{name}" if name else "")


def run(notebook: Notebook, function: str) -> list[float]:
    notebook.cell(f"%run {function}([1.0, 4.0])")
    return notebook.value("_")


@pytest.mark.parametrize("names", [("a", "b"), ("", "")])
def test_two_programs_with_equal_names_live_side_by_side(notebook: Notebook, names: tuple[str, str]) -> None:
    texts = [notebook.cell(program(op, name)).text for op, name in zip(("negate", "sqrt"), names)]
    first, second = (text.partition(" : ")[0] for text in texts)
    assert (run(notebook, first), run(notebook, second)) == ([-1, -4], [1, 2])
    assert run(notebook, "@main") == [1, 2]  # the newest


def test_an_unnamed_module_keeps_its_name_when_its_cell_runs_again(notebook: Notebook) -> None:
    notebook.run(program("negate"), "In[1]", "cell 1")
    notebook.run(program("sqrt"), "In[2]", "cell 1")
    assert list(notebook.session.functions) == ["module_1.main", "module_1.helper"]
    assert run(notebook, "@main") == [1, 2]


def test_cells_call_functions_of_modules_and_keep_calling_them(notebook: Notebook) -> None:
    notebook.cell(program("negate", "a"))
    notebook.cell(
        "func.func @twice(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = call @main(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
        "  %1 = call @a.helper(%0) : (tensor<2xf32>) -> tensor<2xf32>\n"
        "  return %1 : tensor<2xf32>\n}"
    )
    notebook.cell(program("sqrt", "b"))
    assert run(notebook, "@twice") == [1, 4]
    notebook.cell(
        "%x = stablehlo.constant dense<[4.0, 9.0]> : tensor<2xf32>\n"
        "%y = func.call @b.main(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
        "%z = func.call @a(%y) : (tensor<2xf32>) -> tensor<2xf32>"
    )
    assert notebook.value("z") == [-2, -3]


def test_private_functions_are_not_found_by_their_short_names(notebook: Notebook) -> None:
    notebook.cell(program("negate", "a"))
    assert "there is no function @helper" in notebook.failure("%run @helper([1.0, 2.0])").message
    assert run(notebook, "@a.helper") == [-1, -4]
    completions = list(notebook.session.state.definitions.short_names)
    assert "main" in completions
    assert "helper" not in completions


def test_a_loaded_file_is_a_module_under_a_name_of_ones_own(notebook: Notebook, tmp_path: Path) -> None:
    path = tmp_path / "my program.mlir"
    path.write_text(program("sqrt", "jit_f"))
    assert notebook.cell(f"%load {path} as a").text.startswith("@a.main : ")
    assert notebook.cell(f"%load {path}").text.startswith("@jit_f.main : ")
    path.write_text(program("sqrt"))
    assert notebook.cell(f"%load {path}").text.startswith("@my_program.main : ")
    path.write_text("func.func @f() {\n  return\n}")
    assert notebook.cell(f"%load {path} as c").text.startswith("@c.f : ")
    assert "is no name of a module" in notebook.failure(f"%load {path} as a.b").message


def test_one_module_is_saved_and_no_mixture(notebook: Notebook, tmp_path: Path) -> None:
    path = tmp_path / "saved.mlir"
    notebook.cell(program("negate", "a"))
    notebook.cell(f"%save {path}")
    assert path.read_text() == shlo.parse(program("negate", "a")).to_text()
    notebook.cell(program("sqrt", "b"))
    assert "@a, @b" in notebook.failure(f"%save {path}").message
    notebook.cell(f"%save {path} @b")
    assert path.read_text() == shlo.parse(program("sqrt", "b")).to_text()
    notebook.cell(
        "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = call @a.main(%x) : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}"
    )
    notebook.cell(f"%save {path} @f")
    assert set(shlo.load(path).functions) == {"f", "a.main", "a.helper"}


def test_a_module_that_takes_the_place_of_another_says_so(notebook: Notebook) -> None:
    notebook.cell(program("negate", "a"))
    assert (
        "@a takes the place of the module of that name in In[1]" in notebook.cell(program("sqrt", "a")).text
    )


def test_a_redefinition_that_breaks_a_caller_says_so(notebook: Notebook) -> None:
    helper = "func.func @h(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32>\n}"
    caller = (
        "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = call @h(%x) : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}"
    )
    notebook.cell(helper)
    notebook.cell(caller)
    assert "warning" not in notebook.cell(helper.replace("%x", "%y")).text
    text = notebook.cell(helper.replace("tensor<2xf32>", "tensor<2xf64>")).text
    assert "warning: @f calls @h and no longer fits it (In[2]:2:" in text


def test_modules_keep_their_attributes_and_meshes(notebook: Notebook, tmp_path: Path) -> None:
    text = (
        'module @a attributes {mhlo.num_partitions = 2 : i32} {\n  sdy.mesh @mesh = <["x"=2]>\n'
        '  func.func @main(%x: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xf32> {\n'
        "    return %x : tensor<2xf32>\n  }\n}"
    )
    other = text.replace("@a", "@b").replace('x"=2', 'x"=4')
    notebook.cell(f"{text}\n// -----\n{other}")
    notebook.cell(f"%save {tmp_path}/a.mlir @a")
    assert (tmp_path / "a.mlir").read_text() == shlo.parse(text).to_text()
    linked = notebook.session.state.definitions.namespaces["b"].linked
    assert "#sdy.sharding<@b.mesh" in str(linked["b.main"].operation.attribute("arg_attrs"))


def test_an_error_in_a_module_points_into_its_cell(notebook: Notebook) -> None:
    wrong = program("negate", "a").replace("call @helper", "call @nope")
    found = notebook.failure(wrong)
    assert "In[1]:3:" in found.text
    assert "nope" in found.message
    assert not notebook.session.functions
