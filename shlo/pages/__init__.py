"""Self-contained HTML: tensors and graphs that need no other file, no style sheet and no server."""

from shlo.pages.tensor import difference_html, tensor_bundle, tensor_html

__all__ = ["difference_html", "tensor_bundle", "tensor_html"]
