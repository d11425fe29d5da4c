"""Tests of what turns pictures into cubes."""
