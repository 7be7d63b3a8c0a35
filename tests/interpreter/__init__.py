"""Tests of the executor: how programs run, whatever their operations compute."""
