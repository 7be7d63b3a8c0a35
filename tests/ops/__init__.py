"""A test program for each operation, and what checks them."""
