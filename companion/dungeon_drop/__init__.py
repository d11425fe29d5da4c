"""Dungeon Drop: the pieces on the table, the rooms they make, and what each room is worth to a hero."""
