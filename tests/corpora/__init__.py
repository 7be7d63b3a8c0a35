"""Programs of public projects, read, verified, printed and run beside jaxlib and XLA: `make corpora DIR=...`."""
