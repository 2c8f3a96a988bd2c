"""Tournaments: who plays whom on which deals, what is kept, and what it proves."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# OpenBLAS, with which NumPy and SciPy compute, reads it when it is loaded: its threads would spin on workers' cores.
