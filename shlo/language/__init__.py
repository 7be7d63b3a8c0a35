"""The language service: what an editor or a notebook asks about a program's text, on plain data.

A `Document` is a text; each feature is a module with a function that takes a document and an offset or span
and gives frozen records. Nothing here knows a protocol or a screen. Everything works while the text is
broken, and the programs of a text that lines `// -----` separate are apart from each other.
"""

from shlo.language.document import Document, Edit, Part

__all__ = ["Document", "Edit", "Part"]
