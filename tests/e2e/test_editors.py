"""Neovim and Emacs with the files of `editors/`, without a screen."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import shlo

from .conftest import find_tool, missing
from .editors import EDITORS, NEWER_NEOVIM, SHLO, Emacs, Neovim, environment

pytestmark = pytest.mark.timeout(240)
BROKEN = """\
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
    %z = stablehlo.constant dense<0> : tensor<2xf32>
  %n = stablehlo.subtract %z, %x : tensor<2xf32>
  return %n : tensor<2xf32>
}

func.func @main() -> tensor<2xf32> {
  %c = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf32>
  %d = stablehlo.constant dense<1> : tensor<2xf32>
  %r = stablehlo.add %c, %d : tensor<2xf32>
  %s = call @twice(%r) : (tensor<2xf32>) -> tensor<2xf32>
  return %s : tensor<2xf32>
}
"""
FIXED = BROKEN.replace("<0>", "<0.0>").replace("<1>", "<1.0>")
TIDY = re.sub(r"\b(\d\.\d)\b", r"\g<1>00000e+00", FIXED.replace("    %z", "  %z"))
RENAMED = TIDY.replace("@twice", "@minus")
MISTAKES = ["got 0", "got 1"]
RESULT = "[-2.5, -3.5]"
RESULTS_OF_NEOVIM = "table.concat(vim.fn.getbufline('shlo://results', 1, '$'), ' ')"
LENSES = "vim.tbl_map(function(lens) return lens.command and lens.command.title or '' end, vim.lsp.codelens.get(0))"
CHECKED = """\
func.func @main(%a: tensor<2xf32>) {
  check.expect_eq_const %a, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}
"""
HELP = EDITORS / "neovim" / "doc" / "shlo.txt"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    path = tmp_path / "model.mlir"
    path.write_text(BROKEN)
    return path


@pytest.fixture
def bytecode(program: Path) -> Path:
    source, path = program.with_name("source.mlir"), program.with_suffix(".mlirbc")
    source.write_text(TIDY)
    subprocess.run([SHLO, "convert", source, "-o", path], check=True)
    return path


@pytest.fixture(params=["debian", "newer"])
def neovim(request: pytest.FixtureRequest, program: Path) -> Iterator[Neovim]:
    if request.param == "debian":
        executable = find_tool("nvim")
    else:
        executable = str(NEWER_NEOVIM)
        if not NEWER_NEOVIM.exists():
            missing("the newer Neovim is not installed: pip install -e '.[e2e]'")
    with Neovim(executable, program.parent, program.name) as neovim:
        yield neovim


@pytest.fixture
def emacs(program: Path) -> Iterator[Emacs]:
    with Emacs(find_tool("emacs"), program.parent, program.name) as emacs:
        yield emacs


@pytest.mark.core
def test_neovim_finds_mends_reads_and_runs(neovim: Neovim) -> None:
    findings = neovim.until(
        "vim.tbl_map(function(each) return each.message end, vim.diagnostic.get(0))",
        lambda found: found and len(found) == len(MISTAKES),
    )
    assert all(word in text for word, text in zip(MISTAKES, findings, strict=True))
    neovim.run("ShloFix")
    assert neovim.text == FIXED
    neovim.until("#vim.diagnostic.get(0)", lambda count: count == 0)
    neovim.run("ShloFormat")
    assert neovim.text == TIDY

    neovim.to("stablehlo.add", 12)
    neovim.run("lua vim.lsp.buf.hover()")
    shown = "vim.tbl_map(function(window) return vim.api.nvim_win_get_config(window).relative ~= '' and "
    shown += "table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), ' ') "
    shown += "or '' end, vim.api.nvim_list_wins())"
    neovim.until(shown, lambda texts: "tensor<2xf32>" in "".join(texts))
    neovim.to("call @twice", 6)
    neovim.run("lua vim.lsp.buf.definition()")
    neovim.until("vim.fn.line('.')", lambda line: line == 1)
    neovim.run("lua vim.lsp.buf.document_symbol()")
    listed = "vim.tbl_map(function(item) return item.text end, vim.list_extend(vim.fn.getqflist(), "
    listed += "vim.fn.getloclist(vim.fn.winnr('$'))))"
    neovim.until(listed, lambda items: all(name in " ".join(items) for name in ("@twice", "@main")))
    neovim.run("cclose | lclose")
    neovim.to("call @twice", 6)
    neovim.run("lua vim.lsp.buf.rename('@minus')")
    neovim.until(
        "table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')",
        lambda text: f"{text}\n" == RENAMED,
    )

    neovim.to("%c = stablehlo.constant")
    neovim.run("ShloRun")
    assert "@main: done" in neovim.until(RESULTS_OF_NEOVIM, lambda text: RESULT in text)
    if neovim.value("vim.lsp.inlay_hint ~= nil"):
        hints = "vim.tbl_map(function(hint) return hint.inlay_hint.label end, vim.lsp.inlay_hint.get({bufnr = 0}))"
        neovim.until(hints, lambda labels: "2.5..3.5 mean 3" in labels)


def test_neovim_runs_on_arguments_and_shows_where_a_run_fails(neovim: Neovim, program: Path) -> None:
    program.write_text(CHECKED)
    neovim.run("edit")
    neovim.until(LENSES, lambda titles: titles and "Run (random inputs)" in titles)
    neovim.run("ShloRun [1.0,2.0]")
    neovim.until(RESULTS_OF_NEOVIM, lambda text: text.startswith("@main: done"))
    neovim.run("ShloRun [1.0,3.0]")
    failures = "vim.tbl_map(function(each) return each.source .. ' ' .. each.lnum end, vim.diagnostic.get(0))"
    neovim.until(failures, lambda found: found == ["shlo run 1"])


def test_neovim_shows_lenses_hints_and_colours(neovim: Neovim) -> None:
    neovim.until("#vim.diagnostic.get(0)", lambda count: count == len(MISTAKES))
    neovim.until(LENSES, lambda found: "Run" in found and "1 use" in found)
    assert neovim.value("vim.bo.filetype") == "mlir"
    assert neovim.value("vim.bo.commentstring") == "// %s"
    assert neovim.value("vim.fn.synIDattr(vim.fn.synID(2, 10, 1), 'name')") == "mlirOperation"
    if neovim.value("vim.lsp.inlay_hint ~= nil"):
        neovim.until("vim.lsp.inlay_hint.is_enabled({bufnr = 0})")
        kinds = "vim.tbl_map(function(token) return token.type end, vim.lsp.semantic_tokens.get_at_pos(0, 1, 10) or {})"
        neovim.until(kinds, lambda found: found == ["method"])
        neovim.run("checkhealth shlo")
        page = "table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), ' ')"
        neovim.until(page, lambda text: "OK shlo" in text)


def test_neovim_lists_what_the_command_finds(neovim: Neovim) -> None:
    neovim.run("ShloCheck")
    items = "vim.tbl_map(function(item) return item.lnum .. item.type .. ' ' .. item.text end, vim.fn.getqflist())"
    found = neovim.until(items)
    wrong = [number for number, line in enumerate(BROKEN.splitlines(), 1) if re.search(r"dense<\d>", line)]
    assert [item.split()[0] for item in found] == [f"{number}E" for number in wrong]
    assert all(word in text for word, text in zip(MISTAKES, found, strict=True))


def test_neovim_lets_types_follow_and_offers_idioms(neovim: Neovim, program: Path) -> None:
    if not neovim.value("vim.lsp.inlay_hint ~= nil"):
        pytest.skip("this Neovim chooses no code action by its title")
    program.write_text(TIDY)
    neovim.run("edit")
    neovim.until(LENSES, lambda titles: titles and "Run" in titles)
    neovim.to("tensor<2xf32>) ->", 7)
    neovim.run("normal! r3")
    neovim.until("#vim.diagnostic.get(0)", lambda count: count > 0)
    chosen = "filter = function(action) return action.title == 'Let everything below follow' end"
    neovim.run(f"lua vim.lsp.buf.code_action({{apply = true, {chosen}}})")
    neovim.until_true(
        lambda: neovim.text == TIDY.replace("tensor<2xf32>", "tensor<3xf32>"), lambda: neovim.text
    )
    neovim.to("%n = stablehlo.subtract")
    neovim.run("normal! osoftmax")
    asked = "vim.lsp.buf_request_sync(0, 'textDocument/completion', vim.lsp.util.make_position_params(0, 'utf-16'))"
    items = f"vim.tbl_map(function(item) return item.textEdit and item.textEdit.newText or '' end, (select(2, next({asked})).result).items)"
    neovim.until(items, lambda texts: texts and any("stablehlo.divide" in text for text in texts))


def test_neovim_shows_bytecode(neovim: Neovim, bytecode: Path) -> None:
    before = bytecode.read_bytes()
    text = subprocess.run([SHLO, "fmt", bytecode], check=True, capture_output=True, text=True).stdout
    neovim.run(f"edit {bytecode.name}")
    assert neovim.text == text
    neovim.until("#vim.lsp.buf_get_clients(0)", lambda count: count == 1)
    neovim.run("silent! write!")
    assert bytecode.read_bytes() == before
    assert not neovim.value("vim.bo.modified")


def test_neovim_edits_an_artifact(neovim: Neovim, program: Path) -> None:
    source, path = program.with_name("source.mlir"), program.with_suffix(".mlirbc")
    source.write_text(TIDY)
    subprocess.run([SHLO, "convert", source, "-o", path, "--target", "1.8.0"], check=True)
    before = path.read_bytes()
    neovim.run(f"edit {path.name}")
    neovim.run("%s/1.500000e+00/4.0")
    neovim.run("write")
    after = path.read_bytes()
    assert before != after
    assert b"StableHLO_v1.8.0" in after
    assert "dense<[4.000000e+00, 2.500000e+00]>" in str(shlo.load(path))
    neovim.run("%s/4.0,/1.5,/")
    neovim.run("write")
    assert path.read_bytes() == before
    neovim.run("%s/call @twice/call @nothing/")
    neovim.run("silent! write")
    assert neovim.value("vim.bo.modified")
    assert path.read_bytes() == before
    neovim.run("undo")
    path.write_bytes(after)
    neovim.run("%s/1.5,/7.0,/")
    neovim.run("silent! write")
    assert path.read_bytes() == after, "a file that has changed meanwhile is not replaced"


def test_help_of_neovim_names_the_commands_that_there_are(neovim: Neovim) -> None:
    commands = neovim.until("vim.tbl_keys(vim.api.nvim_get_commands({}))")
    ours = sorted(name for name in commands if name.startswith("Shlo"))
    assert ours == sorted(
        line.split("*")[1][1:] for line in HELP.read_text().splitlines() if "*:Shlo" in line
    )


@pytest.mark.core
def test_emacs_finds_mends_reads_and_runs(emacs: Emacs) -> None:
    findings = emacs.until(
        "(mapcar #'flymake-diagnostic-text (flymake-diagnostics))",
        lambda found: found and len(found) == len(MISTAKES),
    )
    assert all(any(word in text for text in findings) for word in MISTAKES)
    emacs.value("(shlo-fix-all)")
    assert emacs.text == FIXED
    emacs.until("(length (flymake-diagnostics))", lambda count: count == 0)
    emacs.value("(shlo-format)")
    assert emacs.text == TIDY

    emacs.to("stablehlo.add", 12)
    emacs.value("(eldoc t)")
    page = '(if (buffer-live-p eldoc--doc-buffer) (with-current-buffer eldoc--doc-buffer (buffer-string)) "")'
    emacs.until(page, lambda text: "tensor<2xf32>" in text)
    emacs.to("call @twice", 6)
    emacs.value("(call-interactively #'xref-find-definitions)")
    assert emacs.value("(line-number-at-pos)") == 1
    symbols = emacs.value('(format "%S" (imenu--make-index-alist))')
    assert all(name in symbols for name in ("@twice", "@main"))
    emacs.to("call @twice", 6)
    emacs.value('(eglot-rename "@minus")')
    assert emacs.text == RENAMED

    emacs.to("%c = stablehlo.constant")
    emacs.value("(shlo-run)")
    shown = emacs.until(
        '(with-current-buffer (get-buffer-create "*shlo results*") (buffer-string))',
        lambda text: RESULT in text,
    )
    assert "@main: done" in shown


def test_emacs_runs_on_arguments(emacs: Emacs, program: Path) -> None:
    program.write_text(CHECKED)
    emacs.value("(progn (revert-buffer nil t) (run-hooks 'post-command-hook) t)")
    emacs.until("(and (eglot-current-server) t)")
    for argument, status in (("[1.0,2.0]", "done"), ("[1.0,3.0]", "failed")):
        emacs.value(f'(shlo-run \'("{argument}"))')
        shown = '(with-current-buffer (get-buffer-create "*shlo results*") (buffer-string))'
        emacs.until(shown, lambda text, status=status: text and text.startswith(f"@main: {status}"))


def test_emacs_shows_bytecode(emacs: Emacs, bytecode: Path) -> None:
    before = bytecode.read_bytes()
    text = subprocess.run([SHLO, "fmt", bytecode], check=True, capture_output=True, text=True).stdout
    emacs.value(f'(progn (switch-to-buffer (find-file-noselect "{bytecode}")) t)')
    assert emacs.text == text
    assert emacs.value("(list major-mode buffer-read-only (buffer-modified-p))") == [
        "shlo-bytecode-mode",
        "t",
        "nil",
    ]
    emacs.value("(ignore-errors (set-buffer-modified-p t) (save-buffer) t)")
    assert bytecode.read_bytes() == before


def test_emacs_colours_and_checks_without_a_server(emacs: Emacs) -> None:
    emacs.to("stablehlo.subtract")
    emacs.value("(font-lock-ensure)")
    assert emacs.value("(list major-mode (get-text-property (point) 'face))") == [
        "shlo-mode",
        "font-lock-builtin-face",
    ]
    emacs.value("(shlo-check)")
    emacs.until(
        '(with-current-buffer "*shlo check*" (buffer-string))', lambda text: "exited abnormally" in text
    )
    found = emacs.value('(with-current-buffer "*shlo check*" (buffer-string))')
    assert all(word in found for word in MISTAKES)
    emacs.value("(next-error)")
    assert emacs.value("(line-number-at-pos)") == 2


def test_the_package_of_emacs_compiles_without_a_warning(tmp_path: Path) -> None:
    source = tmp_path / "shlo.el"
    source.write_text((EDITORS / "emacs" / "shlo.el").read_text())
    arguments = [
        "-q",
        "-batch",
        "--eval",
        "(package-initialize)",
        "--eval",
        "(setq byte-compile-error-on-warn t)",
    ]
    command = [find_tool("emacs"), *arguments, "-f", "batch-byte-compile", str(source)]
    done = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
