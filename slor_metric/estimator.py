"""The metrics as objects: a language model and its unigram model, bound once, scoring any number of texts."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.metric import check_references
from metric_commons.results import EMPTY, NO_TOKENS, MetricResult, reasons_for
from metric_commons.support.installation import project_version
from metric_commons.support.validation import check_choice, check_number, check_quality, check_texts, describe
from slor_metric.formulas import nce, perplexity, slor
from slor_metric.language_models import load_language_model, load_unigram_model
from slor_metric.language_models.base import GivenSources, LanguageModel, UnigramModel, check_sources
from slor_metric.language_models.known import MAX_UNKNOWN, NO_KNOWN, TOO_MANY_UNKNOWN
from slor_metric.language_models.language import looks_english, warn_if_foreign
from slor_metric.language_models.likelihoods import TextLikelihoods, read_likelihoods
from slor_metric.links import LINK_FEATURES, FittedLink, check_link, fit_link, link_features, needs_unigram, penlp
from slor_metric.rouge.rouge_l import References, rouge_l_mult
from slor_metric.rouge.rouge_lm import ZStatistics, rouge_lm, warn_if_even
from slor_metric.rouge.tokenize import Tokenise

OOV_RULES = ("abstain", "score")


class SLOR:
    """Syntactic log-odds ratio: how much likelier a text is than its words, per token.

    SLOR(S) = (ln p_M(S) − ln p_u(S)) / |S| (Pauls & Klein 2012; Kann, Rothe & Filippova 2018, Eq. 1–2), with a language
    model M, the unigram probability p_u and the length |S| in the model's own tokens.

    Args:
        lm: `"default"` (the packaged n-gram model over words), another name, a path or an object with
            `token_logprobs`; see `slor_metric.language_models.load_language_model`.
        unigram: the unigram model: a path, an object with `logprobs`, or None for the one that the language model
            carries.
        lm_options: options for loading a language model that is given by name or path.
        oov: what happens to text that the model does not know. ``"abstain"``: a text has no score where all its tokens
            are unknown, or a larger share than `max_unknown`; elsewhere an unknown token earns nothing by following
            another.
            ``"score"``: the definition as published, under which unknown text can beat prose.
        max_unknown: the largest share of unknown tokens of a text that is scored (see `TextLikelihoods.unknown_share`).
        link: from log-probabilities to a score: ``"slor"``, ``"penlp"``, ``"nce"``, or what `fit` learned, a
            `FittedLink` or its file. ``"slor"`` is the formula above; ``"penlp"``: ln p_M(S) / ((5 + |S|) / 6)^0.8 (Wu
            et al. 2016; Lau et al. 2020), the better one for causal neural models, and ``"nce"``: ln p_M(S) / |S|, both
            without a unigram model.

    Attributes:
        link_: the link in use, a name or a `FittedLink`.

    Raises:
        TypeError: for an `lm` that is none of these.
        ValueError: for a model that cannot be found or read, one that carries no unigram model where none is given, an
            unknown `oov`, or a `max_unknown` outside [0, 1].

    >>> scores = SLOR().score(["the cat sat on the mat .", "mat the on sat cat the .", ""])
    >>> bool(scores.values[0] > scores.values[1]), scores.coverage.__round__(2)
    (True, 0.67)
    """

    #: The metric's name, as in results and signatures.
    name: ClassVar[str] = "slor"
    needs_references: ClassVar[bool] = False
    needs_sources: ClassVar[bool] = False
    #: The packaged model that `lm="default"` stands for.
    default_lm: ClassVar[str] = "word"

    def __init__(
        self,
        lm: str | LanguageModel = "default",
        *,
        unigram: str | UnigramModel | None = None,
        lm_options: Mapping[str, Any] | None = None,
        oov: Annotated[str, OOV_RULES] = "abstain",
        max_unknown: float = MAX_UNKNOWN,
        link: str | FittedLink = "slor",
    ) -> None:
        check_choice(oov, "oov", OOV_RULES)
        check_number(max_unknown, "max_unknown", minimum=0, maximum=1)
        self.oov = oov
        self.max_unknown = max_unknown
        self.lm = lm
        self.unigram = unigram
        self.lm_options = lm_options
        self.language_model: LanguageModel = load_language_model(
            self.default_lm if isinstance(lm, str) and lm == "default" else lm, **(lm_options or {})
        )
        self.unigram_model: UnigramModel | None = None
        if unigram is not None or needs_unigram(link):
            self.unigram_model = load_unigram_model(unigram, self.language_model)
        self.link = link
        self.link_ = check_link(link, self._models)

    @property
    def _models(self) -> str:
        """The models' part of the signature."""
        unigram = "none" if self.unigram_model is None else model_signature(self.unigram_model)
        return f"lm:{model_signature(self.language_model)}|unigram:{unigram}"

    @property
    def signature(self) -> str:
        """What is computed, with which models and version, in the form of sacrebleu's signatures."""
        parts = (
            f"metric:{self.name}",
            self._models,
            f"link:{self.link_ if isinstance(self.link_, str) else self.link_.signature}",
            "oov:score" if self.oov == "score" else f"oov:abstain>{self.max_unknown:g}",
            f"version:{project_version()}",
        )
        return "|".join(parts)

    def score(self, texts: Iterable[str], *, sources: Iterable[str] | None = None) -> MetricResult:
        """Score texts.

        Args:
            texts: n texts, not a bare string. A text without tokens is undefined.
            sources: one source a text, for p(text | source) in place of p(text): only for language models that read
                sources, which are causal and sequence-to-sequence models of transformers.

        Returns:
            SLOR in nats a token, with what else one pass of the model tells as columns: `n_tokens`, the number of the
            model's own tokens in each text, int64; `nce`, ln p(text) / tokens, in nats; `perplexity`, exp(−nce);
            `unknown_share`, the share of tokens that the model does not know; and for a packaged model `looks_english`.

        Raises:
            TypeError: for a bare string or an item that is no string, or sources for a model that reads none.
            ValueError: for sources of another number than the texts.

        Warns:
            ForeignTextWarning: where a packaged model scores texts of which most do not look English.
        """
        checked = check_texts(texts, "texts")
        language_model = self.language_model
        if sources is not None:
            language_model = GivenSources(language_model, check_sources(sources, len(checked)))
        found = read_likelihoods(language_model, self.unigram_model, checked)
        model, n_tokens = found.model, found.n_tokens
        values = self._linked(found)
        reasons = self._reasons(checked, found)
        values[np.array([reason is not None for reason in reasons], dtype=np.bool_)] = np.nan
        columns: dict[str, NDArray[Any]] = {
            "n_tokens": n_tokens,
            "nce": nce(model, n_tokens),
            "perplexity": perplexity(model, n_tokens),
            "unknown_share": found.unknown_share,
        }
        if getattr(self.language_model, "language", None) == "en":
            columns["looks_english"] = looks_english(checked)
            warn_if_foreign(checked, columns["looks_english"], type(self).__name__)
        return MetricResult(values, reasons, self.signature, columns)

    def fit(self, texts: Iterable[str], ratings: ArrayLike) -> Self:
        """Learn a link from ratings: how far to leave SLOR for the unigram model and the length.

        What it gained, and how much of that is length alone, stands in `link_.agreement` and `link_.summary`;
        `link_.save` keeps it, and `SLOR(link=path)` takes it up again.

        Args:
            texts: n texts, not a bare string; those without a score are left out.
            ratings: what people said of each, shape (n,), higher is better, in any unit.

        Returns:
            The metric itself, with the fitted `link_`; scores have SLOR's unit.

        Raises:
            TypeError: for a bare string, an item that is no string, or ratings that are no numbers.
            ValueError: for unequal lengths, fewer than 20 texts with a score, ratings that do not vary, or a metric
                without a unigram model.
        """
        checked = check_texts(texts, "texts", allow_empty=False)
        rated = check_quality(ratings, "ratings", length=len(checked))
        if self.unigram_model is None:
            raise ValueError(f"Expected a unigram model to fit a link, but link={self.link!r} was made without one")
        found = read_likelihoods(self.language_model, self.unigram_model, checked)
        values = link_features(self._model(found), found.unigram, found.n_tokens)
        values[np.array([reason is not None for reason in self._reasons(checked, found)], dtype=np.bool_)] = np.nan
        self.link_ = fit_link(LINK_FEATURES, values, rated, self._models)
        return self

    def _model(self, found: TextLikelihoods) -> NDArray[np.float64]:
        """Return ln p_M of each text, less what unknown tokens may not earn, shape (n,)."""
        return found.model if self.oov == "score" else found.model - found.unearned

    def _linked(self, found: TextLikelihoods) -> NDArray[np.float64]:
        model = self._model(found)
        if self.link_ == "slor":
            return slor(model, found.unigram, found.n_tokens)
        if self.link_ == "penlp":
            return penlp(model, found.n_tokens)
        if self.link_ == "nce":
            return nce(model, found.n_tokens)
        assert isinstance(self.link_, FittedLink)
        return self.link_(link_features(model, found.unigram, found.n_tokens))

    def _reasons(self, texts: list[str], found: TextLikelihoods) -> tuple[str | None, ...]:
        spaces = np.fromiter(map(str.isspace, texts), np.bool_, len(texts))
        masks = {
            EMPTY: spaces | (np.fromiter(map(len, texts), np.int64, len(texts)) == 0),
            NO_TOKENS: found.n_tokens == 0,
        }
        if self.oov == "abstain":
            masks |= {
                NO_KNOWN: found.unknown_share == 1,
                TOO_MANY_UNKNOWN: found.unknown_share > self.max_unknown,
            }
        return reasons_for(len(texts), masks)

    def predict(self, texts: Iterable[str], *, references: Any = None, sources: Any = None) -> MetricResult:
        """Score texts, as `score` does; references and sources are ignored."""
        return self.score(texts)


def model_signature(model: object) -> str:
    """Return a model's signature, or its class's name where it has none."""
    signature = getattr(model, "signature", None)
    return signature if isinstance(signature, str) else type(model).__name__


class WPSLOR(SLOR):
    """SLOR over WordPieces (Kann, Rothe & Filippova 2018): a small vocabulary, and hardly a word unknown.

    The arguments are those of `SLOR`; `lm="default"` is the packaged n-gram model over WordPieces.

    >>> scores = WPSLOR().score(["the cat sat on the mat .", "mat the on sat cat the ."])
    >>> bool(scores.values[0] > scores.values[1])
    True
    """

    name: ClassVar[str] = "wpslor"
    default_lm: ClassVar[str] = "wordpiece"


class ROUGELM(WPSLOR):
    """ROUGE-LM (Kann, Rothe & Filippova 2018): z(ROUGE-L-mult) + z(WPSLOR).

    z is taken over the set that is scored, so that the scores rank the texts of that set and their mean is zero.
    To compare systems, score all their outputs together, or take the `statistics` of one result for the others.

    Args:
        lm: as in `WPSLOR`.
        unigram: as in `SLOR`.
        lm_options: as in `SLOR`.
        oov: as in `SLOR`.
        max_unknown: as in `SLOR`.
        link: as in `SLOR`.
        statistics: the means and standard deviations for z (see `ZStatistics`); None for those of the scored set.
        tokenize: the tokeniser of ROUGE-L; see `slor_metric.rouge.tokenize.get_tokeniser`.
        stem: whether ROUGE-L stems tokens (English; extra `rouge`).

    Raises:
        TypeError: as in `SLOR`, and for `statistics` that are no mapping of numbers.
        ValueError: as in `SLOR`, and for an unknown tokeniser.

    >>> texts, references = ["a cat sat .", "sat cat a ."], [["the cat sat ."], ["the cat sat ."]]
    >>> result = ROUGELM().score(texts, references)
    >>> bool(result.values[0] > result.values[1])
    True
    """

    name: ClassVar[str] = "rouge_lm"
    needs_references: ClassVar[bool] = True

    def __init__(
        self,
        lm: str | LanguageModel = "default",
        *,
        unigram: str | UnigramModel | None = None,
        lm_options: Mapping[str, Any] | None = None,
        oov: Annotated[str, OOV_RULES] = "abstain",
        max_unknown: float = MAX_UNKNOWN,
        link: str | FittedLink = "slor",
        statistics: ZStatistics | Mapping[str, float] | None = None,
        tokenize: str | Tokenise = "unicode",
        stem: bool = False,
    ) -> None:
        self.statistics = None if statistics is None else ZStatistics.from_dict(statistics)
        self.tokenize = tokenize
        self.stem = stem
        rouge_l_mult([], [], tokenize=tokenize, stem=stem)  # says now what is wrong with the options
        super().__init__(lm, unigram=unigram, lm_options=lm_options, oov=oov, max_unknown=max_unknown, link=link)

    @property
    def signature(self) -> str:
        """What is computed, with which models and version."""
        tokenizer = self.tokenize if isinstance(self.tokenize, str) else describe(self.tokenize)
        z = "set" if self.statistics is None else "given"
        head, _, version = super().signature.rpartition("|")
        return f"{head}|rouge_tok:{tokenizer}|stem:{'yes' if self.stem else 'no'}|z:{z}|{version}"

    @property
    def set_dependent(self) -> bool:
        """Whether z is taken over the scored set, so that a text's score depends on the others."""
        return self.statistics is None

    def fixed(self, result: MetricResult) -> ROUGELM:
        """Return this metric on the scale of a result, whose `statistics` it takes; the models are shared."""
        twin = copy.copy(self)
        twin.statistics = result.details["statistics"]
        return twin

    def score(  # type: ignore[override]  # the references are what this metric adds
        self, texts: Iterable[str], references: References
    ) -> MetricResult:
        """Score texts against references.

        Args:
            texts: n texts, not a bare string.
            references: for each text a list of reference texts (their numbers may differ), or one reference text.

        Returns:
            One score a text, undefined where WPSLOR is, with the columns of `WPSLOR` and its two parts, `rouge_l`
            (ROUGE-L-mult) and `wpslor` (in nats a token), and the detail `statistics` that z was taken with. Without
            fixed `statistics` the mean is 0 by construction and says nothing of the set: the detail `parts` holds the
            means of ROUGE-L-mult and WPSLOR, which do.

        Raises:
            TypeError: for a bare string or an item that is no string.
            ValueError: for missing references, or a number of references that is not that of the texts.

        Warns:
            EvenFluencyWarning: where WPSLOR varies little beside ROUGE-L, so that ROUGE-L alone may do better.
        """
        checked = check_texts(texts, "texts")
        lists = check_references(references, len(checked))
        rouge_l = rouge_l_mult(checked, lists, tokenize=self.tokenize, stem=self.stem)
        fluency = super().score(checked)
        own = ZStatistics.of(rouge_l, fluency.values)
        warn_if_even(own, int(fluency.covered.sum()))
        statistics = self.statistics or own
        details: dict[str, Any] = {"statistics": statistics}
        if self.statistics is None:  # the mean of these z-scores is 0 whatever the texts are
            details["parts"] = {"rouge_l": own.rouge_l_mean, "wpslor": own.wpslor_mean}
        return MetricResult(
            rouge_lm(rouge_l, fluency.values, statistics),
            fluency.reasons,
            self.signature,
            {**fluency.columns, "rouge_l": rouge_l, "wpslor": fluency.values},
            details,
        )

    def predict(self, texts: Iterable[str], *, references: Any = None, sources: Any = None) -> MetricResult:
        """Score texts against references, as `score` does; sources are ignored."""
        return self.score(texts, references)
