"""Files, arguments, results and child processes of a run, shared by the front ends."""
