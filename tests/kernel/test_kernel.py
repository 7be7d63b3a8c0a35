"""The kernel as Jupyter drives it: messages, interrupts, widgets, and a notebook from top to bottom."""

# pyright: reportIncompatibleVariableOverride=false
from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, ClassVar

import jupyter_kernel_test
import nbformat
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from .clients import KernelClient
from .test_session import ENDLESS

pytestmark = pytest.mark.slow

X = "%x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>"
FUNCTION = "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n  return %a : tensor<2xf32>\n}"


@pytest.mark.usefixtures("kernel_name")
class TestProtocol(jupyter_kernel_test.KernelTests):
    """What every kernel must do."""

    kernel_name = "stablehlo"
    language_name = "stablehlo"
    file_extension = ".mlir"
    code_hello_world = '%%python\nprint("hello, world")'
    code_stderr = '%%python\nimport sys\nprint("hello", file=sys.stderr)'
    code_generate_error = "%y = stablehlo.negate %nope : tensor<2xf32>"
    code_execute_result: ClassVar[list[dict[str, str]]] = [
        {"code": "%a = stablehlo.constant dense<1> : tensor<i32>", "result": "%a : tensor<i32>\n1"},
        {"code": "%a = stablehlo.constant dense<2> : tensor<i32>", "mime": "text/html"},
        {"code": "%input %x = random : tensor<20x20xf32>", "mime": "text/html"},
    ]
    code_display_data: ClassVar[list[dict[str, str]]] = [
        {
            "code": "%%python\nfrom IPython.display import HTML, display\ndisplay(HTML('x'))",
            "mime": "text/html",
        }
    ]
    completion_samples: ClassVar[list[dict[str, Any]]] = [
        {"text": "%ru", "matches": {"%run"}},
        {"text": "%y = stablehlo.popc", "matches": {"stablehlo.popcnt"}},
    ]
    complete_code_samples: ClassVar[list[str]] = [
        "%y = stablehlo.add %x, %x : tensor<2xf32>",
        FUNCTION,
        "%who",
        "%x",
        "%%python\nx = 1\n\n",
    ]
    code_inspect_sample = "%y = stablehlo.add"
    incomplete_code_samples: ClassVar[list[str]] = [
        "func.func @f() {",
        "%y = stablehlo.add %x,",
        "%%python",
        "%%python\nif x:",
    ]
    invalid_code_samples: ClassVar[list[str]] = ["}", "%%python\nx = = 1"]
    code_history_pattern = "%a = *dense<1>*"
    supported_history_operations = ("tail", "range", "search")
    code_clear_output = "%%python\nfrom IPython.display import clear_output\nclear_output()"
    code_page_something = "stablehlo.add?"


@pytest.fixture(scope="module")
def started(kernel_name: str) -> Iterator[tuple[KernelManager, BlockingKernelClient]]:
    manager, client = start_new_kernel(kernel_name=kernel_name)
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


class Client(KernelClient):
    """A kernel in use; each request waits for its answer."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        super().__init__(client)
        self.manager = manager

    def run(self, code: str, **options: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Returns the reply to a cell, and what it published beside states and its own text."""
        published: list[dict[str, Any]] = []
        reply = self.client.execute_interactive(code, output_hook=published.append, timeout=20, **options)
        kept = [each for each in published if each["msg_type"] not in ("status", "execute_input")]
        return reply["content"], kept


@pytest.fixture
def kernel(started: tuple[KernelManager, BlockingKernelClient]) -> Client:
    client = Client(*started)
    client.run("%reset")
    return client


@pytest.mark.timeout(60)
def test_an_interrupt_ends_a_loop_and_keeps_the_session(kernel: Client) -> None:
    kernel.run(f"{X}\n{FUNCTION}")
    request = kernel.client.execute(ENDLESS, stop_on_error=False)
    time.sleep(0.5)
    kernel.manager.interrupt_kernel()
    reply = kernel.reply_to(request)
    assert (reply["status"], reply["ename"]) == ("error", "KeyboardInterrupt")
    reply, published = kernel.run("%who")
    assert reply["status"] == "ok"
    assert published[0]["content"]["text"].split() == [
        "%x", "tensor<2xf32>", "8", "B", "@f", "(tensor<2xf32>)", "->", "tensor<2xf32>",
    ]  # fmt: skip


def test_an_error_has_carets_at_the_cells_own_line_and_no_python(kernel: Client) -> None:
    kernel.run(X)
    reply, published = kernel.run("// a comment\n%y = stablehlo.add %x, %nope : tensor<2xf32>")
    assert [each["msg_type"] for each in published] == ["error"]
    lines = published[0]["content"]["traceback"]
    assert f"In[{reply['execution_count']}]:2:24:" in lines[0]
    assert lines[2].replace("\x1b[1;32m", "").replace("\x1b[0m", "") == " " * 23 + "^~~~~"
    assert not any("Traceback" in line or ".py" in line for line in lines)


def test_a_silent_request_publishes_nothing_and_one_without_history_is_not_counted(kernel: Client) -> None:
    assert kernel.run(X, silent=True)[1] == []
    first = kernel.run("%x")[0]["execution_count"]
    kernel.run("%x", store_history=False)
    assert kernel.run("%x")[0]["execution_count"] == first + 1


def test_cells_and_widgets_share_one_thread(kernel: Client) -> None:
    information = kernel.reply_to(kernel.client.kernel_info())
    assert information["supported_features"] == ["debugger"]
    assert information["help_links"]


def test_user_expressions_are_values(kernel: Client) -> None:
    reply, _ = kernel.run(X, user_expressions={"good": "%x", "bad": "%nope"})
    assert reply["user_expressions"]["good"]["data"]["text/plain"].startswith("%x : tensor<2xf32>")
    assert reply["user_expressions"]["bad"]["status"] == "error"


def test_python_shows_widgets(kernel: Client) -> None:
    _, published = kernel.run("%%python\nimport ipywidgets\nipywidgets.IntSlider()")
    assert [each["msg_type"] for each in published].count("comm_open") == 3
    assert "application/vnd.jupyter.widget-view+json" in published[-1]["content"]["data"]


def test_step_shows_the_stepper(kernel: Client) -> None:
    kernel.run(f"{X}\n{FUNCTION}")
    reply, published = kernel.run("%step @f(%x)")
    assert reply["status"] == "ok"
    assert "application/vnd.jupyter.widget-view+json" in published[-1]["content"]["data"]


def widgets(kernel: Client) -> set[str]:
    """Returns the widgets that a page that is loaded again finds."""
    return set(kernel.reply_to(kernel.client.comm_info("jupyter.widget"))["comms"])


def test_a_page_that_is_loaded_again_finds_its_widgets_and_a_cell_that_runs_again_closes_its_own(
    kernel: Client,
) -> None:
    before = widgets(kernel)
    kernel.run(f"{X}\n{FUNCTION}")
    _, published = kernel.run("%step @f(%x)")
    view = published[-1]["content"]["data"]["application/vnd.jupyter.widget-view+json"]
    first = widgets(kernel) - before
    assert view["model_id"] in first
    kernel.run("%step @f(%x)")
    second = widgets(kernel) - before
    assert first.isdisjoint(second)
    assert len(second) == len(first)


def test_hostile_names_stay_inert_in_messages(kernel: Client) -> None:
    hostile = '@"<script>\x1b[31m"'
    _, published = kernel.run(FUNCTION.replace("@f", hostile))
    assert published[0]["content"]["text"].startswith(r'@"<script>\1B[31m" : ')
    _, published = kernel.run(f"func.call {hostile}() : () -> ()\n%y = \x1b[31m")
    assert "\x1b[31m" not in "".join(published[0]["content"]["traceback"]).replace("\x1b[1;31m", "")


def notebook(*cells: str) -> nbformat.NotebookNode:
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])


def test_a_notebook_runs_from_top_to_bottom(kernel_name: str) -> None:
    made = notebook(X, FUNCTION, "%run %y = @f(%x)", "%%python\nz = y + 1", "%z")
    NotebookClient(made, kernel_name=kernel_name, timeout=30).execute()
    nbformat.validate(made)
    assert made.cells[-1].outputs[0].data["text/plain"].endswith("[2., 3.]")
    assert "<table" in made.cells[-1].outputs[0].data["text/html"]


def test_a_notebook_stops_at_a_wrong_cell(kernel_name: str) -> None:
    with pytest.raises(CellExecutionError, match="undeclared value"):
        NotebookClient(
            notebook("%y = stablehlo.negate %x : tensor<f32>", X), kernel_name=kernel_name
        ).execute()
