"""Quality estimation as a module of `evaluate`."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import datasets

from metric_commons.integrations.evaluate import MetricModule
from metric_commons.support.validation import describe
from quality_estimation_metric.estimator import QualityEstimator
from quality_estimation_metric.model_files.source import quality_estimation

_CITATION = """\
@inproceedings{dusek-etal-2017-referenceless,
  title = {Referenceless Quality Estimation for Natural Language Generation},
  author = {Du{\\v{s}}ek, Ond{\\v{r}}ej and Novikova, Jekaterina and Rieser, Verena},
  booktitle = {Proceedings of the 1st Workshop on Learning to Generate Natural Language},
  year = {2017},
}
"""

_MODEL = ("model_file", "training_texts", "training_ratings", "training_sources")


class QualityEstimationModule(MetricModule):
    """`evaluate.load("quality_estimation")`: see `QualityEstimator` for the metric and its parameters."""

    make = staticmethod(quality_estimation)
    parameters: ClassVar[frozenset[str]] = frozenset(_MODEL) | frozenset(QualityEstimator.parameter_names())
    together: ClassVar[tuple[str, ...]] = _MODEL
    # The framework has no optional inputs: a text without a source has an empty one.
    inputs: ClassVar[dict[str, Any]] = {"sources": datasets.Value("string")}
    description: ClassVar[str] = (
        "Quality estimation says what people would rate a text, learned from texts that they rated, with or without "
        "what the text was made from."
    )
    citation: ClassVar[str] = _CITATION
    urls: ClassVar[tuple[str, ...]] = ("https://arxiv.org/abs/1708.01759",)
    arguments: ClassVar[str] = """\
    sources: for each prediction what it was made from: a meaning representation, triples, a record or plain text; for
        a model that was fitted with sources.
    model_file: a file that `QualityEstimator.save` or `referenceless fit` wrote; None for the packaged model of
        restaurants and hotels. Like all that follow, to be bound at `evaluate.load`, or given here.
    training_texts, training_ratings, training_sources: instead of a file, rated texts to fit on, with their ratings
        and, where there are any, their sources.
    model, delexicalise, augment, seed: parameters of `QualityEstimator` for these.
    level: the share of ratings that intervals shall hold.
"""
    results: ClassVar[str] = """\
    lower, upper: the ends of each prediction's interval.
    level: the share of ratings that intervals are made to hold.
    unseen_slots: slots of the sources that no training source had.
    verdict: what leaving rated texts out showed of the estimates: useful, weak, or no better than the mean.
"""
    example: ClassVar[str] = """\
    >>> import evaluate
    >>> metric = evaluate.load("quality_estimation")
    >>> source = "inform(name='loch fyne';food=seafood;area=soma)"
    >>> good = "loch fyne is a nice restaurant in soma that serves seafood."
    >>> bad = "loch fyne in in the soma serves food food."
    >>> results = metric.compute(predictions=[good, bad], sources=[source, source])
    >>> [round(value, 1) for value in results["values"]]
    [4.7, 3.1]
"""

    def check_input(self, name: str, value: Any, length: int) -> list[str]:
        """Return sources as texts, empty ones where there are none, or raise."""
        if value is None:
            return [""] * length
        if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__iter__"):
            raise TypeError(
                f"Expected argument `{name}` to be a list with one source for each prediction, but got "
                f"{describe(value)}"
            )
        sources = ["" if item is None else item if isinstance(item, str) else _as_json(item) for item in value]
        if len(sources) != length:
            raise ValueError(
                f"Expected argument `{name}` to have one source for each of the {length} predictions, but got "
                f"{len(sources)}"
            )
        return sources

    def _compute(self, predictions: list[str], references: Any = None, sources: Any = None) -> dict[str, Any]:
        given = list(sources or ())
        return super()._compute(predictions, None, given if any(given) else None)


def _as_json(item: Any) -> str:
    try:
        return json.dumps(item, ensure_ascii=False)
    except (TypeError, ValueError):
        raise TypeError(
            f"Expected argument `sources` to hold texts, mappings or lists of triples, but got {describe(item)}"
        ) from None
