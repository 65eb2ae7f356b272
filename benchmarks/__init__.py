"""Speed and memory, each against a baseline of the same run."""

import scripts  # noqa: F401  as the command line: numbers are multiplied in one thread
