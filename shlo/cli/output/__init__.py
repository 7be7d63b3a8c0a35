"""Output that only the `shlo` command has: progress, SARIF, expectations, traces."""
