"""Why a program gives what it gives: one run, many checks, a ranked list of causes as cards."""
