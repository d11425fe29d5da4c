"""Many phones at many tables for a long time, against a real server."""
