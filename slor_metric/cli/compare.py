"""The command `slor compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from metric_commons.cli.base import input_options
from metric_commons.cli.compare import compare_options, report
from slor_metric.cli.models import make_metric, model_options

if TYPE_CHECKING:
    from metric_commons.integrations.sacrebleu import SegmentMetric


@click.command(
    epilog="Example: slor compare baseline.txt ours.txt --metric wpslor --with bleu,chrf --references references.txt"
)
@click.argument("systems", nargs=-1, required=True)
@click.option(
    "--metric",
    "name",
    type=click.Choice(("slor", "wpslor", "rouge_lm")),
    default="wpslor",
    show_default=True,
    help="The metric to compare by; rouge_lm needs --references.",
)
@click.option("--stem", is_flag=True, help="Stem tokens for the ROUGE part of rouge_lm (English).")
@model_options
@compare_options
@input_options
def compare(
    systems: tuple[str, ...],
    name: str,
    stem: bool,
    lm: str,
    unigram: str | None,
    unigram_corpus: str | None,
    lm_options: dict[str, Any],
    **options: Any,
) -> None:
    """Compare systems: score, coverage, 95% confidence interval and p against the baseline.

    SYSTEMS are files with outputs for the same inputs, in the same order: two or more, the baseline first. Each is a
    .txt (a line a text), .csv, .tsv, .jsonl or .parquet file. rouge_lm takes its z-scores over all systems together.
    """
    if stem and name != "rouge_lm":
        raise click.UsageError(f"{name} does not stem; leave out --stem, or take --metric rouge_lm")

    def metric() -> SegmentMetric:
        from slor_metric.integrations.sacrebleu import metric_of

        return metric_of(make_metric(name, lm, unigram, unigram_corpus, lm_options, stem))

    report(systems, metric, needs_references=name == "rouge_lm", **options)
