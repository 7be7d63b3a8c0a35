"""Builds the site: `python -m docs.site [FOLDER]`, by default `build/site`. Warnings are errors."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from docs.site.api import api_page
from docs.site.codes import codes_page
from docs.site.commands import commands_page, debugger_page, magics_page
from docs.site.contents import ROOT
from docs.site.links import broken_links
from docs.site.ops import write_op_pages
from docs.site.stage import Stage
from docs.site.try_it import write_archive


def write_sources(folder: Path, extra: Path) -> None:
    """Writes what Sphinx reads into `folder`, and what the site has beside that into `extra`."""
    stage = Stage(folder, extra)
    stage.write_pages()
    stage.write("reference/api.md", api_page())
    stage.write("reference/codes.md", codes_page())
    stage.write("reference/commands.md", commands_page())
    stage.write("reference/debugger-commands.md", debugger_page())
    stage.write("reference/magics.md", magics_page())
    write_op_pages(stage)
    write_archive(extra)
    stage.write_listings()


def build(target: Path) -> int:
    """Builds the site; returns an exit code."""
    from sphinx.cmd.build import main as sphinx

    sources = ROOT / "build" / "docs"
    shutil.rmtree(sources, ignore_errors=True)
    shutil.rmtree(target, ignore_errors=True)
    write_sources(sources / "pages", sources / "extra")
    options = ["-b", "html", "-j", "2", "-q", "-W", "--keep-going", "-c", str(Path(__file__).parent)]
    options += ["-D", f"html_extra_path={sources / 'extra'}", "-d", str(sources / "doctrees")]
    failed = sphinx([*options, str(sources / "pages"), str(target)])
    broken = list(broken_links(target))
    for each in broken:
        print(f"error: a link leads nowhere: {each}", file=sys.stderr)
    if not failed and not broken:
        pages = sum(1 for _ in target.rglob("*.html"))
        print(f"{target / 'index.html'}: {pages} pages, all internal links lead somewhere")
    return 1 if failed or broken else 0


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"))
