"""The documentation site: `python -m docs.site` builds it into `build/site` (`make docs`).

`contents` lists the pages; `stage` writes them as one tree of Markdown, with links between them; modules named
after a part of the reference write that; Sphinx turns the tree into HTML, and `links` follows every link of
the result.
"""
