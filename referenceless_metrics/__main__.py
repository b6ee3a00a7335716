"""`python -m referenceless_metrics` is the command `referenceless`."""

from referenceless_metrics.scripts import main

main()
