"""Pages of Dungeon Guilds."""
