"""The entries of SLOR, WPSLOR, Fluency and ROUGE-LM in the registry of metrics.

They import each part when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referenceless_metrics.core.registry import MetricSpec

if TYPE_CHECKING:
    from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter
    from referenceless_metrics.pages.app.explainer import Explainer
    from slor_metric import estimator
    from slor_metric.fluency.metric import Fluency, FluencyNgram


def slor_maker() -> type[estimator.SLOR]:
    """Return the class of SLOR."""
    from slor_metric.estimator import SLOR

    return SLOR


def slor_sacrebleu() -> type[SacrebleuAdapter]:
    """Return the class of SLOR for sacrebleu."""
    from slor_metric.integrations.sacrebleu import SLORMetric

    return SLORMetric


def slor_explainer() -> type[Explainer]:
    """Return the part of SLOR of the web page."""
    from slor_metric.explain import SLORExplainer

    return SLORExplainer


def wpslor_maker() -> type[estimator.WPSLOR]:
    """Return the class of WPSLOR."""
    from slor_metric.estimator import WPSLOR

    return WPSLOR


def wpslor_sacrebleu() -> type[SacrebleuAdapter]:
    """Return the class of WPSLOR for sacrebleu."""
    from slor_metric.integrations.sacrebleu import WPSLORMetric

    return WPSLORMetric


def wpslor_explainer() -> type[Explainer]:
    """Return the part of WPSLOR of the web page."""
    from slor_metric.explain import WPSLORExplainer

    return WPSLORExplainer


def fluency_maker() -> type[Fluency]:
    """Return the class of Fluency."""
    from slor_metric.fluency.metric import Fluency

    return Fluency


def fluency_sacrebleu() -> type[SacrebleuAdapter]:
    """Return the class of Fluency for sacrebleu."""
    from slor_metric.integrations.sacrebleu import FluencyMetric

    return FluencyMetric


def fluency_explainer() -> type[Explainer]:
    """Return the part of Fluency of the web page."""
    from slor_metric.explain import FluencyExplainer

    return FluencyExplainer


def fluency_ngram_maker() -> type[FluencyNgram]:
    """Return the class of Fluency by n-grams alone."""
    from slor_metric.fluency.metric import FluencyNgram

    return FluencyNgram


def fluency_ngram_sacrebleu() -> type[SacrebleuAdapter]:
    """Return the class of Fluency by n-grams alone for sacrebleu."""
    from slor_metric.integrations.sacrebleu import FluencyNgramMetric

    return FluencyNgramMetric


def rouge_lm_maker() -> type[estimator.ROUGELM]:
    """Return the class of ROUGELM."""
    from slor_metric.estimator import ROUGELM

    return ROUGELM


def rouge_lm_sacrebleu() -> type[SacrebleuAdapter]:
    """Return the class of ROUGELM for sacrebleu."""
    from slor_metric.integrations.sacrebleu import ROUGELMMetric

    return ROUGELMMetric


def rouge_lm_explainer() -> type[Explainer]:
    """Return the part of ROUGELM of the web page."""
    from slor_metric.explain import ROUGELMExplainer

    return ROUGELMExplainer


def plot_tokens() -> Callable[..., None]:
    """Return the function that draws texts token by token."""
    from slor_metric.explain import plot_tokens

    return plot_tokens


_URLS = ("https://aclanthology.org/K18-1031/",)
_PAPER = "after Kann et al., 2018"
_CITATION = """\
@inproceedings{kann-etal-2018-sentence,
  title = {Sentence-Level Fluency Evaluation: References Help, But Can Be Spared!},
  author = {Kann, Katharina and Rothe, Sascha and Filippova, Katja},
  booktitle = {Proceedings of the 22nd Conference on Computational Natural Language Learning},
  pages = {313--323},
  year = {2018},
  doi = {10.18653/v1/K18-1031},
  url = {https://aclanthology.org/K18-1031/},
}
"""
_RESULTS = """\
    n_tokens: the number of the model's tokens in each prediction; one without tokens has no value.
    nce: ln p(text) per token of each, in nats.
    perplexity: exp(-nce) of each.
    unknown_share: the share of words of each that a packaged model does not know, of tokens for another.
    looks_english: whether each looks English; of the packaged models.
    short: whether each has only one word or two; of the packaged models.
"""

SLOR = MetricSpec(
    name="slor",
    title="SLOR",
    maker=slor_maker,
    sacrebleu=slor_sacrebleu,
    explainer=slor_explainer,
    plot=plot_tokens,
    description="SLOR estimates how fluent a text is without references: how natural the word order is, whatever "
    "the rarity of the words (log-odds per word).",
    results=_RESULTS,
    paper=_PAPER,
    citation=_CITATION,
    urls=_URLS,
    example="""\
    >>> import evaluate
    >>> metric = evaluate.load("slor")
    >>> results = metric.compute(predictions=["The cat sat on the mat.", "Mat the on sat cat the."])
    >>> [round(value, 2) for value in results["values"]]
    [1.47, -2.72]
""",
)

WPSLOR = MetricSpec(
    name="wpslor",
    title="WPSLOR",
    maker=wpslor_maker,
    sacrebleu=wpslor_sacrebleu,
    explainer=wpslor_explainer,
    plot=plot_tokens,
    description="WPSLOR estimates how fluent a text is without references: how natural the word order is, "
    "whatever the rarity of the words (log-odds per WordPiece).",
    results=_RESULTS,
    paper=_PAPER,
    citation=_CITATION,
    urls=_URLS,
    example="""\
    >>> import evaluate
    >>> metric = evaluate.load("wpslor")
    >>> results = metric.compute(predictions=["The cat sat on the mat.", "Mat the on sat cat the."])
    >>> [round(value, 2) for value in results["values"]]
    [0.65, -2.99]
""",
)

_FLUENCY_RESULTS = """\
    unknown_share: the share of unknown words of each prediction.
    looks_english: whether each looks English.
    short: whether each has only one word or two.
    log_odds_per_word: mean log-odds of the words of each, in nats, as this metric reads them (not SLOR).
    log_odds_per_piece: mean log-odds of the pieces of each, in nats, as this metric reads them (not WPSLOR).
    n_tokens: the number of words and marks of each.
    n_sentences: the number of sentences of each.
    worst: the score of the worst sentence of each.
    worst_sentence: its number, from 1; 0 if there is no score.
    poor_share: the share of sentences of each below −2.
    note: whether a sentence of each is a title or headline, an item of a list, in another language, or has no
        final full stop.
    read_over: kinds of text in each that are no prose: code, links, markup, mentions, hashtags, emoji.
"""

FLUENCY = MetricSpec(
    name="fluency",
    title="Fluency",
    maker=fluency_maker,
    sacrebleu=fluency_sacrebleu,
    explainer=fluency_explainer,
    plot=plot_tokens,
    is_default=True,
    in_bulk="fluency_ngram",
    description="Fluency estimates how fluent English sentences are without references, from n-gram models, a small "
    "neural language model, misspellings and repetitions; of several sentences the mean.",
    results=_FLUENCY_RESULTS,
    paper=_PAPER,
    citation=_CITATION,
    urls=_URLS,
    example="""\
    >>> import evaluate
    >>> metric = evaluate.load("fluency")
    >>> results = metric.compute(predictions=["The cat sat on the mat.", "Mat the on sat cat the."])
    >>> [round(value, 2) for value in results["values"]]
    [0.75, -10.45]
""",
)

FLUENCY_NGRAM = MetricSpec(
    name="fluency_ngram",
    title="Fluency by n-grams",
    maker=fluency_ngram_maker,
    sacrebleu=fluency_ngram_sacrebleu,
    explainer=fluency_explainer,
    plot=plot_tokens,
    description="Fluency by n-grams estimates how fluent English sentences are without references, from n-gram models, "
    "misspellings and repetitions; some thirty times as fast as Fluency, and less exact.",
    results=_FLUENCY_RESULTS,
    paper=_PAPER,
    citation=_CITATION,
    urls=_URLS,
    example="""\
    >>> import evaluate
    >>> metric = evaluate.load("fluency_ngram")
    >>> results = metric.compute(predictions=["The cat sat on the mat.", "Mat the on sat cat the."])
    >>> [round(value, 2) for value in results["values"]]
    [0.75, -8.16]
""",
)

ROUGE_LM = MetricSpec(
    name="rouge_lm",
    title="ROUGE-LM",
    maker=rouge_lm_maker,
    sacrebleu=rouge_lm_sacrebleu,
    explainer=rouge_lm_explainer,
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
    paper=_PAPER,
    citation=_CITATION,
    urls=_URLS,
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
