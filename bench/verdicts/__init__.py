"""Error rates of the verdicts that people read, simulated, with their standard errors. See README.md of bench."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads gain nothing with small matrices, and wait for busy cores
