"""Help of all subcommands in other forms: completion scripts of shells, a manual page, reference pages."""
