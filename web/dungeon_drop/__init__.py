"""Dungeon Drop as people see it: the marks of the cubes and pictures of a table."""
