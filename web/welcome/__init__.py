"""Pages of Welcome to the Dungeon and Welcome Back to the Dungeon."""
