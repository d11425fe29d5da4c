"""Simulated tables: cubes dropped by physics, rendered by light, with the truth about every one of them.

Needs the optional `simulation` packages; nothing here is used when people play.
"""
