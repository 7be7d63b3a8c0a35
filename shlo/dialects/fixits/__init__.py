"""Fix-its: conversions of operands and values of attributes that make an operation valid."""
