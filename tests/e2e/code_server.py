"""VS Code's workbench and extension host, from code-server, for one test: own settings, own extensions, on
loopback.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from tests.ports import free_port

from .browser import PATIENCE, stop
from .conftest import ROOT, find_tool, missing

ENTRY = ROOT / ".e2e" / "node_modules" / "code-server" / "out" / "node" / "entry.js"
VSIX = ROOT / "vscode-extension" / "build" / "shlo.vsix"
SETTINGS: dict[str, Any] = {
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    "extensions.autoUpdate": False,
    "extensions.autoCheckUpdates": False,
    "chat.disableAIFeatures": True,
    "editor.minimap.enabled": False,
    "editor.hover.above": False,
    "editor.scrollBeyondLastLine": False,
    "terminal.integrated.gpuAcceleration": "off",
    "security.workspace.trust.enabled": False,
}
_INSTALLED: dict[tuple[tuple[Path, int], ...], tuple[Path, str]] = {}
"""Copies of folders of extensions, by what was installed, with the folder that they are of."""
WINDOWS = 3
"""How many windows of a server have logs that are shown."""
SELECTED = {"python.defaultInterpreterPath": sys.executable, "shlo.server.timeout": 100}
"""Settings of a person who has selected the Python that runs these tests, and is patient with a busy machine."""


@dataclass(frozen=True)
class CodeServer:
    """A server that runs. `state` is its folder: settings, extensions, what extensions store."""

    port: int
    state: Path

    def address(self, folder: Path, *files: Path, payload: Mapping[str, str] | None = None) -> str:
        """Returns where a browser finds a folder, with files open in editors."""
        opened = [["openFile", self.remote(file)] for file in files]
        query = {"folder": str(folder), "payload": json.dumps([*opened, *(payload or {}).items()])}
        return f"http://127.0.0.1:{self.port}/?{urlencode(query)}"

    def remote(self, path: Path) -> str:
        """Returns how the workbench names a path of this machine."""
        return f"vscode-remote://127.0.0.1:{self.port}{quote(str(path))}"

    def set(self, settings: Mapping[str, Any], machine: Mapping[str, Any] | None = None) -> None:
        """Writes the user's settings; windows that are opened from now on have them.

        VS Code in a browser takes settings with the scope of a machine from the file of the server's machine
        only.
        """
        for name, values in (("User", {**SETTINGS, **settings}), ("Machine", machine or {})):
            folder = self.state / "data" / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "settings.json").write_text(json.dumps(values))

    @property
    def storage(self) -> Path:
        """Where our extension keeps what is its own."""
        return self.state / "data" / "User" / "globalStorage" / "shlo.shlo"

    @property
    def logs(self) -> list[Path]:
        """The server's log and, for the newest windows, what their extension hosts and our extension wrote."""
        windows = sorted(self.state.glob("data/logs/*/exthost*"), key=lambda path: path.stat().st_mtime)
        names = ("remoteexthost.log", "shlo.shlo/*.log")
        found = [log for window in windows[-WINDOWS:] for name in names for log in window.glob(name)]
        return [self.state / "server.log", *found]


@contextlib.contextmanager
def code_server(
    state: Path, settings: Mapping[str, Any], *extensions: Path, environ: Mapping[str, str] | None = None
) -> Iterator[CodeServer]:
    """Starts a server with user settings and extensions (.vsix files), and stops it."""
    node = find_tool("node")
    if not ENTRY.exists():
        missing("code-server is not installed: tests/e2e/install-tools.sh")
    server = CodeServer(free_port(), state)
    server.set(settings)
    own = {f"XDG_{name}_HOME": str(state / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    environment = {**os.environ, **own, **(environ or {})}
    command = [
        *(
            node,
            str(ENTRY),
            "--user-data-dir",
            str(state / "data"),
            "--extensions-dir",
            str(state / "extensions"),
        ),
        *("--config", str(state / "config.yaml")),
    ]
    _install(extensions, state, [*command], environment)
    options = [
        "--auth",
        "none",
        "--bind-addr",
        f"127.0.0.1:{server.port}",
        "--disable-telemetry",
        "--disable-update-check",
    ]
    with (state / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, *options, "--disable-getting-started-override", "--disable-proxy"],
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait(server.port, process, state)
            yield server
        finally:
            stop(process)


def _install(
    extensions: tuple[Path, ...], state: Path, command: list[str], environment: Mapping[str, str]
) -> None:
    """Installs extensions for a server; what was installed for another one is copied."""
    key = tuple((each, each.stat().st_mtime_ns) for each in extensions)
    own = state / "extensions"
    if key not in _INSTALLED:
        for extension in extensions:  # one after the other: the last one of a name counts
            subprocess.run(
                [*command, "--install-extension", str(extension)],
                env=environment,
                check=True,
                capture_output=True,
                timeout=2 * PATIENCE,
            )
        own.mkdir(parents=True, exist_ok=True)
        _INSTALLED[key] = shutil.copytree(own, state / "installed"), str(own)
        return
    copy, place = _INSTALLED[key]
    shutil.copytree(copy, own)
    for listed in own.glob("extensions.json"):  # it has the folder's path
        listed.write_text(listed.read_text().replace(place, str(own)))


def _wait(port: int, process: subprocess.Popen[bytes], state: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise RuntimeError(f"code-server does not listen: {(state / 'server.log').read_text()[-2000:]}")
