"""The script of a view in a page of widgets."""

from __future__ import annotations

from ipywidgets import Output

from shlo.pages.bundle import View, script_html


def script_output(view: View) -> Output:
    """Returns a widget that loads a view's script into the page: only an output runs a script. Views in other
    widgets then need none of their own."""
    script = {"output_type": "display_data", "data": {"text/html": script_html(view)}, "metadata": {}}
    return Output(outputs=(script,))
