"""What front ends share around a run: reading and writing files, arguments, and showing results."""
