"""How likely a dungeon is survived with best play: exact, by dynamic programming."""
