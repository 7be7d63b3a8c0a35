"""What subcommands share: options, the console, exit codes, diagnostics as text and JSON."""
