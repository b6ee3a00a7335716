"""Quality estimation (Dušek et al. 2017): ratings of texts, estimated by a model of texts that people rated."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from statistics import fmean
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
from referenceless_metrics.assessment.agreement import GROUPS, NEAR_COPIES, SLOTTED, SYSTEMS, TEXTS, Verdict
from referenceless_metrics.assessment.assessment import left_out_estimates, training_means
from referenceless_metrics.assessment.conformal import check_level
from referenceless_metrics.assessment.folds import check_groups, number_groups
from referenceless_metrics.assessment.rater_ceiling import rater_ceiling
from referenceless_metrics.assessment.rating_estimator import FILL_METHODS
from referenceless_metrics.core.metric import UNKNOWN_RULES
from referenceless_metrics.core.registry import cite
from referenceless_metrics.core.results import EMPTY, MetricResult, mark_rated, reasons_for
from referenceless_metrics.core.support.installation import project_version
from referenceless_metrics.core.support.validation import (
    Booleans,
    Floats,
    Integers,
    NotFittedError,
    check_texts,
    check_whole,
)
from slor_metric.pieces import in_pieces

LONGEST = 50_000
"""Most characters of a text with an estimate. A longer one is hardly an output, and reading it takes seconds."""

TOO_LONG = f"longer than {LONGEST:,} characters"


@dataclass(eq=False, repr=False)
class QualityEstimator(FittedEstimator):
    """Estimate people's ratings of texts from texts that they rated, with an interval for each text.

    If texts have sources (meaning representations, facts, records, plain text; see `parse_mr`), values of the source
    become placeholders in the text, and the model also sees how well the text fits its source. Estimates hold for
    texts like the rated ones; people may rate another system or another domain differently. `fit` needs at least 20
    rated texts.

    `fit` checks the parameters, as in scikit-learn. A parameter that is set later counts from the next `fit` on, except
    `level`, `exclude_rated`, `fill` and `unknown`, which `predict` reads.

    Args:
        model: `"kernel"`, ridge regression on n-grams and features, or `"gru"`, the published recurrent network (of
            the distribution `referenceless-papers`).
        delexicalise: values of the source that become placeholders: `"published"` for the slots of the paper,
            `"all"`, `"none"`, or `"auto"` for the published ones if they are the majority, for all of other structured
            sources and for none of plain text.
        augment: most errors in a synthetic training text (`gru` only); 0 for no synthetic texts.
        seed: the seed of all random numbers.
        level: the share of ratings that the intervals shall contain, in (0, 1).
        exclude_rated: whether rated texts get no value: their estimates rest on their own ratings.
        fill: the value of a text without an estimate: None for NaN; `mean` for the mean rating, for scorers of
            scikit-learn, which refuse NaN (see `RatingEstimator`).
        unknown: `"abstain"` for no estimate of texts outside the model's domain, if the model knows its domain, as the
            packaged one of restaurants and hotels does; `"score"` for an estimate of every text.

    Attributes:
        model_: the fitted model.
        scope_: the values that become placeholders: `published`, `all` or `none`.
        slots_: the slots of the training sources, in lower case.
        n_texts_: the number of rows: a text counts as often as it was rated.
        has_sources_: whether they had sources.
        triples_: the parsed sources; None without sources, or for a model that was saved without its texts.
        digest_: the digest of the texts and ratings.
        mean_rating_: the mean of the ratings; 0 after `fit_preferences`.
        learned_from_: the number, range and mean of the ratings, in words.
        verdict_: the worth of the estimates, from rated texts that were left out; None for `gru`, and before `fit`.
        texts_: the rated texts; None for a model that was saved without them.
        ratings_: their ratings, shape (n,); None for a model that was saved without them.
        domain_: the domain of the rated texts; None if the model does not know it.
        preference_accuracy_: after `fit_preferences`, the share of left-out pairs in the right order.

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
    min_df: ClassVar[int] = 1  # fewest rated texts in which an n-gram with a weight occurs

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
            sources: the source of each text (see `parse_mr`); None without.
            groups: the group of each text, such as its item. Texts of one group are left out together. None to group
                texts that are equal after delexicalisation.
            systems: the system that wrote each text. The verdict is then about systems without ratings; None for a
                verdict about further texts of the rated systems.

        Returns:
            The estimator itself.

        Raises:
            TypeError: for texts that are not strings, ratings that are not numbers, or sources of another kind.
            ValueError: for fewer than 20 texts, an empty one, unequal lengths, ratings that do not vary or are not
                finite, a malformed source, or a parameter outside its range.
            ImportError: for `gru` if it is not installed; the message names what to install.
        """
        check_parameters(vars(self))
        checked = check_rated_texts(texts)
        values = ratings_to_learn_from(ratings, len(checked))
        triples, scope = self._read(sources, len(checked))
        described = TextFeatures.of(checked, triples, scope)
        numbered = group_numbers(groups, described.readings)
        numbered_systems = _numbered_systems(systems, len(checked))
        model = self._fit_model(described, values, numbered)
        rated = _RatedTexts(
            checked, triples, values, described, numbered, numbered_systems, has_groups=groups is not None
        )
        verdict = self._verdict(model, rated) if self.model == KERNEL else None
        kept = {"texts_": checked, "ratings_": values, "triples_": triples, "mean_rating_": fmean(values)}
        self._take(model, scope, triples, checked, values, verdict_=verdict, **kept)
        self._groups = numbered if rated.has_groups else None
        self._systems = numbered_systems
        return self

    def _verdict(self, model: KernelModel, rated: _RatedTexts) -> Verdict:
        """Return the verdict from rated texts that were left out, as `advise` measures it.

        The strictest way decides: systems, else groups, else texts that are equal after delexicalisation, else single
        texts; near copies if the agreement is then lower.
        """
        texts, triples, ratings = rated.texts, rated.triples, rated.ratings
        groupings = rated.groupings()
        verdicts: dict[str, Verdict] = {}
        if not groupings.keys() - {NEAR_COPIES}:
            assert model.left_out is not None
            verdicts[TEXTS] = left_out_verdict(model.left_out, texts, triples, ratings, levels=model.left_out_levels)
        if groupings:
            from_parts = part_estimates(self._fit_model, rated.described, ratings, rated.groups)
            estimates = left_out_estimates(from_parts, ratings, groupings)
            for left_out, numbers in groupings.items():
                verdicts[left_out] = left_out_verdict(
                    estimates[left_out],
                    texts,
                    triples,
                    ratings,
                    means=training_means(left_out, ratings, numbers),
                    left_out=left_out,
                    systems=numbers if left_out == SYSTEMS else None,
                )
        of_copies = verdicts.pop(NEAR_COPIES, None)
        (verdict,) = verdicts.values()
        return verdict if of_copies is None or not of_copies.spearman < verdict.spearman else of_copies

    def fit_preferences(
        self,
        better: Iterable[str],
        worse: Iterable[str],
        sources: Iterable[Source] | None = None,
        groups: Iterable[Hashable] | None = None,
    ) -> QualityEstimator:
        """Learn from pairs of texts of which people prefer one, by logistic ridge regression on the differences.

        The difference of two estimates is then ln p / (1 - p), p being the probability that people prefer the first
        text. A single estimate has no meaning, and there are no intervals. `preference_accuracy_` is the share of
        left-out pairs in the right order. `rerank`, `Reward` and files take such an estimator like any other.

        Args:
            better: n texts that people prefer, none of them empty.
            worse: n texts, each the less preferred one of its pair.
            sources: the source of each pair's texts; None without.
            groups: the group of each pair, such as its item. Pairs of one group are left out together. None to group
                pairs that share a text, after delexicalisation.

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
        self._take(model, scope, triples, both, np.repeat([1.0, 0.0], n), mean_rating_=0.0)
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
            texts: n texts. One that is empty, has more than `LONGEST` characters or lies outside the domain (see
                `unknown`) gets no estimate.
            references: ignored.
            sources: the source of each text, if the model was fitted with sources.

        Returns:
            Estimates within the range of the ratings. The columns `lower` and `upper` are the ends of intervals, cut to
            that range, that contain a share of `level` of the ratings of texts like the rated ones. The detail
            `n_rated_texts` counts texts that are rated ones, if these are known.

        Raises:
            TypeError: for a bare string, or an item that is not a string and no missing value.
            NotFittedError: before `fit`.
            ValueError: for sources if the model was fitted without them, none if it was fitted with them, another
                number of sources than of texts, or a malformed source.

        Warns:
            UserWarning: for slots that no training source had.
        """
        self._check_fitted()
        check_level(self.level)
        checked = check_texts(texts, "texts", missing=True)
        triples = sources_as_fitted(sources, len(checked), self.has_sources_)
        unseen = unseen_slots(triples, self.slots_)
        empty = np.array([not text.strip() for text in checked], dtype=np.bool_)
        long = np.array([len(text) > LONGEST for text in checked], dtype=np.bool_)
        without = {EMPTY: empty, TOO_LONG: long}
        columns = np.full((3, len(checked)), np.nan)
        rows = np.flatnonzero(~(empty | long))
        if len(rows):
            columns[:, rows], outside = self._estimates(rows_of(checked, rows), rows_of(triples, rows))
            if self.domain_ is not None and self.unknown == "abstain":
                columns[:, rows[outside]] = np.nan
                without[self.domain_.reason] = np.isin(np.arange(len(checked)), rows[outside])
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
        """Cross-validate on the rated texts: for each fold, fit on the others and estimate its texts.

        There is one evaluation per grouping: by the systems and `groups` of `fit` if there were any, by delexicalised
        text, and by (source, text), which is optimistic if outputs repeat and stands last. No group is split between
        training and test.

        Args:
            n_folds: the number of folds, at least 2. If there are fewer groups, each is left out in turn.

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
        copies = near_copies_of_readings(described.readings)
        groupings: dict[str, Integers] = {}
        for name, numbers in ((SYSTEMS, self._systems), (GROUPS, self._groups), (NEAR_COPIES, copies)):
            if numbers is not None:
                groupings[name] = numbers
        if self.has_sources_:
            groupings["delexicalised text"] = group_numbers(None, described.readings)
        groupings["(source, text)" if self.has_sources_ else "text"] = number_groups(keys)

        def estimate(train: Integers, test: Integers, groups: Integers) -> Any:
            model = self._fit_model(described.subset(train), ratings[train], groups[train])
            return model.predict_interval(described.subset(test), self.level)

        return Evaluation(
            cross_validate(estimate, ratings, groupings, level=self.level, n_folds=n_folds, seed=self.seed),
            rater_ceiling(list(map(repr, keys)), ratings),
            None if self.triples_ is None else source_control(self.triples_, keys, ratings),
        )

    def _estimates(self, texts: Sequence[str], triples: Sequence[Triples] | None) -> tuple[Floats, Booleans]:
        """Estimate n texts some at a time, so that memory is needed for some, and mark those outside the domain.

        Returns:
            Estimates and the lower and upper ends of their intervals, shape (3, n); True for a text outside the domain,
            shape (n,).
        """
        columns, outside = np.empty((3, len(texts))), np.zeros(len(texts), dtype=bool)
        for piece in in_pieces(texts):
            described = self._describe(texts[piece], None if triples is None else triples[piece])
            columns[:, piece] = self.model_.predict_interval(described, self.level)
            if self.domain_ is not None:
                outside[piece] = self.model_.unknown_share(described) > self.domain_.max_unknown
        return columns, outside

    def _read(self, sources: Iterable[Source] | None, n_texts: int) -> tuple[list[Triples] | None, str]:
        """Return the parsed sources of n texts, and the scope of delexicalisation."""
        triples = None if sources is None else parse_sources(sources, n_texts)
        scope = choose_scope(triples) if self.delexicalise == "auto" else self.delexicalise
        return triples, scope

    def _take(
        self,
        model: Any,
        scope: str,
        triples: Sequence[Triples] | None,
        texts: Sequence[str],
        labels: Floats,
        **kept: Any,
    ) -> None:
        """Set the fitted attributes.

        Args:
            model: the fitted model.
            scope: the scope of delexicalisation.
            triples: the parsed sources; None without.
            texts: the texts that the model learned from.
            labels: their ratings, or 1 and 0 for preferences.
            kept: further attributes by name.
        """
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


@dataclass(frozen=True)
class _RatedTexts:
    """Rated texts as `fit` reads them.

    Attributes:
        texts: n texts.
        triples: their parsed sources; None without.
        ratings: shape (n,).
        described: their features.
        groups: the number of each text's group, shape (n,).
        systems: the number of each text's system, shape (n,); None if systems are unknown, or there is one only.
        has_groups: whether the groups were given, and not made from equal texts.
    """

    texts: list[str]
    triples: list[Triples] | None
    ratings: Floats
    described: TextFeatures
    groups: Integers
    systems: Integers | None
    has_groups: bool

    def groupings(self) -> dict[str, Integers]:
        """Return the strictest way of leaving texts out in groups, and near copies, if there are such groups.

        Returns:
            The number of each text's group, shape (n,), for each unit that is left out.
        """
        found: dict[str, Integers] = {}
        if self.systems is not None:
            found[SYSTEMS] = self.systems
        elif self.has_groups:
            found[GROUPS] = self.groups
        elif self.triples is not None:
            found[SLOTTED] = self.groups
        copies = None if self.has_groups else near_copies_of_readings(self.described.readings)
        if copies is not None:
            found[NEAR_COPIES] = copies
        return found


def _numbered_systems(systems: Iterable[Hashable] | None, n_texts: int) -> Integers | None:
    """Return the number of each text's system; None if systems are unknown, or there is one only.

    Raises:
        ValueError: for another number of systems than of texts.
    """
    names = [] if systems is None else [str(name) for name in systems]
    if len(set(names)) < 2:
        return None
    if len(names) != n_texts:
        raise ValueError(f"Expected argument `systems` to have one for each of the {n_texts} texts")
    return check_groups(names)
