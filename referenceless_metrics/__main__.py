"""`python -m referenceless_metrics` is the command `referenceless`."""

from referenceless_metrics.cli import main

main()
