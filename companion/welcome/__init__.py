"""Welcome to the Dungeon and Welcome Back to the Dungeon: tiles and monsters as data, the delve, the odds."""
