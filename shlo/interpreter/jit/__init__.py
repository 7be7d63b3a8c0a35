"""Generated Python code for hot functions, loops and region bodies."""
