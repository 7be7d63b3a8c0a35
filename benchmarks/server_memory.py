"""How much memory the language server holds over thousands of edits, over stdio, and after closing.

    python benchmarks/server_memory.py FILE ... [--edits N] [--limit MEGABYTES]

The files are opened together and edited in turn, an `x` typed and deleted at the ends of random operations,
each edit after the findings of the one before. Ends with exit code 1 where the memory goes over the limit.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import server


def main() -> int:
    """Prints the resident memory now and then, and after the files have been closed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--limit", type=int, default=0, help="megabytes")
    options = parser.parse_args()
    client = server.Client()
    client.start()
    empty = client.resident()
    editors: list[server.Editor] = []
    for number, path in enumerate(options.files):
        uri = f"file:///{number}.mlir"
        editor = server.Editor(client, path.read_text(), uri)
        client.open(editor.text, uri)
        client.findings_of(0, uri)
        if editor.uses:
            editors.append(editor)
    print(f"{empty / 1e6:,.0f} MB empty, {client.resident() / 1e6:,.0f} MB with {len(options.files)} files")
    done, most = 0, 0
    while done < options.edits:
        editor = editors[done // 2 % len(editors)]
        for _ in editor.there_and_back(1):
            client.findings_of(editor.version, editor.uri)
            done += 1
        most = max(most, client.resident())
        if done % max(options.edits // 10, 2) == 0:
            client.drop_findings()
            print(f"{done:,} edits: {client.resident() / 1e6:,.0f} MB", flush=True)
    for number in range(len(options.files)):
        client.close(f"file:///{number}.mlir")
    client.request("workspace/symbol", {"query": "nothing has this name"})
    print(f"most {most / 1e6:,.0f} MB, {client.resident() / 1e6:,.0f} MB after closing")
    client.stop()
    return int(0 < options.limit < most / 1e6)


if __name__ == "__main__":
    sys.exit(main())
