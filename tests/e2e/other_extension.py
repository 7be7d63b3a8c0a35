"""Stand-ins for other extensions of VS Code, which are not to be had in a test."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any


def mlir_extension(path: Path) -> Path:
    """Writes a stand-in for LLVM's MLIR extension, as a .vsix: the same language, and a hover of its own."""
    contributes = {
        "languages": [{"id": "mlir", "extensions": [".mlir"], "aliases": ["MLIR"]}],
        "grammars": [{"language": "mlir", "scopeName": "source.mlir", "path": "./grammar.json"}],
        "commands": [{"command": "mlir.restart", "title": "mlir: Restart language server"}],
        "configuration": {"properties": {"mlir.server_path": {"type": "string"}}},
    }
    main = (
        "const { commands, languages, MarkdownString, Hover } = require('vscode');"
        "exports.activate = () => { commands.registerCommand('mlir.restart', () => 0);"
        "languages.registerHoverProvider('mlir', { provideHover: () => new Hover('the other server') }); };"
    )
    return _vsix(path, "llvm-vs-code-extensions", "vscode-mlir", main, contributes)


def python_extension(path: Path, interpreter: str) -> Path:
    """Writes a stand-in for Microsoft's Python extension, in which an interpreter is selected."""
    main = (
        "const { EventEmitter, Uri } = require('vscode');"
        "exports.activate = () => ({ environments: {"
        f"getActiveEnvironmentPath: () => ({{ path: {json.dumps(interpreter)} }}),"
        "resolveEnvironment: async ({ path }) => ({ executable: { uri: Uri.file(path) } }),"
        "onDidChangeActiveEnvironmentPath: new EventEmitter().event } });"
    )
    return _vsix(path, "ms-python", "python", main, {})


def web_part(vsix: Path, path: Path) -> Path:
    """Writes what of our extension runs in a browser alone, as a newer version of it."""
    with zipfile.ZipFile(vsix) as ours, zipfile.ZipFile(path, "w") as web:
        for name in ours.namelist():
            content = ours.read(name)
            if name == "extension/package.json":
                manifest = json.loads(content)
                del manifest["main"], manifest["extensionKind"]
                content = json.dumps({**manifest, "version": "99.0.0"}).encode()
            elif name == "extension.vsixmanifest":
                content = content.replace(b'Version="0.1.0"', b'Version="99.0.0"')
            web.writestr(name, content)
    return path


def _vsix(path: Path, publisher: str, name: str, main: str, contributes: dict[str, Any]) -> Path:
    manifest = {
        "name": name,
        "publisher": publisher,
        "version": "0.0.1",
        "engines": {"vscode": "^1.90.0"},
        "main": "./main.js",
        "activationEvents": ["onLanguage:mlir"],
        "contributes": contributes,
    }
    identity = f'<Identity Language="en-US" Id="{name}" Version="0.0.1" Publisher="{publisher}"/>'
    files = {
        "extension/package.json": json.dumps(manifest),
        "extension/main.js": main,
        "extension/grammar.json": json.dumps({"scopeName": "source.mlir", "patterns": []}),
        "extension.vsixmanifest": (
            '<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">'
            f"<Metadata>{identity}<DisplayName>{name}</DisplayName></Metadata><Installation>"
            '<InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation></PackageManifest>'
        ),
    }
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
    return path
