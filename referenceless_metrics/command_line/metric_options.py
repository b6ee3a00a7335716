"""The options that a metric brings to commands, and how it is made from them."""

from __future__ import annotations

from collections.abc import Collection

import click

from referenceless_metrics.command_line.parameter_options import given, options_of
from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.registry import MetricSpec
from referenceless_metrics.core.support.validation import Record


class MetricOptions:
    """The options of a metric in the commands that take any: one for each parameter that a command line can give.

    A metric that takes more than its parameters brings a subclass.

    Args:
        spec: the metric's entry.
        taken: the names of a command's own options, which take the place of any that have the same name.
    """

    def __init__(self, spec: MetricSpec, taken: Collection[str | None] = ()) -> None:
        self.spec = spec
        self.shown = [option for option in self.parameters() if option.name not in taken]

    def parameters(self) -> list[click.Parameter]:
        """Return the options, in the order in which they are shown."""
        return [*options_of(self.spec.maker())]

    def check(self, values: Record) -> None:
        """Say what is wrong with the options' values before any file is read.

        Raises:
            click.UsageError: naming the options.
        """

    def make(self, values: Record, data_dir: str | None) -> Metric:
        """Make the metric from the options' values; `data_dir` is for pools that are data sets."""
        make = self.spec.maker()
        metric: Metric = make(**given(values))
        return metric


def options_for(spec: MetricSpec, command: click.Command | None = None) -> MetricOptions:
    """Return a metric's options beside a command's own: those that it brings, or those of its parameters."""
    kind: type[MetricOptions] = MetricOptions if spec.options is None else spec.options()
    return kind(spec, {option.name for option in command.params} if command is not None else ())
