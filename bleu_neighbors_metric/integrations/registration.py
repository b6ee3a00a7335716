"""The entry of BLEU Neighbors in the registry of metrics. It imports each part when that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referenceless_metrics.core.registry import MetricSpec

if TYPE_CHECKING:
    import click

    from bleu_neighbors_metric.cli.options import BLEUNeighborsOptions
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from bleu_neighbors_metric.explain import NeighborsExplainer
    from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric


def maker() -> Callable[..., BLEUNeighbors]:
    """Return the function that makes the metric."""
    from bleu_neighbors_metric.pool_source import bleu_neighbors

    return bleu_neighbors


def options() -> type[BLEUNeighborsOptions]:
    """Return its options on the command line."""
    from bleu_neighbors_metric.cli.options import BLEUNeighborsOptions

    return BLEUNeighborsOptions


def sacrebleu() -> type[BLEUNeighborsMetric]:
    """Return its class for sacrebleu."""
    from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric

    return BLEUNeighborsMetric


def explainer() -> type[NeighborsExplainer]:
    """Return its part of the web page."""
    from bleu_neighbors_metric.explain import NeighborsExplainer

    return NeighborsExplainer


def fit() -> click.Command:
    """Return its command for `fit`."""
    from bleu_neighbors_metric.cli.fit import fit

    return fit


def report() -> Callable[..., str]:
    """Return the function that writes its part of the page on systems."""
    from bleu_neighbors_metric.report import report_sections

    return report_sections


BLEU_NEIGHBORS = MetricSpec(
    name="bleu_neighbors",
    title="BLEU Neighbors",
    maker=maker,
    options=options,
    sacrebleu=sacrebleu,
    explainer=explainer,
    fit=fit,
    implied_by=("--pool",),
    report=report,
    description="BLEU Neighbors estimates the quality of a text without references: the mean human rating of the "
    "rated texts that resemble it, or no estimate where too few or too many do.",
    results="""\
    n_neighbors: number of rated texts that each prediction resembles.
    learned_from: whether each prediction is one of the rated texts.
    n_rated_texts: number of predictions that are rated texts themselves.
    fewest, most: fewest and most of these rated texts for which an estimate is defined.
    verdict: the verdict on the estimates, from leaving rated texts out: useful, weak, cannot tell
        yet or no better than the mean.
    expected_spearman: the rank correlation with ratings, from leaving rated texts out.
""",
    paper="after Ethayarajh and Sadigh, 2020",
    citation="""\
@article{ethayarajh-sadigh-2020-bleu-neighbors,
  title = {{BLEU} Neighbors: A Reference-less Approach to Automatic Evaluation},
  author = {Ethayarajh, Kawin and Sadigh, Dorsa},
  journal = {arXiv preprint arXiv:2004.12726},
  year = {2020},
  doi = {10.48550/arXiv.2004.12726},
  url = {https://arxiv.org/abs/2004.12726},
}
""",
    urls=("https://arxiv.org/abs/2004.12726",),
    example="""\
    >>> import evaluate
    >>> from bleu_neighbors_metric.example import example_candidates, example_pool
    >>> pool = example_pool()  # in its place: your rated texts, with one rating each
    >>> metric = evaluate.load("bleu_neighbors", rated_texts=pool.texts, ratings=pool.ratings)
    >>> results = metric.compute(predictions=example_candidates())
    >>> round(results["bleu_neighbors"], 3), round(results["coverage"], 3)
    (0.631, 0.833)
""",
)
