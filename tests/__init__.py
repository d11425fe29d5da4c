"""Tests; a package so that test modules can share builders."""
