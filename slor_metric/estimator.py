"""The metrics as objects: a language model and its unigram model, bound once, scoring any number of texts."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Annotated, Any

from referenceless_metrics.core.metric import UNKNOWN_RULES, check_references
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.validation import (
    Floats,
    Numbers,
    check_texts,
)
from slor_metric.formulas import MEASURES, WITHOUT_UNIGRAM, nce, perplexity
from slor_metric.language_models import load_language_model, load_unigram_model
from slor_metric.language_models.base import (
    LanguageModel,
    TextLikelihoods,
    UnigramModel,
    check_sources,
    read_likelihoods,
    reads_sources,
)
from slor_metric.language_models.known import MAX_UNKNOWN
from slor_metric.language_models.prose import Prose, packaged_prose
from slor_metric.language_models.vocabulary_model import VocabularyModel
from slor_metric.measures import MEASURE_FEATURES, FittedMeasure, MeasuredMetric, measure_features, read_measure
from slor_metric.pieces import LARGE_PIECE, read_in_pieces
from slor_metric.rouge.rouge_lm import TOKENIZERS, References, ZStatistics, rouge_l_of, rouge_lm, warn_if_even
from slor_metric.tokenizers.encoder import JoinedTexts


@dataclass(frozen=True)
class _ReadTexts:
    """n texts as a metric has read them: their likelihoods, and their prose if that is known."""

    likelihoods: TextLikelihoods
    prose: Prose | None


@dataclass(eq=False, repr=False)
class SLOR(MeasuredMetric):
    """Syntactic log-odds ratio: how much likelier a language model finds a text than its words taken alone, per token.

    SLOR(S) = (ln p_M(S) − ln p_u(S)) / |S| (Pauls & Klein 2012; Kann, Rothe & Filippova 2018, Eq. 1–2), with a language
    model M, the unigram probability p_u and the length |S| in the model's own tokens.

    Args:
        lm: `"default"` (the packaged n-gram model over words), another name, a path or an object with
            `token_logprobs`; see `slor_metric.language_models.load_language_model`.
        unigram: the unigram model: a path, an object with `logprobs`, or None for the one that the language model
            carries.
        lm_options: options for loading a language model that is given by name or path.
        unknown: treatment of text that the model does not know. ``"abstain"``: a text has no score if all its words are
            unknown, or a larger share than `max_unknown`, and an unknown token earns nothing by following another; with
            a packaged model, text of numbers and signs, of one letter or digit over and over, and of six words or more
            in another language has no score either, by the same rule as in `Fluency`. ``"score"``: the definition as
            published, under which unknown text can beat prose.
        max_unknown: the largest share of unknown words of a text that is scored; of unknown tokens if the model is not
            a packaged one (see `TextLikelihoods.unknown_share`).
        measure: the formula from log-probabilities to a score: one of `formulas.MEASURES`, or the result of `fit`, a
            `FittedMeasure` or its file. ``"slor"``: the formula above; ``"penlp"``: ln p_M(S) / ((5 + |S|) / 6)^0.8 (Wu
            et al. 2016; Lau et al. 2020), the better one for causal neural models; ``"meanlp"``: ln p_M(S) / |S|;
            ``"lp"``: ln p_M(S); ``"normlp"``: −ln p_M(S) / ln p_u(S); ``"powslor"``: (ln p_M(S) − 1.25 ln p_u(S)) /
            |S|^1.2, exponents that were fitted on rated sentences. ``"penlp"``, ``"meanlp"`` and ``"lp"`` do without a
            unigram model.
        n_jobs: threads of a model over n-grams, or of a recurrent one of this package; None for one, -1 for all
            processors. Scores do not depend on it.

    Attributes:
        measure_: the measure in use, a name or a `FittedMeasure`.

    Raises:
        TypeError: for an `lm` that is none of these.
        ValueError: for a model that cannot be found or read, one that carries no unigram model if none is given, an
            unknown rule `unknown`, or a `max_unknown` outside [0, 1].

    >>> scores = SLOR().predict(["the cat sat on the mat .", "mat the on sat cat the .", ""])
    >>> bool(scores.values[0] > scores.values[1]), scores.coverage.__round__(2)
    (True, 0.67)
    """

    #: The metric's name, as in results and signatures.
    name = "slor"
    #: The packaged model that `lm="default"` stands for.
    default_lm = "word"

    lm: str | LanguageModel = "default"
    _: KW_ONLY
    unigram: str | UnigramModel | None = None
    lm_options: Mapping[str, Any] | None = None
    unknown: Annotated[str, UNKNOWN_RULES] = "abstain"
    max_unknown: float = MAX_UNKNOWN
    measure: str | FittedMeasure = "slor"
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        self._check_rule()
        lm, measure = self.lm, self.measure
        self.language_model: LanguageModel = load_language_model(
            self.default_lm if isinstance(lm, str) and lm == "default" else lm, **(self.lm_options or {})
        )
        self.unigram_model: UnigramModel | None = None
        is_named = isinstance(measure, str) and measure in MEASURES
        if self.unigram is not None or not (is_named and measure in WITHOUT_UNIGRAM):
            self.unigram_model = load_unigram_model(self.unigram, self.language_model)
        self.measure_: str | FittedMeasure = (
            measure if is_named else read_measure(measure, MEASURE_FEATURES, self._models(), names=MEASURES)
        )

    def _models(self) -> str:
        """The models' part of the signature."""
        unigram = "none" if self.unigram_model is None else model_signature(self.unigram_model)
        return f"lm:{model_signature(self.language_model)}|unigram:{unigram}"

    def predict(self, texts: Iterable[str], *, references: Any = None, sources: Any = None) -> MetricResult:
        """Score texts.

        Args:
            texts: n texts, not a bare string. A text without tokens is undefined.
            references: ignored.
            sources: one source for each text, for p(text | source) in place of p(text). Causal and sequence-to-sequence
                models of transformers read sources; other language models ignore them.

        Returns:
            SLOR in nats per token, with further figures of one pass of the model as columns: `n_tokens`, the number of
            the model's own tokens in each text, int64; `nce`, ln p(text) / tokens, in nats; `perplexity`, exp(−nce);
            `unknown_share`, the share of words that a packaged model does not know, of tokens for another; and for a
            packaged model `looks_english` and `short`: whether a text has only one word or two.

        Raises:
            TypeError: for a bare string, or an item that is no string and no missing value.
            ValueError: if the number of sources is not the number of texts.

        Warns:
            ForeignTextWarning: if a packaged model scores texts of which most do not look English.
        """
        checked = JoinedTexts(check_texts(texts, "texts", missing=True))
        conditions = sources if reads_sources(self.language_model) else None
        result, prose = self._scored(checked, None if conditions is None else check_sources(conditions, len(checked)))
        if prose is not None:
            prose.warn_if_foreign(type(self).__name__)
        return result

    def _scored(self, texts: JoinedTexts, sources: list[str] | None = None) -> tuple[MetricResult, Prose | None]:
        """Return the result of texts, and their prose if it is known."""
        read = self._read(texts, sources)
        likelihoods, prose = read.likelihoods, read.prose
        model, n_tokens = self._model(likelihoods), likelihoods.n_tokens
        if isinstance(self.measure_, FittedMeasure):
            values = self.measure_(measure_features(model, likelihoods.unigram, n_tokens))
        else:
            values = MEASURES[self.measure_](model, likelihoods.unigram, n_tokens)
        reasons = self._abstain(values, texts, likelihoods, prose)
        columns: dict[str, Numbers] = {
            "n_tokens": n_tokens,
            "nce": nce(likelihoods.model, n_tokens),
            "perplexity": perplexity(likelihoods.model, n_tokens),
            "unknown_share": likelihoods.unknown_share,
        }
        if prose is not None:
            columns |= prose.columns
        return MetricResult(values, reasons, self.signature, columns), prose

    def _part_values(self, texts: list[str]) -> Floats:
        if self.unigram_model is None:
            raise ValueError(
                f"Expected a unigram model to fit a measure, but measure={self.measure!r} was made without one"
            )
        read = self._read(JoinedTexts(texts))
        likelihoods = read.likelihoods
        values = measure_features(self._model(likelihoods), likelihoods.unigram, likelihoods.n_tokens)
        self._abstain(values, texts, likelihoods, read.prose)
        return values

    def _read(self, texts: JoinedTexts, sources: list[str] | None = None) -> _ReadTexts:
        """Read texts; by a model over a vocabulary of its own some at a time, by another all at once."""

        def read_piece(piece: slice, _: int | None) -> _ReadTexts:
            part, of_part = texts.part(piece), None if sources is None else sources[piece]
            likelihoods = read_likelihoods(self.language_model, self.unigram_model, part, of_part)
            return _ReadTexts(likelihoods, self._prose(part))

        if isinstance(self.language_model, VocabularyModel):
            return read_in_pieces(read_piece, texts, self.n_jobs, LARGE_PIECE)
        return read_piece(slice(None), None)

    def _model(self, likelihoods: TextLikelihoods) -> Floats:
        """Return ln p_M of each text, less the surplus of unknown tokens, shape (n,)."""
        return likelihoods.model - likelihoods.unknown_surplus if self.abstains_ else likelihoods.model

    def _prose(self, texts: Sequence[str]) -> Prose | None:
        """Return the prose of texts, for a packaged model; None for another, whose language is not known."""
        return packaged_prose().read(texts) if getattr(self.language_model, "language", None) == "en" else None


def model_signature(model: object) -> str:
    """Return a model's signature, or the name of its class if it has none."""
    signature = getattr(model, "signature", None)
    return signature if isinstance(signature, str) else type(model).__name__


class WPSLOR(SLOR):
    """SLOR over WordPieces (Kann, Rothe & Filippova 2018): a small vocabulary, and hardly a word unknown.

    The arguments are those of `SLOR`; `lm="default"` is the packaged n-gram model over WordPieces.

    >>> scores = WPSLOR().predict(["the cat sat on the mat .", "mat the on sat cat the ."])
    >>> bool(scores.values[0] > scores.values[1])
    True
    """

    name = "wpslor"
    default_lm = "wordpiece"


@dataclass(eq=False, repr=False, kw_only=True)
class ROUGELM(WPSLOR):
    """ROUGE-LM (Kann, Rothe & Filippova 2018): z(ROUGE-L-mult) + z(WPSLOR).

    z is taken over the set that is scored, so that the scores rank the texts of that set and their mean is zero.
    To compare systems, score all their outputs together, or take the `statistics` of one result for the others.

    Args:
        lm: as in `WPSLOR`.
        unigram: as in `SLOR`.
        lm_options: as in `SLOR`.
        unknown: as in `SLOR`.
        max_unknown: as in `SLOR`.
        measure: as in `SLOR`.
        n_jobs: as in `SLOR`, and of ROUGE-L.
        statistics: the means and standard deviations for z (see `ZStatistics`); None for those of the scored set.
        tokenize: the tokeniser of ROUGE-L; see `slor_metric.rouge.rouge_lm.get_tokeniser`.
        stem: whether ROUGE-L stems tokens (English; extra `rouge`).

    Raises:
        TypeError: as in `SLOR`, and for `statistics` that are no mapping of numbers.
        ValueError: as in `SLOR`, and for an unknown tokeniser.

    >>> texts, references = ["a cat sat .", "sat cat a ."], [["the cat sat ."], ["the cat sat ."]]
    >>> result = ROUGELM().predict(texts, references=references)
    >>> bool(result.values[0] > result.values[1])
    True
    """

    name = "rouge_lm"
    needs_references = True

    statistics: ZStatistics | Mapping[str, float] | None = None
    tokenize: Annotated[str, tuple(TOKENIZERS)] = "unicode"
    stem: bool = False

    def __post_init__(self) -> None:
        self.statistics_ = None if self.statistics is None else ZStatistics.from_dict(self.statistics)
        self.rouge_l_ = partial(rouge_l_of, tokenize=self.tokenize, stem=self.stem, n_jobs=self.n_jobs)
        self.rouge_l_([], [])  # an error now if the options are wrong
        super().__post_init__()

    @property
    def signature(self) -> str:
        """Name, models and version, in the form of sacrebleu's signatures."""
        z = "set" if self.statistics_ is None else "given"
        options = self.rouge_l_.keywords
        stem = "yes" if options["stem"] else "no"
        head, _, version = super().signature.rpartition("|")
        return f"{head}|rouge_tok:{options['tokenize']}|stem:{stem}|z:{z}|{version}"

    @property
    def set_dependent(self) -> bool:
        """Whether z is taken over the scored set, so that a text's score depends on the others."""
        return self.statistics_ is None

    def fixed(self, result: MetricResult) -> ROUGELM:
        """Return this metric on the scale of a result, whose `statistics` it takes; the models are shared."""
        twin = copy.copy(self)
        twin.statistics = twin.statistics_ = result.details["statistics"]
        return twin

    def predict(
        self, texts: Iterable[str], *, references: References | None = None, sources: Any = None
    ) -> MetricResult:
        """Score texts against references.

        Args:
            texts: n texts, not a bare string.
            references: for each text a list of reference texts (their numbers may differ), or one reference text.
            sources: ignored.

        Returns:
            One score per text, undefined if WPSLOR is, with the columns of `WPSLOR` and its two parts, `rouge_l`
            (ROUGE-L-mult) and `wpslor` (in nats per token), and the detail `statistics`, with which z was taken.
            Without fixed `statistics` the mean is 0 by construction and says nothing of the set: the detail `parts`
            holds the means of ROUGE-L-mult and WPSLOR, which do.

        Raises:
            TypeError: for a bare string, or an item that is no string and no missing value.
            ValueError: for missing references, or a number of references that is not that of the texts.

        Warns:
            EvenFluencyWarning: if WPSLOR varies little beside ROUGE-L, so that ROUGE-L alone may do better.
        """
        checked = JoinedTexts(check_texts(texts, "texts", missing=True))
        lists = check_references(references, len(checked))
        rouge_l = self.rouge_l_(checked, lists)
        fluency, prose = self._scored(checked)
        if prose is not None:
            prose.warn_if_foreign(type(self).__name__)
        of_set = ZStatistics.of(rouge_l, fluency.values)
        warn_if_even(of_set, int(fluency.covered.sum()))
        statistics = self.statistics_ or of_set
        details: dict[str, Any] = {"statistics": statistics}
        if self.statistics_ is None:  # the mean of these z-scores is 0 whatever the texts are
            details["parts"] = {"rouge_l": of_set.rouge_l_mean, "wpslor": of_set.wpslor_mean}
        return MetricResult(
            rouge_lm(rouge_l, fluency.values, statistics),
            fluency.reasons,
            self.signature,
            {**fluency.columns, "rouge_l": rouge_l, "wpslor": fluency.values},
            details,
        )
