"""Tests of Dungeon Drop."""
