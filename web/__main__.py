"""``python -m web`` is the ``dungeon`` command, for where scripts are not on the path."""

from web.command_line import dungeon

dungeon(prog_name="dungeon")
