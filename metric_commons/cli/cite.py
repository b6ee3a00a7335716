"""The command `cite`."""

from __future__ import annotations

from typing import Any

import click

from metric_commons.cli.metric_options import MetricCommand, metric_from, metric_option
from metric_commons.registry import MetricSpec
from metric_commons.registry import cite as cited


@click.command(cls=MetricCommand, epilog="Example: referenceless cite --metric bleu_neighbors --pool pool.csv")
@metric_option
def cite(spec: MetricSpec, **options: Any) -> None:
    """Print what a paper says of a metric: its signature, a sentence for the methods section, and BibTeX.

    Give the options that the texts were scored with: the signature tells them.
    """
    click.echo(cited(metric_from(spec, options)), nl=False)
