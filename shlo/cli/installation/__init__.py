"""Subcommands about an installation: what is there, git, completion of shells."""
