"""The phones' pages and the command line: everything that puts rules, vision and people together."""

import os

# Before NumPy is loaded, which reads it then. Matrices are small here, and helpers that wait busily for the
# next one take a core from the networks and from other phones: a scan takes 201 ms with them, 163 without.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
