"""Random and half-right input for everything that takes input: ``python -m tests.fuzz``."""
