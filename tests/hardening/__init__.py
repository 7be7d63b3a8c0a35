"""Hostile input at length: files and messages are changed at random and given to what reads them (`make fuzz`)."""
