"""The entry of quality estimation in the registry of metrics. It imports each part when that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referenceless_metrics.core.registry import MetricSpec

if TYPE_CHECKING:
    import click

    from quality_estimation_metric.cli.options import QualityEstimationOptions
    from quality_estimation_metric.estimator import QualityEstimator
    from quality_estimation_metric.explain import EstimateExplainer
    from quality_estimation_metric.integrations.sacrebleu import QualityEstimationMetric


def maker() -> Callable[..., QualityEstimator]:
    """Return the function that makes the metric."""
    from quality_estimation_metric.model_files.source import quality_estimation

    return quality_estimation


def options() -> type[QualityEstimationOptions]:
    """Return its options on the command line."""
    from quality_estimation_metric.cli.options import QualityEstimationOptions

    return QualityEstimationOptions


def sacrebleu() -> type[QualityEstimationMetric]:
    """Return its class for sacrebleu."""
    from quality_estimation_metric.integrations.sacrebleu import QualityEstimationMetric

    return QualityEstimationMetric


def explainer() -> type[EstimateExplainer]:
    """Return its part of the web page."""
    from quality_estimation_metric.explain import EstimateExplainer

    return EstimateExplainer


def fit() -> click.Command:
    """Return its command for `fit`."""
    from quality_estimation_metric.cli.commands import fit

    return fit


def evaluate() -> click.Command:
    """Return its command for `evaluate`."""
    from quality_estimation_metric.cli.commands import evaluate

    return evaluate


QUALITY_ESTIMATION = MetricSpec(
    name="quality_estimation",
    title="Quality estimation",
    maker=maker,
    options=options,
    sacrebleu=sacrebleu,
    explainer=explainer,
    fit=fit,
    evaluate=evaluate,
    implied_by=("--model-file",),
    needs_sources=True,
    description="Quality estimation says what people would rate a text, learned from texts that they rated, with or "
    "without what the text was made from.",
    results="""\
    lower, upper: the ends of each prediction's interval.
    learned_from: whether each prediction is one of the rated texts, if these are known.
    n_rated_texts: number of predictions that are rated texts themselves, if these are known.
    level: the share of ratings that intervals are made to hold.
    unseen_slots: slots of the sources that no training source had.
    verdict: the verdict on the estimates, from leaving rated texts out: useful, weak, cannot tell
        yet or no better than the mean.
    expected_spearman: the rank correlation with ratings, from leaving rated texts out.
""",
    paper="the task of Dušek et al., 2017, with the model that the signature names",
    citation="""\
@inproceedings{dusek-etal-2017-referenceless,
  title = {Referenceless Quality Estimation for Natural Language Generation},
  author = {Du{\\v{s}}ek, Ond{\\v{r}}ej and Novikova, Jekaterina and Rieser, Verena},
  booktitle = {Proceedings of the 1st Workshop on Learning to Generate Natural Language},
  year = {2017},
  doi = {10.48550/arXiv.1708.01759},
  url = {https://arxiv.org/abs/1708.01759},
}
""",
    urls=("https://arxiv.org/abs/1708.01759",),
    example="""\
    >>> import evaluate
    >>> metric = evaluate.load("quality_estimation")
    >>> source = "inform(name='loch fyne';food=seafood;area=soma)"
    >>> good = "loch fyne is a nice restaurant in soma that serves seafood."
    >>> bad = "loch fyne in in the soma serves food food."
    >>> results = metric.compute(predictions=[good, bad], sources=[source, source])
    >>> [round(value, 1) for value in results["values"]]
    [4.6, 3.1]
""",
)
