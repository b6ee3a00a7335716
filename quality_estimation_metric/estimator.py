"""Quality estimation: what people would rate a text, learned from texts that they rated (Dušek et al. 2017)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from quality_estimation_metric.evaluation import (
    Evaluation,
    cross_validate,
    left_out_verdict,
    part_estimates,
    source_control,
)
from quality_estimation_metric.fitted import FittedEstimator
from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.kernel_model.model import KernelModel
from quality_estimation_metric.model_files.file import FITTED, as_rated
from quality_estimation_metric.models import KERNEL, trained_model
from quality_estimation_metric.rated_inputs import (
    LEAST_TEXTS,
    check_parameters,
    check_rated_texts,
    content_digest,
    group_numbers,
    known_slots,
    near_copies_of_readings,
    parse_sources,
    ratings_to_learn_from,
    rows_of,
    sources_as_fitted,
    unseen_slots,
)
from quality_estimation_metric.sources import Source, Triples
from quality_estimation_metric.sources.slot_errors import choose_scope
from referenceless_metrics.assessment.agreement import GROUPS, NEAR_COPIES, SYSTEMS, TEXTS
from referenceless_metrics.assessment.assessment import left_out_estimates
from referenceless_metrics.assessment.conformal import check_level
from referenceless_metrics.assessment.folds import check_groups, number_groups
from referenceless_metrics.assessment.rater_ceiling import rater_ceiling
from referenceless_metrics.assessment.rating_estimator import FILL_METHODS
from referenceless_metrics.core.metric import UNKNOWN_RULES
from referenceless_metrics.core.registry import cite
from referenceless_metrics.core.results import EMPTY, MetricResult, mark_rated, reasons_for
from referenceless_metrics.core.support.installation import project_version
from referenceless_metrics.core.support.validation import Floats, Integers, NotFittedError, check_texts, check_whole

LONGEST = 50_000
"""Characters of a text, beyond which it is no output to be rated, and reading it takes seconds."""

TOO_LONG = f"longer than {LONGEST:,} characters"


@dataclass(eq=False, repr=False)
class QualityEstimator(FittedEstimator):
    """Estimate what people would rate a text, from texts that they rated, with an interval for each text.

    With sources (meaning representations, facts, records, plain text; see `parse_mr`), values of the source become
    placeholders and how the text fits its source counts too. Without, the text speaks for itself. An estimate holds
    for texts like those that were rated: another system or another domain may be rated otherwise. Fitting takes at
    least 20 rated texts, also where scikit-learn's own checks of estimators give fewer.

    Parameters are stored as given and checked by `fit`, as in scikit-learn. Those set later count from the next `fit`
    on; `level`, `exclude_rated`, `fill` and `unknown`, which are read as texts are scored, count at once.

    Args:
        model: `"kernel"`, ridge regression on n-grams and features, or `"gru"`, the published recurrent network (of
            the distribution `referenceless-papers`).
        delexicalise: which values of the source become placeholders: those of the slots that were `"published"`,
            `"all"`, `"none"`, or `"auto"`: the published ones where they are most, all of other structured sources,
            none of plain text.
        augment: how many errors synthetic training texts have at most (`gru` only); 0 for no synthetic texts.
        seed: of all that is drawn.
        level: the share of ratings that intervals shall hold, in (0, 1).
        exclude_rated: leave texts that were rated without a value: their estimates rest on their own ratings.
        fill: what a text without an estimate gets: None for NaN; `mean` for the mean rating, for scorers of
            scikit-learn, which refuse NaN (see `RatingEstimator`).
        unknown: `"abstain"`: a text outside the domain of a model that knows its own, as the packaged one of
            restaurants and hotels does, has no estimate; `"score"`: every text has one.

    Attributes:
        model_: the fitted model.
        scope_: what is delexicalised: `published`, `all` or `none`.
        slots_: the slots of the training sources, in lower case.
        n_texts_: how many rated texts there were.
        has_sources_: whether they had sources.
        triples_: their sources, parsed; None without, or for a model that was saved without its texts.
        digest_: of the texts and ratings.
        verdict_: what leaving rated texts out showed of the estimates; None for `gru`, and before `fit`.
        texts_: the rated texts; None for a model that was saved without them.
        ratings_: their ratings, shape (n,); None likewise.
        domain_: what the rated texts were about, where the model knows.
        preference_accuracy_: after `fit_preferences`, the share of pairs that models without them order right.

    Example:
        >>> from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
        >>> estimator = QualityEstimator().fit(TEXTS, RATINGS, sources=SOURCES)
        >>> good, bad = "Loch Fyne serves thai food.", "Loch Fyne serves serves food food."
        >>> estimates = estimator.predict([good, bad], sources=["inform(name='Loch Fyne';food=thai)"] * 2)
        >>> bool(estimates.values[0] > estimates.values[1]), bool((estimates.lower < estimates.upper).all())
        (True, True)
    """

    name: ClassVar[str] = "quality_estimation"
    needs_references: ClassVar[bool] = False
    estimates_ratings: ClassVar[bool] = True
    citation = property(cite)  # signature, a sentence for the methods section of a paper, and BibTeX
    min_df: ClassVar[int] = 1  # in how many rated texts an n-gram must occur to have a weight

    model: str = "kernel"
    delexicalise: str = "auto"
    augment: int = 0
    seed: int = 0
    _: KW_ONLY
    level: float = 0.9
    exclude_rated: bool = False
    fill: Annotated[str | None, FILL_METHODS] = None
    unknown: Annotated[str, UNKNOWN_RULES] = "abstain"

    @property
    def signature(self) -> str:
        """Settings, and once fitted the ratings' number and digest, in sacrebleu's style."""
        parts = {"metric": self.name, "model": self.model, "level": f"{self.level:g}"}
        if hasattr(self, "model_"):
            parts |= {"sources": "yes" if self.has_sources_ else "no", "delex": self.scope_}
            parts |= {"ratings": f"{self.n_texts_}.{self.digest_}"}
            if self.domain_ and self.unknown == "abstain":
                parts["unknown"] = f"abstain>{self.domain_.max_unknown:g}"
        parts |= {"exclude": "rated"} if self.exclude_rated else {}
        parts |= {"fill": self.fill} if self.fill else {}
        parts |= {"rng": str(self.seed), "version": project_version()}
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def fit(
        self,
        texts: Iterable[str],
        ratings: ArrayLike,
        sources: Iterable[Source] | None = None,
        groups: Iterable[Hashable] | None = None,
        systems: Iterable[Hashable] | None = None,
    ) -> QualityEstimator:
        """Learn from rated texts.

        Args:
            texts: n texts, none of them empty; equal ones may be rated differently.
            ratings: shape (n,), finite, in any unit; greater is better.
            sources: what each text was made from (see `parse_mr`); None without.
            groups: what must stay together when parts of the ratings are left out, one per text, such as the item;
                None for equal texts, after delexicalisation.
            systems: which system wrote each text: the verdict is then of systems that are left out whole; None for a
                verdict on texts of the rated systems.

        Returns:
            The estimator itself.

        Raises:
            TypeError: for texts that are not strings, ratings that are not numbers, or sources of another kind.
            ValueError: for fewer than 20 texts, an empty one, unequal lengths, ratings that do not vary or are not
                finite, a malformed source, or a parameter outside its range.
            ImportError: for `gru` where it is not installed; the message names what to install.
        """
        check_parameters(vars(self))
        checked = check_rated_texts(texts)
        values = ratings_to_learn_from(ratings, len(checked))
        triples, scope = self._read(sources, len(checked))
        described = TextFeatures.of(checked, triples, scope)
        numbered = group_numbers(groups, described.readings)
        model = self._fit_model(described, values, numbered)
        names = [] if systems is None else [str(name) for name in systems]
        numbered_systems = check_groups(names) if len(set(names)) > 1 else None
        if numbered_systems is not None and len(names) != len(checked):
            raise ValueError(f"Expected argument `systems` to have one for each of the {len(checked)} texts")
        verdict = None
        if self.model == KERNEL:
            estimates, levels = model.left_out, model.left_out_levels
            left_out = TEXTS if groups is None else GROUPS
            from_parts = part_estimates(self._fit_model, described, values, numbered)
            if numbered_systems is not None:
                left_out, levels = SYSTEMS, None
                estimates = left_out_estimates(from_parts, values, {SYSTEMS: numbered_systems})[SYSTEMS]
            verdict = left_out_verdict(
                estimates, checked, triples, values, levels=levels, left_out=left_out, systems=numbered_systems
            )
            copies = near_copies_of_readings(described.readings) if groups is None else None
            if copies is not None:
                estimates = left_out_estimates(from_parts, values, {NEAR_COPIES: copies})[NEAR_COPIES]
                of_copies = left_out_verdict(estimates, checked, triples, values, left_out=NEAR_COPIES)
                verdict = min(verdict, of_copies, key=lambda each: each.spearman)
        rated = {"texts_": checked, "ratings_": values, "triples_": triples}
        self._take(model, scope, triples, checked, values, verdict_=verdict, **rated)
        self._groups = None if groups is None else numbered
        self._systems = numbered_systems
        return self

    def fit_preferences(
        self,
        better: Iterable[str],
        worse: Iterable[str],
        sources: Iterable[Source] | None = None,
        groups: Iterable[Hashable] | None = None,
    ) -> QualityEstimator:
        """Learn from pairs of texts of which people prefer one: by logistic ridge regression on their differences.

        The difference of two estimates is then ln p / (1 - p), p being the probability that people prefer the first
        text; a single estimate tells nothing, and there are no intervals. What left-out pairs showed is in
        `preference_accuracy_`. `rerank`, `Reward` and files take such an estimator as any other.

        Args:
            better: n texts that people prefer, none of them empty.
            worse: the n texts that they prefer them to.
            sources: what both texts of each pair were made from; None without.
            groups: what must stay together when pairs are left out, one per pair, such as the item; None for pairs
                that share a text, after delexicalisation.

        Returns:
            The estimator itself.

        Raises:
            TypeError: for texts that are not strings, or sources of another kind.
            ValueError: for fewer than 20 pairs, an empty text, unequal lengths, a malformed source, a parameter outside
                its range, or another model than `"kernel"`.
        """
        check_parameters(vars(self))
        if self.model != KERNEL:
            raise ValueError(f'Expected argument `model` to be "kernel" for preferences, but got {self.model!r}')
        ahead, behind = check_rated_texts(better, "better"), check_rated_texts(worse, "worse")
        n = len(ahead)
        if len(behind) != n or n < LEAST_TEXTS:
            raise ValueError(
                f"Expected arguments `better` and `worse` to hold one text for each of at least {LEAST_TEXTS} pairs, "
                f"but got {n} and {len(behind)}"
            )
        triples, scope = self._read(sources, n)
        both = ahead + behind
        described = TextFeatures.of(both, triples and triples * 2, scope)
        if groups is None:
            numbered = number_groups(reading.delexicalised for reading in described.readings).reshape(2, n).T
        else:
            numbered = group_numbers(groups, described.readings[:n])
        model, accuracy = KernelModel.fit_preferences(described, numbered, min_df=self.min_df)
        self._take(model, scope, triples, both, np.repeat([1.0, 0.0], n))
        self.preference_accuracy_ = accuracy
        return self

    def predict(
        self,
        texts: Iterable[str],
        *,
        references: Any = None,
        sources: Any = None,
    ) -> MetricResult:
        """Estimate ratings of texts; no estimate depends on the other texts.

        Args:
            texts: n texts; an empty one is undefined, and so is one of more than `LONGEST` characters, or outside the
                domain (see `unknown`).
            references: ignored.
            sources: what each text was made from, where the model was fitted with sources.

        Returns:
            Estimates within the range of the ratings seen, with the columns `lower` and `upper`: intervals that hold a
            share of `level` of the ratings of texts like the rated ones, cut to that range. The detail `n_rated_texts`
            counts texts that are rated ones, if these are known.

        Raises:
            TypeError: for a bare string or an item that is not a string.
            NotFittedError: before `fit`.
            ValueError: for sources where the model was fitted without, the reverse, another number of sources than of
                texts, or a malformed source.

        Warns:
            UserWarning: for slots that no training source had.
        """
        self._check_fitted()
        check_level(self.level)
        checked = check_texts(texts, "texts")
        triples = sources_as_fitted(sources, len(checked), self.has_sources_)
        unseen = unseen_slots(triples, self.slots_)
        empty = np.array([not text.strip() for text in checked], dtype=np.bool_)
        long = np.array([len(text) > LONGEST for text in checked], dtype=np.bool_)
        without = {EMPTY: empty, TOO_LONG: long}
        columns = np.full((3, len(checked)), np.nan)
        rows = np.flatnonzero(~(empty | long))
        if len(rows):
            described = self._describe(rows_of(checked, rows), rows_of(triples, rows))
            columns[:, rows] = self.model_.predict_interval(described, self.level)
            if self.domain_ is not None and self.unknown == "abstain":
                outside = rows[self.model_.unknown_share(described) > self.domain_.max_unknown]
                columns[:, outside] = np.nan
                without[self.domain_.reason] = np.isin(np.arange(len(checked)), outside)
        values, lower, upper = columns
        result = MetricResult(
            values,
            reasons_for(len(checked), without),
            self.signature,
            {"lower": lower, "upper": upper},
            {"level": self.level, "unseen_slots": unseen, **(self.verdict_.details if self.verdict_ else {})},
        )
        if self._rated is not None:
            result = mark_rated(result, as_rated(checked), self._rated, self.exclude_rated)
        return self.filled(result)

    def evaluate(self, n_folds: int = 5) -> Evaluation:
        """Cross-validate on the rated texts: fit on all folds but one, estimate that one, for each.

        Grouped by `groups` where `fit` was given any, by (source, text), and by delexicalised text: what is grouped
        never stands on both sides, and repeated outputs make the middle one look better than new outputs deserve.

        Args:
            n_folds: how many folds, at least 2; of fewer groups, each is left out in turn.

        Raises:
            NotFittedError: before `fit`, and for a model that was saved without its texts.
            ValueError: for fewer than 2 folds.
        """
        self._check_fitted()
        if self.texts_ is None or self.ratings_ is None:
            raise NotFittedError("This QualityEstimator was saved without its rated texts: fit it to evaluate it")
        check_whole(n_folds, "n_folds", 2)
        ratings, described = self.ratings_, self._describe(self.texts_, self.triples_)
        keys = list(zip(self.texts_, self.triples_ or self.texts_, strict=True))
        named = {SYSTEMS: self._systems, GROUPS: self._groups}
        groupings = {name: numbers for name, numbers in named.items() if numbers is not None}
        copies = near_copies_of_readings(described.readings)
        if copies is not None:
            groupings[NEAR_COPIES] = copies
        groupings["(source, text)" if self.has_sources_ else "text"] = number_groups(keys)
        if self.has_sources_:
            groupings["delexicalised text"] = group_numbers(None, described.readings)

        def estimate(train: Integers, test: Integers, groups: Integers) -> Any:
            model = self._fit_model(described.subset(train), ratings[train], groups[train])
            return model.predict_interval(described.subset(test), self.level)

        return Evaluation(
            cross_validate(estimate, ratings, groupings, level=self.level, n_folds=n_folds, seed=self.seed),
            rater_ceiling(list(map(repr, keys)), ratings),
            None if self.triples_ is None else source_control(self.triples_, keys, ratings),
        )

    def _read(self, sources: Iterable[Source] | None, n_texts: int) -> tuple[list[Triples] | None, str]:
        """Return the sources of n texts, parsed, and what is delexicalised."""
        triples = None if sources is None else parse_sources(sources, n_texts)
        return triples, choose_scope(triples) if self.delexicalise == "auto" else self.delexicalise

    def _take(
        self,
        model: Any,
        scope: str,
        triples: Sequence[Triples] | None,
        texts: Sequence[str],
        labels: Floats,
        **kept: Any,
    ) -> None:
        """Take a model that was fitted on labelled texts, and what is kept with it."""
        learned = {
            "model_": model,
            "scope_": scope,
            "has_sources_": triples is not None,
            "slots_": known_slots(triples),
            "n_texts_": len(texts),
            "digest_": content_digest(texts, labels),
        }
        self._restore({**dict.fromkeys(FITTED), **learned, **kept})

    def _fit_model(self, described: TextFeatures, ratings: Floats, groups: Integers) -> Any:
        if self.model != KERNEL:
            model = trained_model(self.model)
            return model.fit(described, ratings, groups, augment=self.augment, seed=self.seed)
        return KernelModel.fit(described, ratings, groups, min_df=self.min_df, seed=self.seed)
