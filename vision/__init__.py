"""Picture in, cubes out; knows no rules of any game."""
