"""Debug adapter: the debugger over the Debug Adapter Protocol, for editors."""
