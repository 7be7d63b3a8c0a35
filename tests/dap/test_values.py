"""What there is to see where a session stopped: frames, scopes, values, expressions, memory, sources."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest

from shlo.cli import main
from tests.dap.client import Client, Failure
from tests.dap.conftest import Write
from tests.dap.programs import CALLS, EXAMPLES, MATRIX, SQUARES, line_of


def test_frames_are_regions_and_calls_and_the_python_that_led_there(client: Client) -> None:
    client.launch(EXAMPLES / "diverging.mlir", lines=[])
    client.move("continue")
    client.move("stepBack")
    frames = client.frames()
    (own, *python) = frames
    assert own["source"]["path"] == str(EXAMPLES / "diverging.mlir")
    assert python
    opened = python[0]["source"]
    assert Path(opened["path"]).is_file()
    part = client.request("stackTrace", threadId=1, startFrame=1, levels=1)
    assert part["totalFrames"] == len(frames)
    assert part["stackFrames"] == frames[1:2]


def test_a_tensor_is_listed_in_parts_with_its_statistics(client: Client, program: Write) -> None:
    client.launch(program(MATRIX))
    client.move("next")
    value = client.variables(client.scope("Values"))["%0"]
    assert (value["type"], value["indexedVariables"]) == ("tensor<3x2000xi32>", 3)
    reference = value["variablesReference"]
    named = client.variables(reference, filter="named")
    statistics = client.variables(named["statistics"]["variablesReference"])
    assert [statistics[name]["value"] for name in ("shape", "min", "max", "mean")] == [
        "3x2000",
        "0",
        "1999",
        "999.5",
    ]
    rows = client.variables(reference, filter="indexed")
    assert list(rows) == ["[0]", "[1]", "[2]"]
    part = client.variables(rows["[2]"]["variablesReference"], start=1990, count=5)
    assert [(each["evaluateName"], each["value"]) for each in part.values()][:2] == [
        ("%0[2, 1990]", "1990"),
        ("%0[2, 1991]", "1991"),
    ]
    client.move("stepBack")
    client.send("variables", variablesReference=reference)
    late = client.answer()
    assert "of this position" in late["message"]
    assert not late["body"]["error"]["showUser"]


def test_a_loop_has_a_scope(client: Client) -> None:
    client.launch(SQUARES, "20", lines=[{"line": line_of(SQUARES, "%square ="), "condition": "%i == 7"}])
    client.move("continue")
    loop = client.variables(client.scope("Loop"))
    assert (loop["round"]["value"], loop["rounds so far"]["value"]) == ("7", "8")
    assert set(client.variables(client.scope("Arguments"))) == {"%n", "%i", "%sum"}
    assert set(client.variables(client.scope("Arguments", frame=1))) == {"%n"}


def test_results_are_seen_at_the_end(client: Client, program: Write) -> None:
    client.launch(program(CALLS), "[1., 2., 3., 4.]")
    client.move("continue")
    assert client.place() == ("@main: the end", 5)
    (result,) = client.variables(client.scope("Results")).values()
    (first, *_) = client.variables(result["variablesReference"], filter="indexed").values()
    assert first["value"] == "1.68179286"


def test_many_values_are_shown_the_last_ones_first(client: Client, program: Write) -> None:
    count = 1_500
    lines = [f"  %{at + 1} = stablehlo.add %{at}, %{at} : tensor<i32>\n" for at in range(count)]
    text = "func.func @main() -> tensor<i32> {\n  %0 = stablehlo.constant dense<0> : tensor<i32>\n"
    path = program(f"{text}{''.join(lines)}  return %{count} : tensor<i32>\n}}\n")
    client.launch(path, lines=[{"line": count + 3}])
    client.move("continue")
    reference, seen = client.scope("Values"), list[str]()
    while reference:
        page = client.variables(reference)
        more = page.pop("earlier values", None)
        seen += page
        reference = 0 if more is None else int(more["variablesReference"])
    assert seen == [f"%{at}" for at in range(count, -1, -1)]


def test_a_value_of_a_caller_is_said_to_be_one(client: Client, program: Write) -> None:
    """Until the function binds the name itself."""
    client.launch(program(CALLS.replace("%t", "%a")), "[1., 2., 3., 4.]")
    client.move("next")
    client.move("stepIn")
    note = "(%a is a value of @main, 1 call outward)"
    for context in ("hover", "watch", "repl"):
        assert client.evaluate("%a", context=context).endswith(note)
    (listed,) = [
        each
        for each in client.request("shlo/tensors", expressions=["%a"])["tensors"]
        if each["tensor"] == "%a"
    ]
    assert listed["note"] == note


def test_values_beside_the_text_have_the_names_of_the_python_source(client: Client, program: Write) -> None:
    named = CALLS.replace("@main(%x: tensor<4xf32>", "@main(%x: tensor<4xf32> loc(\"params['w']\")")
    client.launch(program(named), "[1., 2., 3., 4.]")
    for context in ("hover", "watch"):
        assert client.evaluate("%x", context=context).startswith("params['w']: ")
    assert not client.evaluate("%x", context="repl").startswith("params")


def test_an_expression_is_evaluated_for_each_context(client: Client, program: Write) -> None:
    client.launch(program(CALLS), "[1., 2., 3., 4.]")
    client.move("next")
    assert client.evaluate("%a[0]") == "1.41421354"
    hover = client.evaluate("a", context="hover")
    assert "4 elements" in hover
    assert client.evaluate("%x", context="clipboard") == "[1., 2., 3., 4.]"
    assert client.evaluate("%x * 2", context="repl") == "[2., 4., 6., 8.]"
    found = client.request("evaluate", expression="%x + %x", context="watch")
    assert [each["value"] for each in client.variables(found["variablesReference"], filter="indexed").values()] == [
        "2", "4", "6", "8"]  # fmt: skip
    with pytest.raises(Failure, match="no value that the program binds"):
        client.evaluate("%nowhere")


def test_values_of_other_frames_are_evaluated_in_them(client: Client, program: Write) -> None:
    client.launch(program(CALLS), "[1., 2., 3., 4.]")
    client.move("next")
    client.move("stepIn")
    inner, outer = client.frames()
    assert client.evaluate("%x[0]", frameId=inner["id"]) == "1.41421354"
    assert client.evaluate("%x[0]", frameId=outer["id"]) == "1"


def test_an_element_is_set_in_another_future(client: Client, program: Write) -> None:
    client.launch(program(CALLS), "[1., 2., 3., 4.]")
    client.move("next")
    value = client.variables(client.scope("Values"))["%a"]["variablesReference"]
    assert client.request("setVariable", variablesReference=value, name="[2]", value="32")["value"] == "32"
    assert client.evaluate("%a[2]") == "32"
    assert client.evaluate("%a[0]") == "1.41421354"
    client.move("next")
    assert client.evaluate("%b[2]") == "8"
    assert "f1" in client.evaluate("futures", context="repl")


def test_a_value_of_an_outer_frame_is_set_there(client: Client, program: Write) -> None:
    client.launch(program(CALLS), "[1., 2., 3., 4.]")
    client.move("next")
    client.move("stepIn")
    reference = client.scope("Arguments", frame=1)
    answer = client.request("setVariable", variablesReference=reference, name="%x", value="dense<9.0>")
    assert "9" in answer["value"]
    inner, outer = client.frames()
    assert client.evaluate("%x[0]", frameId=outer["id"]) == "9"
    assert client.evaluate("%x[0]", frameId=inner["id"]) == "1.41421354"


def test_an_expression_is_set_or_refused(client: Client, program: Write) -> None:
    client.launch(program(CALLS), "[1., 2., 3., 4.]")
    assert client.request("setExpression", expression="%x[1]", value="-5")["value"] == "-5"
    client.move("next")
    value = client.variables(client.scope("Values"))["%a"]["variablesReference"]
    statistics = client.variables(value, filter="named")["statistics"]["variablesReference"]
    for reference, name in [(value, "[9]"), (value, "statistics"), (statistics, "min"), (999, "%x")]:
        with pytest.raises(Failure):
            client.request("setVariable", variablesReference=reference, name=name, value="1")
    with pytest.raises(Failure, match="not in scope"):
        client.request("setExpression", expression="%nowhere", value="1")


def test_memory_is_read_in_pieces(client: Client, program: Write) -> None:
    client.launch(program(MATRIX))
    client.move("next")
    memory = client.variables(client.scope("Values"))["%0"]["memoryReference"]
    found = client.request("readMemory", memoryReference=memory, offset=4 * 1998, count=12)
    assert np.frombuffer(base64.b64decode(found["data"]), np.int32).tolist() == [1998, 1999, 0]
    end = client.request("readMemory", memoryReference=memory, offset=4 * 5999, count=100)
    assert (len(base64.b64decode(end["data"])), end["unreadableBytes"]) == (4, 96)
    for wrong in [{"memoryReference": "x", "count": 1}, {"memoryReference": memory, "count": -1}]:
        with pytest.raises(Failure):
            client.request("readMemory", **wrong)


def test_columns_are_counted_in_utf_16(client: Client, program: Write) -> None:
    path = program('/*😀é*/ func.func @main() {\n  return\n} // "\n'.replace("/*😀é*/ ", ""))
    path.write_text('func.func @main() -> tensor<i32> {\n  "stablehlo.optimization_barrier"() {a = "😀"} : () -> () '
                    "%0 = stablehlo.constant dense<1> : tensor<i32>\n  return %0 : tensor<i32>\n}\n", encoding="utf-8")  # fmt: skip
    client.launch(path)
    client.move("next")
    text = path.read_text(encoding="utf-8").split("\n")[1]
    assert client.frames()[0]["column"] == len(text[: text.index("%0")].encode("utf-16-le")) // 2 + 1


def test_a_client_counts_from_0(client: Client) -> None:
    client.initialize(linesStartAt1=False, columnsStartAt1=False)
    client.request("launch", program=str(SQUARES), args=["3"])
    client.event("initialized")
    (point,) = client.request("setBreakpoints", source={"path": str(SQUARES)}, breakpoints=[{"line": 2}])[
        "breakpoints"
    ]
    assert point["line"] == 2
    client.request("configurationDone")
    client.event("stopped")
    frame = client.frames()[0]
    assert (frame["line"], frame["column"]) == (2, 2)


def test_bytecode_is_shown_as_text(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "squares.mlirbc"
    assert main(["convert", str(SQUARES), "-o", str(path)]) == 0
    client.launch(path, "3")
    source = client.frames()[0]["source"]
    text = client.request("source", source=source, sourceReference=source["sourceReference"])["content"]
    assert "stablehlo.while" in text
    line = 1 + text.split("stablehlo.while")[0].count("\n")
    (point,) = client.request("setBreakpoints", source=source, breakpoints=[{"line": line}])["breakpoints"]
    assert point["verified"]
    with pytest.raises(Failure, match="reference"):
        client.request("source", sourceReference=99)


def test_programs_are_modules_and_python_files_are_sources(client: Client) -> None:
    path = EXAMPLES / "diverging.mlir"
    client.launch(path)
    (module,) = client.request("modules")["modules"]
    assert (module["name"], module["path"]) == (path.name, str(path))
    names = [each["name"] for each in client.request("loadedSources")["sources"]]
    assert names[0] == path.name
    assert "lower_diverging.py" in names


def test_commands_and_expressions_are_completed(client: Client, program: Write) -> None:
    client.launch(program(CALLS), "[1., 2., 3., 4.]")

    def offered(text: str) -> list[str]:
        found = client.request("completions", text=text, column=len(text) + 1)["targets"]
        return [text[: each["start"]] + each["label"] for each in found]

    assert "continue" in offered("conti")
    assert "print %x" in offered("print %")
    assert "max(%x" in offered("max(%")
    with pytest.raises(Failure, match="lines"):
        client.request("completions", text="a", column=1, line=5)


def test_the_console_says_what_the_terminal_says(
    client: Client, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Every command that answers without a move, and some that move."""
    lines = ["next", "step", "print %zero", "info locals", "break 9 if %i == 3", "continue", "where", "list",
             "info breakpoints", "provenance %square", "outline", "print %nowhere", "help watch"]  # fmt: skip
    script = tmp_path / "script.txt"
    script.write_text("\n".join(lines))
    main(["debug", str(SQUARES), "20", "--script", str(script)])
    terminal = capsys.readouterr()
    client.launch(SQUARES, "20")
    said: list[str] = []
    errors: list[str] = []
    for text in lines:
        try:
            said.append(f"(shlo) {text}\n{client.evaluate(text, context='repl')}")
        except Failure as failure:
            said.append(f"(shlo) {text}")
            errors.append(str(failure))
    assert "\n".join(filter(None, said)) + "\n" == terminal.out
    assert [line.partition("error: ")[2] for line in terminal.err.splitlines()] == errors


def test_watches_of_the_console_are_a_scope(client: Client) -> None:
    client.launch(SQUARES, "20")
    client.move("next")
    client.evaluate("display %zero + 5", context="repl")
    shown = client.variables(client.scope("Watches"))
    assert [(each["name"], each["value"]) for each in shown.values()] == [("%zero + 5", "5")]


def test_a_client_is_told_to_ask_again(client: Client) -> None:
    client.initialize(supportsInvalidatedEvent=True)
    client.request("launch", program=str(SQUARES), args=["3"])
    client.request("configurationDone")
    client.event("stopped")
    client.move("next")
    client.request("setExpression", expression="%zero", value="3")
    assert client.event("invalidated") == {"areas": ["all"]}


def test_variables_say_what_digits_they_lack_where_shadows_are_shown(client: Client) -> None:
    client.launch(EXAMPLES / "variance.mlir", "[1000.1, 1000.4, 999.7, 1000.2]")
    client.evaluate("break shadow 3", "repl")
    assert client.evaluate("shadow on", "repl") == "shadows are shown"
    client.move("continue")
    values = client.variables(client.scope("Values"))
    assert values["%variance"]["value"] == "0.125 (7.2 of 7.2 digits lost, in f64 0.0650018314)"
    assert values["%mean"]["value"] == "1000.1"
