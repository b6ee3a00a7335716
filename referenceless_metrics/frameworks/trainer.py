"""Metrics of generated texts for the `compute_metrics` argument of Transformers' trainers.

For `Seq2SeqTrainer` with `predict_with_generate`, or any trainer whose predictions are token ids. Every metric is
reported at every evaluation, and is NaN if too little is covered: the trainer compares NaN with the best value so far
and never takes it for better, whereas a key that is missing, or None, stops the training. Models early in training
generate many empty texts, so this is the usual case and not a rare one; and a checkpoint that writes one good text and
many that resemble no rated text must not win by that one.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
from sacrebleu.metrics import BLEU
from sacrebleu.metrics.base import Metric

from referenceless_metrics.assessment.few_different import few_different, n_different
from referenceless_metrics.core.metric import Metric as TextMetric
from referenceless_metrics.core.metric import (
    check_metric,
    least_coverage_of,
    scale_warning,
    score_texts,
    worth_of,
    worth_warning,
)
from referenceless_metrics.core.results import covered_mean
from referenceless_metrics.core.support.validation import Numbers, Record, check_number, check_texts, describe

DISTINCT_OUTPUTS = "distinct_outputs"
"""Name of the share of different texts among those that were generated."""

_FROM_INPUTS = (
    "%s: reads sources, and takes the model's inputs for them, decoded, in which a tokenizer may have changed spaces, "
    'case and words: give sources= as the data set has them, or train with include_for_metrics=["inputs"]'
)
"""Warning on metrics that read sources, if none are given."""

_LOGGER = logging.getLogger(__name__)


class GenerationMetrics:
    """Decode the texts that a trainer's evaluation generated, and report metrics of them.

    The trainer prefixes the names: `eval_bleu_neighbors`, `eval_bleu_neighbors_coverage`, `eval_bleu`.

    Args:
        tokenizer: the tokenizer (or processor) whose `batch_decode` makes texts of token ids.
        metrics: metrics of this project (a fitted `BLEUNeighbors`, `WPSLOR()`, …), each reported with its coverage, and
            metrics of sacrebleu (`BLEU()`, `CHRF()`, `TER()`). The worth of estimates of ratings is logged once, here:
            as a warning unless they are useful. A warning here also tells of a metric that is relative to the texts
            that are scored together (ROUGE-LM without `statistics`).
        references: the references as the data set for evaluation has them, one for each row, in its order; None for
            the decoded labels, in which a tokenizer may have changed spaces or case, and lost unknown words, so that
            BLEU of them is another than that of the references themselves.
        sources: the same of the sources, for metrics that read them; None for the model's inputs, decoded, with the
            same losses, as a warning here tells: train with `include_for_metrics=["inputs"]`.
        bleu: whether to put sacrebleu's BLEU beside them, unless it is one of them.
        min_coverage: with less coverage than this a metric of this project is NaN; None for one half, and for no such
            bound with the published setting of BLEU Neighbors. Why a metric is NaN is logged once, as is that outputs
            are rated texts themselves.

    The share of different texts is reported, too (`eval_distinct_outputs`). A warning at each evaluation tells of fewer
    than half as many different texts as different references or inputs. The attribute `texts` holds those of the latest
    evaluation, for callbacks that keep them.

    Raises:
        TypeError: for a tokenizer without `batch_decode`, a metric that is none of sacrebleu's kind, or several
            references of a row.
        ValueError: for no metrics, two of one name, a `min_coverage` outside [0, 1], or a metric whose values compare
            the texts of one input.
    """

    def __init__(
        self,
        tokenizer: Any,
        *metrics: Any,
        references: Sequence[str] | None = None,
        sources: Sequence[str] | None = None,
        bleu: bool = True,
        min_coverage: float | None = None,
    ) -> None:
        if not callable(getattr(tokenizer, "batch_decode", None)):
            raise TypeError(f"Expected argument `tokenizer` to have `batch_decode`, but got {describe(tokenizer)}")
        if bleu and not any(isinstance(metric, BLEU) for metric in metrics):
            metrics = (*metrics, BLEU())
        if not metrics:
            raise ValueError("Expected at least one metric, such as BLEU(), but got none")
        if min_coverage is not None:
            check_number(min_coverage, "min_coverage", 0, 1)
        self.tokenizer = tokenizer
        self.min_coverage = min_coverage
        self.references = None if references is None else check_texts(_one_for_each_row(references), "references")
        self.sources = None if sources is None else check_texts(sources, "sources")
        self.texts: list[str] = []
        self._told: set[tuple[str, str]] = set()
        self.metrics: Record = {}
        for metric in metrics:
            metric = getattr(metric, "metric", metric)  # of one in its sacrebleu form
            name = type(metric).__name__.lower() if isinstance(metric, Metric) else check_metric(metric).name
            if name in (*self.metrics, DISTINCT_OUTPUTS):
                raise ValueError(f"Expected argument `metrics` to hold one metric of each name, but {name!r} is twice")
            self.metrics[name] = metric
            if getattr(metric, "set_dependent", False):
                _tell_of_scale(name, metric)
            worth, warning = worth_of(metric), worth_warning(metric)
            if worth is not None:
                _LOGGER.log(logging.INFO if warning is None else logging.WARNING, "%s: %s", name, worth)
        reading = [name for name, metric in self.metrics.items() if getattr(metric, "needs_sources", False)]
        self._reads_sources = bool(reading)
        if reading and sources is None:
            _LOGGER.warning(_FROM_INPUTS, ", ".join(reading))

    def __call__(self, prediction: Any) -> dict[str, float]:
        """Return the metrics of an `EvalPrediction`.

        Args:
            prediction: an `EvalPrediction`, or a pair of predictions and label ids, both token ids of shape
                (n, length); negative ids are padding.

        Raises:
            TypeError: for predictions that are not token ids.
            ValueError: for missing labels or inputs if a metric reads them, not one row of them for each text, and
                given references or sources in another order.
        """
        if not hasattr(prediction, "predictions"):
            prediction = SimpleNamespace(predictions=prediction[0], label_ids=prediction[1])
        texts = self.texts = self.decode(prediction.predictions)
        labels, inputs = prediction.label_ids, getattr(prediction, "inputs", None)
        references = None if labels is None else self._decode(labels, "label_ids", len(texts))
        if self._reads_sources and inputs is None and self.sources is None:
            raise ValueError(
                "Expected the sources of the texts, but got none: give generation_metrics sources= as the data set has "
                'them, or train with include_for_metrics=["inputs"], which are then decoded for them'
            )
        ids = inputs["input_ids"] if isinstance(inputs, dict) else inputs
        sources = None if ids is None else self._decode(ids, "inputs", len(texts))
        self._warn_of_repeated(texts, references, sources)
        if self.references is not None:
            _check_order("references", self.references, "labels", references, len(texts))
            references = self.references
        if self.sources is not None:
            _check_order("sources", self.sources, "inputs", sources, len(texts))
            sources = self.sources
        return self.compute(texts, references, sources)

    def decode(self, ids: Any) -> list[str]:
        """Return generated texts, such as those of `trainer.predict(data).predictions`, without padding.

        Raises:
            TypeError: for predictions that are not token ids.
        """
        return self._decode(ids, "predictions")

    def _warn_of_repeated(self, texts: list[str], references: list[str] | None, inputs: list[str] | None) -> None:
        """Warn once if every text repeats what the model was given, as those of a decoder-only model do uncut.

        Args:
            texts: n generated texts.
            references: the reference of each; None if there are none.
            inputs: what the model read for each; None if it is not known.
        """
        begin_so = inputs and all(given and text.startswith(given) for text, given in zip(texts, inputs, strict=True))
        hold = references and all(given and given in text for text, given in zip(texts, references, strict=True))
        told = ("texts", "repeated")
        if not (begin_so or hold) or told in self._told:
            return
        self._told.add(told)
        _LOGGER.warning(
            "every generated text %s: a decoder-only model returns its input before what it wrote. Evaluate it on "
            "prompts without their references, and cut these: predictions[:, prompt_length:]",
            "begins with its input" if begin_so else "holds its reference word for word",
        )

    def compute(
        self, texts: list[str], references: list[str] | None = None, sources: list[str] | None = None
    ) -> dict[str, float]:
        """Return the metrics of texts, under the same names for any texts at all.

        Args:
            texts: n generated texts; empty ones are not covered.
            references: n references; None if no metric reads any.
            sources: the source of each text; None if no metric reads any.

        Raises:
            ValueError: for missing references or sources.
        """
        few = few_different(texts, {"references": references, "inputs": sources})
        if few:
            _LOGGER.warning("%s. Choose no checkpoint by such a metric alone", few)
        results: dict[str, float] = {}
        for name, metric in list(self.metrics.items()):
            is_ours = isinstance(metric, TextMetric)
            if references is None and (not is_ours or metric.needs_references):
                raise ValueError(
                    f"Expected references, which {name} reads, but got neither them nor labels: evaluate data with "
                    f"labels, or leave {name} out{' (bleu=False)' if isinstance(metric, BLEU) else ''}"
                )
            if is_ours:
                result = score_texts(metric, texts, references, sources)
                least = self.min_coverage
                if least is None:
                    least = least_coverage_of(metric)
                results[name], told = covered_mean(result, least)
                results[f"{name}_coverage"] = result.coverage
                for kind, warning in told.items():
                    if (name, kind) not in self._told:
                        self._told.add((name, kind))
                        _LOGGER.warning("%s: %s", name, warning)
                if getattr(metric, "set_dependent", False) and result.covered.any():
                    self.metrics[name] = metric.fixed(result)  # later evaluations are on the scale of the first
            else:
                results[name] = float(metric.corpus_score(texts, [references]).score)
        results[DISTINCT_OUTPUTS] = n_different(texts) / len(texts) if texts else math.nan
        return results

    def _decode(self, ids: Any, name: str, n_texts: int | None = None) -> list[str]:
        rows = _token_ids(ids, name)
        if n_texts not in (None, len(rows)):
            raise ValueError(f"Expected one row of `{name}` for each of {n_texts} texts, but got {len(rows)}")
        decoded: Iterable[str] = self.tokenizer.batch_decode(rows, skip_special_tokens=True)
        return [text.strip() for text in decoded]


def _tell_of_scale(name: str, metric: TextMetric) -> None:
    """Log that a metric is on the scale of the first evaluation.

    Raises:
        ValueError: for a metric that has no such scale, since its values compare the texts of one input.
    """
    warning = scale_warning(metric)
    if warning is None:
        raise ValueError(
            f"Expected metrics of texts for different inputs, but {metric.name} compares the candidates of one input: "
            "`rerank` chooses among these"
        )
    _LOGGER.warning("%s: %s", name, warning)


def _one_for_each_row(references: Any) -> Any:
    """Return the references after checking that no row has a list of them, as a row has one label.

    Raises:
        TypeError: for a list in place of a reference.
    """
    if isinstance(references, Sequence) and any(isinstance(row, (list, tuple)) for row in references):
        raise TypeError(
            "Expected argument `references` to hold one reference for each row, but got lists of them: give the one "
            "that is the row's label. With several, save the outputs of the evaluation (the attribute `texts`), and "
            "name a file for each reference: referenceless compare SYSTEMS --metric bleu --references FILE "
            "--references FILE"
        )
    return references


def _check_order(name: str, given: Sequence[str], kind: str, decoded: Sequence[str] | None, n_texts: int) -> None:
    """Check that texts are those of the rows that were evaluated, as far as their decoded ids tell.

    Decoded ids whose letters and digits begin the row's own text (they may be cut) speak for the order, and those that
    have those of another row's text against it. Ids that lost unknown words may do so, too, but not most.

    Args:
        name: the argument that gave the texts.
        given: the texts.
        kind: the kind of the ids: labels or inputs.
        decoded: what they were decoded to; None if the data has none.
        n_texts: number of rows that were evaluated.

    Raises:
        ValueError: for another number of texts than of rows, and for another order.
    """
    one = name.removesuffix("s")
    if len(given) != n_texts:
        raise ValueError(
            f"Expected argument `{name}` to hold the {one} of each of the {n_texts} rows that were evaluated, "
            f"but got {len(given)}: one object is for one data set, in its order, without the rows by which "
            f"`torchrun` fills up batches. For another set put trainer.compute_metrics = "
            f"generation_metrics(…, {name}=…) with the {name} of that set before it is evaluated; if training "
            f"evaluates several sets (a dict as `eval_dataset`), leave `{name}` out: the decoded "
            f"{kind} of each set are taken"
        )
    letters = list(map(_letters_of, given))
    known = set(letters)
    read = list(map(_letters_of, decoded or ()))
    own = [row for row, of_row in enumerate(read) if of_row and letters[row].startswith(of_row)]
    of_others = [row for row, of_row in enumerate(read) if of_row in known and not letters[row].startswith(of_row)]
    if len(of_others) > len(own):
        row = of_others[0]
        raise ValueError(
            f"Expected argument `{name}` to be in the order of the rows that were evaluated, but the {kind} of "
            f"{len(of_others)} rows are the {name} of other rows; that of row {row} is not {given[row][:40]!r}"
        )


def _letters_of(text: str) -> str:
    """Return the letters and digits of a text in small letters, which spaces and punctuation do not change."""
    return "".join(character for character in text.lower() if character.isalnum())


def _token_ids(ids: Any, name: str) -> list[list[int]]:
    """Return token ids without their padding, one list per text."""
    if isinstance(ids, tuple):  # a model with several outputs; the first are the predictions
        ids = ids[0]
    array: Numbers = np.asarray(ids)
    if array.ndim != 2 or not np.issubdtype(array.dtype, np.integer):
        raise TypeError(
            f"Expected `{name}` to be ids of generated texts, shape (n, length), but got {array.dtype} of shape "
            f"{array.shape}; use Seq2SeqTrainer with predict_with_generate=True. The likeliest id at each place "
            "(argmax of logits) makes no generated text: it is guessed after the reference's own words"
        )
    return [row[row >= 0].tolist() for row in array]  # the padding of labels is -100
