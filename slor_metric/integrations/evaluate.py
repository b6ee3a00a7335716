"""SLOR, WPSLOR and ROUGE-LM as modules of `evaluate`."""

from __future__ import annotations

from typing import Any, ClassVar

import datasets

from metric_commons.integrations.evaluate import MetricModule, module_info
from metric_commons.support.validation import check_texts
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR, FluencyScores
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

_URLS = ("https://aclanthology.org/K18-1031/",)

_MODEL_INPUTS = """\
    lm: the language model: "default" for the one that comes with the package, another name, a path, or an object with
        `token_logprobs`. Like all that follow, to be bound at `evaluate.load`, or given here.
    unigram: its unigram model: a path, or an object with `logprobs`. None: the one that the language model carries.
    lm_options: options for loading the language model, a dict.
"""

_RESULTS = """\
    coverage: share of predictions with a score; a text without tokens has none.
    scores: one score a prediction, NaN where undefined.
    n_tokens: the number of the model's tokens in each.
    nce: ln p(text) per token of each, in nats.
    perplexity: exp(-nce) of each.
    signature: the models, their hashes, tokenisation and version, which determine the result.
"""


class Slor(MetricModule):
    """`evaluate.load("slor")`: fluency of texts by a language model over words; see `SLOR`."""

    parameters = frozenset({"lm", "unigram", "lm_options"})

    #: The class behind the module.
    metric_class: ClassVar[type[SLOR]] = SLOR
    _about: ClassVar[str] = (
        "SLOR estimates how fluent a text is without references: how much likelier a language model finds it than its "
        "words, per word."
    )

    _metric: SLOR | None = None
    _made_of: dict[str, Any] | None = None

    def _info(self) -> Any:
        name = self.metric_class.name
        inputs = (
            "\nArgs:\n    predictions: the texts to score, a list of strings. References are neither needed nor read.\n"
            f"{_MODEL_INPUTS}\nReturns:\n    {name}: mean of the defined scores, in nats per token; NaN where there is "
            f"none.\n{_RESULTS}"
        )
        return module_info(self._about, _CITATION, inputs, urls=_URLS)

    def prepare(self, given: dict[str, Any]) -> None:
        """Load the models, once for the same parameters."""
        parameters = {**self.bound, **given}
        if self._metric is None or parameters != self._made_of:
            self._metric, self._made_of = self.metric_class(**parameters), parameters

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any] | None:
        """Compute the metric over `predictions` and whatever `add` and `add_batch` have collected."""
        if predictions is not None and self.writer is None:
            predictions = check_texts(predictions, "predictions", allow_empty=False)
        return super().compute(predictions=predictions, references=references, **kwargs)

    def score(self, predictions: list[str]) -> dict[str, Any]:
        """Return the scores of `predictions` and their mean."""
        assert self._metric is not None  # prepared before anything was collected
        return self._result(self._metric.score(predictions))

    def _result(self, scores: FluencyScores) -> dict[str, Any]:
        return {
            self.metric_class.name: scores.mean,
            "coverage": scores.coverage,
            "scores": scores.scores.tolist(),
            "n_tokens": scores.n_tokens.tolist(),
            "nce": scores.nce.tolist(),
            "perplexity": scores.perplexity.tolist(),
            "signature": scores.signature,
        }


class Wpslor(Slor):
    """`evaluate.load("wpslor")`: fluency of texts by a language model over WordPieces; see `WPSLOR`."""

    metric_class: ClassVar[type[SLOR]] = WPSLOR
    _about: ClassVar[str] = (
        "WPSLOR estimates how fluent a text is without references: how much likelier a language model finds it than "
        "its WordPieces, per piece."
    )


class RougeLM(Slor):
    """`evaluate.load("rouge_lm")`: overlap with references and fluency in one score; see `ROUGELM`."""

    parameters = Slor.parameters | {"statistics", "tokenize", "stem"}
    metric_class: ClassVar[type[SLOR]] = ROUGELM

    def _info(self) -> Any:
        about = (
            "ROUGE-LM adds two z-scores: ROUGE-L of a text with the best of its references, and WPSLOR, a language "
            "model's opinion of its fluency."
        )
        inputs = (
            "\nArgs:\n    predictions: the texts to score, a list of strings.\n"
            "    references: for each prediction a list of reference texts, or one reference text.\n"
            f"{_MODEL_INPUTS}"
            "    statistics: means and standard deviations for z, as an earlier result holds them; None: those of the "
            "predictions.\n"
            '    tokenize: tokenisation of ROUGE-L: "unicode", "rouge_score" or "none".\n'
            "    stem: whether ROUGE-L stems tokens.\n"
            "\nReturns:\n    rouge_lm: mean of the defined scores. With z over the predictions themselves it is 0: "
            "the scores rank them among one another; give `statistics` to compare sets.\n"
            f"{_RESULTS}"
            "    rouge_l: ROUGE-L of each with the best of its references.\n"
            "    wpslor: WPSLOR of each, in nats per token.\n"
            "    statistics: the means and standard deviations that z was taken with.\n"
        )
        return module_info(
            about, _CITATION, inputs, reference_feature=datasets.Sequence(datasets.Value("string")), urls=_URLS
        )

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any] | None:
        """Compute the metric over `predictions`, `references` and whatever was added before."""
        if predictions is not None:
            predictions = check_texts(predictions, "predictions")
            references = check_references(references, len(predictions))
        return super().compute(predictions=predictions, references=references, **kwargs)

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add predictions and their references to those that `compute` will score."""
        predictions = check_texts(predictions, "predictions")
        references = check_references(references, len(predictions))
        super().add_batch(predictions=predictions, references=references, **kwargs)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one prediction and its reference or references to those that `compute` will score."""
        prediction = kwargs.pop("predictions", prediction)  # the names under which `evaluate.combine` passes them
        reference = kwargs.pop("references", reference)
        super().add(prediction=prediction, reference=check_references([reference], 1, "reference")[0], **kwargs)

    def _compute(  # type: ignore[override]  # the references are what this metric adds
        self, predictions: list[str], references: list[list[str]], **_: Any
    ) -> dict[str, Any]:
        assert isinstance(self._metric, ROUGELM)
        result = self._metric.score(list(predictions), [list(texts) for texts in references])
        return {
            **self._result(result),
            "rouge_l": result.rouge_l.tolist(),
            "wpslor": result.wpslor.tolist(),
            "statistics": result.statistics.as_dict(),
        }
