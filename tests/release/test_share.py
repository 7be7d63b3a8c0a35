"""Completion scripts and the manual page: as the parsers say, and read by the programs that they are for."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from release.share import SHARE, own_commands, share_files
from shlo.cli.help import command_help
from shlo.cli.installation.completion import SCRIPTS
from shlo.cli.installation.doctor.checks import COMPLETIONS, MAN_PAGE

FILES = share_files()


@pytest.mark.parametrize("path", FILES)
def test_files_are_up_to_date(path: str) -> None:
    assert (SHARE / path).read_text("utf-8") == FILES[path], "python -m release.share writes them"


def completed(*words: str) -> list[str]:
    """Returns what bash offers for the last of the words of a command line."""
    script = f"""
        source {SHARE / COMPLETIONS["bash"]}
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _shlo
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    bash = shutil.which("bash")
    assert bash
    done = subprocess.run(
        [bash, "--norc", "-c", script, "bash", *words], capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("shlo", "de"), ["debug"]),
        (("shlo", "run", "--eng"), ["--engine", "--engine-command"]),
        (("shlo", "run", "--engine", ""), ["interpreter", "reference", "xla"]),
        (("shlo", "run", "--save", "x"), []),
        (("shlo", "git", "inst"), ["install"]),
        (("shlo", "help", "refi"), ["refine"]),
        (("shlo", "check", "mod"), []),
    ],
)
def test_bash_completes(words: tuple[str, ...], offered: list[str]) -> None:
    assert completed(*words) == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_reads_its_script(shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    path = SHARE / COMPLETIONS[shell]
    done = subprocess.run([program, "-n", str(path)], capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def section(shell: str, command: str) -> str:
    """Returns the lines of a script that complete the options of a command."""
    pattern = {
        "bash": rf'^ +{command}\) words="(-.*)" ;;$',
        "zsh": rf"^    {command}\)\n((?:      .*\n)+)",
        "fish": rf"(^complete .*_from {command}'.*\n(?:complete .*_from {command}'.*\n)*)",
    }
    (found,) = re.findall(pattern[shell], FILES[COMPLETIONS[shell]], re.MULTILINE)
    return found


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_script_has_every_option(shell: str) -> None:
    for command in own_commands():
        text = section(shell, command.name)
        for flag in (flag for option in command.options for flag in option.flags):
            word = (
                re.sub("^--?", "-l " if flag.startswith("--") else "-s ", flag) if shell == "fish" else flag
            )
            assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text), (command.name, flag)


def test_the_manual_page_has_every_command_and_option() -> None:
    page = FILES[MAN_PAGE].replace("\\-", "-")
    for command in own_commands():
        assert f".SS shlo {command.name}" in page
        assert all(flag in page for option in command.options for flag in option.flags)
    assert "%(" not in page


def test_the_manual_page_can_be_formatted() -> None:
    man = shutil.which("groff")
    if man is None:
        pytest.skip("groff is not installed")
    command = [man, "-man", "-Tutf8", "-ww", str(SHARE / MAN_PAGE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_command_is_described_as_its_parser_does() -> None:
    run = command_help("run")
    engine = next(each for each in run.options if each.flags == ("--engine",))
    assert (engine.value, engine.choices) == (
        "interpreter|reference|xla",
        ("interpreter", "reference", "xla"),
    )
    assert [each.value for each in run.positionals] == ["FILE", "ARG"]
    assert run.synopsis == "shlo run [OPTION]... FILE [ARG...]"
    assert ("shlo run model.mlir --random 0", "random arguments") in run.examples
    with pytest.raises(ValueError, match="got 'nothing'"):
        command_help("nothing")
