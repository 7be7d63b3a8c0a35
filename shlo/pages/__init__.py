"""Self-contained HTML: tensors and graphs that need no other file, no style sheet and no server."""
