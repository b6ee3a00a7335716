"""What the registry of metrics holds of this package."""

from __future__ import annotations

from typing import Any

from referenceless_metrics.core.registry import MetricSpec

_RESULTS = """\
    n_tokens: the number of the model's tokens in each prediction; one without tokens has no value.
    nce: ln p(text) per token of each, in nats.
    perplexity: exp(-nce) of each.
    unknown_share: the share of words of each that a packaged model does not know, of tokens for another.
    looks_english: whether each looks English; of the packaged models.
    short: whether each has only one word or two; of the packaged models.
"""


def entry(name: str, title: str, make: str, **settings: Any) -> MetricSpec:
    """Return the entry of a metric of this package; `settings` are fields of `MetricSpec` that differ."""
    shared: dict[str, Any] = {
        "explain": "slor_metric.explain:SLORExplainer",
        "plot": "slor_metric.explain:plot_tokens",
        "results": _RESULTS,
        "urls": ("https://aclanthology.org/K18-1031/",),
        "paper": "after Kann et al., 2018",
        "citation": """\
@inproceedings{kann-etal-2018-sentence,
  title = {Sentence-Level Fluency Evaluation: References Help, But Can Be Spared!},
  author = {Kann, Katharina and Rothe, Sascha and Filippova, Katja},
  booktitle = {Proceedings of the 22nd Conference on Computational Natural Language Learning},
  pages = {313--323},
  year = {2018},
  doi = {10.18653/v1/K18-1031},
  url = {https://aclanthology.org/K18-1031/},
}
""",
    }
    return MetricSpec(name, title, make, **{**shared, **settings})


def _example(name: str, values: str) -> str:
    return f"""\
    >>> import evaluate
    >>> metric = evaluate.load("{name}")
    >>> results = metric.compute(predictions=["The cat sat on the mat.", "Mat the on sat cat the."])
    >>> [round(value, 2) for value in results["values"]]
    {values}
"""


SLOR = entry(
    "slor",
    "SLOR",
    "slor_metric.estimator:SLOR",
    sacrebleu="slor_metric.integrations.sacrebleu:SLORMetric",
    description="SLOR estimates how fluent a text is without references: how natural the word order is, whatever "
    "the rarity of the words (log-odds per word).",
    example=_example("slor", "[1.47, -2.72]"),
)
WPSLOR = entry(
    "wpslor",
    "WPSLOR",
    "slor_metric.estimator:WPSLOR",
    explain="slor_metric.explain:WPSLORExplainer",
    sacrebleu="slor_metric.integrations.sacrebleu:WPSLORMetric",
    description="WPSLOR estimates how fluent a text is without references: how natural the word order is, "
    "whatever the rarity of the words (log-odds per WordPiece).",
    example=_example("wpslor", "[0.65, -2.99]"),
)
FLUENCY = entry(
    "fluency",
    "Fluency",
    "slor_metric.fluency.metric:Fluency",
    options="",
    explain="slor_metric.explain:FluencyExplainer",
    sacrebleu="slor_metric.integrations.sacrebleu:FluencyMetric",
    in_bulk={"lm": "ngram"},
    description="Fluency estimates how fluent English sentences are without references, from n-gram models, a small "
    "neural language model, misspellings and repetitions; of several sentences the mean.",
    results="""\
    unknown_share: the share of unknown words of each prediction.
    looks_english: whether each looks English.
    short: whether each has only one word or two.
    slor_scores: SLOR of each, in nats a word.
    wpslor_scores: WPSLOR of each, in nats a piece.
    n_tokens: the number of words and marks of each.
    n_sentences: the number of sentences of each.
    worst: the score of the worst sentence of each.
    worst_sentence: which one that is, from 1.
    note: whether a sentence of each is a title or headline, an item of a list, in another language, or has no
        final full stop.
    read_over: what each holds that is no prose: code, links, markup, mentions, hashtags, emoji.
""",
    example=_example("fluency", "[0.45, -12.43]"),
)
ROUGE_LM = entry(
    "rouge_lm",
    "ROUGE-LM",
    "slor_metric.estimator:ROUGELM",
    explain="slor_metric.explain:ROUGELMExplainer",
    sacrebleu="slor_metric.integrations.sacrebleu:ROUGELMMetric",
    plot="",
    needs_references=True,
    description="ROUGE-LM adds two z-scores: ROUGE-L of a text with the best of its references, and WPSLOR, a "
    "language model's opinion of its fluency.",
    results=f"""\
{_RESULTS}    rouge_l: ROUGE-L of each with the best of its references.
    wpslor_scores: WPSLOR of each, in nats per token.
    statistics_rouge_l_mean, statistics_rouge_l_std, statistics_wpslor_mean, statistics_wpslor_std: the means and
        standard deviations that z was taken with. With z over the predictions themselves the mean is 0: the values
        rank them among one another; give `statistics`, a mapping of the four, to compare sets.
""",
    example="""\
    >>> import evaluate
    >>> metric = evaluate.load("rouge_lm")
    >>> predictions = ["The cat sat on a mat.", "Mat a on sat cat the.", "A dog ran."]
    >>> references = [["The cat sat on the mat.", "There was a cat on the mat."]] * 3
    >>> results = metric.compute(predictions=predictions, references=references)
    >>> [round(value, 2) for value in results["values"]]
    [2.12, -1.55, -0.57]
""",
)
