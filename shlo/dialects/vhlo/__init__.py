"""The VHLO dialect: op definitions and the table of their versions."""
