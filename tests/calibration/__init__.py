"""Tests of what teaches the scanner."""
