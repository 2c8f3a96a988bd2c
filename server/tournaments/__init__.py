"""Tournaments: who plays whom on which deals, what is kept, and what it proves."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# OpenBLAS, which NumPy and SciPy use, reads this when it is loaded: its threads would spin on workers' cores.
