"""Tests of the pages and the command line."""
