"""The command line: `data-agent <verb>`, one file per verb."""

import os

# Read by numpy as it loads. A product of this size is done before a second thread wakes, which then only spins.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
