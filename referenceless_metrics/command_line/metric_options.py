"""The options that a metric adds to commands; they make the metric from their values."""

from __future__ import annotations

from collections.abc import Collection

import click

from referenceless_metrics.command_line.parameter_options import given, options_of
from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.registry import MetricSpec
from referenceless_metrics.core.support.validation import Record


class MetricOptions:
    """The options of a metric in commands that take any metric: one per parameter that a command line can give.

    A metric with other options has a subclass of its own.

    Args:
        spec: the metric's entry.
        taken: the names of the command's own options, which replace those of the same name.
    """

    def __init__(self, spec: MetricSpec, taken: Collection[str | None] = ()) -> None:
        self.spec = spec
        self.shown = [option for option in self.parameters() if option.name not in taken]

    def parameters(self) -> list[click.Parameter]:
        """Return the options in the order of the help."""
        return [*options_of(self.spec.maker())]

    def check(self, values: Record) -> None:
        """Check the options' values before any file is read.

        Raises:
            click.UsageError: naming the options.
        """

    def make(self, values: Record, data_dir: str | None) -> Metric:
        """Make the metric from the options' values; `data_dir` is the folder of pools that are data sets."""
        make = self.spec.maker()
        metric: Metric = make(**given(values))
        return metric


def options_for(spec: MetricSpec, command: click.Command | None = None) -> MetricOptions:
    """Return the options that a metric adds to a command: its own, or those of its parameters."""
    kind: type[MetricOptions] = MetricOptions if spec.options is None else spec.options()
    return kind(spec, {option.name for option in command.params} if command is not None else ())
