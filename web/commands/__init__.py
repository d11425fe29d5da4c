"""The subcommands of ``dungeon``."""
