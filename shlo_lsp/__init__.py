"""The language server: `shlo.language` over the Language Server Protocol."""
