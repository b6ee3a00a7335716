"""What the commands `referenceless`, `bleu-neighbors` and `slor` run first: nothing here takes time to import."""

from __future__ import annotations

from metric_commons.cli.start import start

_COMMANDS = "referenceless_metrics.cli"


def main() -> None:
    """Run `referenceless` and leave with its exit status."""
    start(_COMMANDS)


def bleu_neighbors() -> None:
    """Run `bleu-neighbors` and leave with its exit status."""
    start(_COMMANDS, "bleu_neighbors_cli")


def slor() -> None:
    """Run `slor` and leave with its exit status."""
    start(_COMMANDS, "slor_cli")
