"""What the registry of metrics holds of this package."""

from __future__ import annotations

from referenceless_metrics.core.registry import MetricSpec

QUALITY_ESTIMATION = MetricSpec(
    name="quality_estimation",
    implied_by=("--model-file",),
    title="Quality estimation",
    make="quality_estimation_metric.model_files.source:quality_estimation",
    options="quality_estimation_metric.cli.options:QualityEstimationOptions",
    sacrebleu="quality_estimation_metric.integrations.sacrebleu:QualityEstimationMetric",
    explain="quality_estimation_metric.explain:EstimateExplainer",
    fit="quality_estimation_metric.cli.commands:fit",
    evaluate="quality_estimation_metric.cli.commands:evaluate",
    needs_sources=True,
    description="Quality estimation says what people would rate a text, learned from texts that they rated, with or "
    "without what the text was made from.",
    results="""\
    lower, upper: the ends of each prediction's interval.
    in_pool: how many predictions are rated texts themselves, where these are known.
    level: the share of ratings that intervals are made to hold.
    unseen_slots: slots of the sources that no training source had.
    verdict: what leaving rated texts out showed of the estimates: useful, weak, or no better than the mean.
    expected_spearman: the rank correlation with ratings that leaving rated texts out showed.
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
