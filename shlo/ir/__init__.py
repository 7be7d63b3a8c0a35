"""The intermediate representation: types, attributes, locations, operations, modules, sources and
diagnostics.
"""
