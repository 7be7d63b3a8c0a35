"""Runs a program in float64 beside itself and tells what loses digits: see docs/shadow.md and ADR 19."""
