"""Subcommands that read, check, show and transform programs."""
