"""Training sets S1 to S6: rated outputs, and distorted versions of more and more texts (Dušek et al. 2017, Table 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from referenceless_metrics.core.support.lazily import cached_property
from referenceless_papers.dusek.folds import Split
from referenceless_papers.dusek.ratings import (
    NLGRatings,
    Pair,
    read_bagel,
    read_ratings,
    read_sfx,
)
from referenceless_papers.gru_estimator.inputs import Prepared, prepare
from referenceless_papers.gru_estimator.synthesis import score_after, synthesise

SETUPS = ("S1", "S2", "S3", "S4", "S5", "S6")
SETUP_TITLES = {
    "S1": "rated outputs",
    "S2": "+ their distortions",
    "S3": "+ human references of the training part, distorted",
    "S4": "+ training parts of SFRest and SFHot, distorted",
    "S5": "+ human references of all rated outputs, distorted",
    "S6": "+ all of SFRest, SFHot and BAGEL, distorted",
}
HUMAN = 6.0


def published_score_after(rating: float, errors: int) -> float:
    """Return the rating of a text after errors were put into it, as the authors' program had it.

    It differs from the rule in the paper's text (`score_after`) for 5.5 and 6 from the second error on.

    >>> [published_score_after(6, errors) for errors in range(5)]
    [6, 4, 4, 3, 2]
    """
    return max(1.0, min(4, rating - errors)) if errors else rating


RULES = {"described": score_after, "published": published_score_after}


@dataclass(frozen=True)
class TrainingSet:
    """Training set of one network.

    Attributes:
        real: rated outputs.
        ratings: theirs.
        synthetic: undistorted and distorted texts.
        synthetic_ratings: theirs.
    """

    real: list[Prepared]
    ratings: list[float]
    synthetic: list[Prepared] = field(default_factory=list)
    synthetic_ratings: list[float] = field(default_factory=list)

    def __len__(self) -> int:
        """Return the number of instances, Table 2's figure."""
        return len(self.real) + len(self.synthetic)


@dataclass
class Corpus:
    """All texts of the reproduction, delexicalised once.

    Attributes:
        folder: `nlg-ratings/`.
        delexicalised: whether values become their slots' names; the published figures are of these.
    """

    folder: Path
    delexicalised: bool = True

    @cached_property
    def ratings(self) -> NLGRatings:
        """The rated outputs."""
        return read_ratings(self.folder)

    @cached_property
    def outputs(self) -> list[Prepared]:
        """The rated outputs as the network reads them."""
        return prepare(self.ratings.tokenised, self.ratings.mrs, delexicalised=self.delexicalised)

    @cached_property
    def groups(self) -> list[str]:
        """Each output's delexicalised text."""
        return [" ".join(each.tokens) for each in prepare(self.ratings.tokenised, self.ratings.mrs)]

    @cached_property
    def _prepared(self) -> dict[Pair, Prepared]:
        return {}

    def human(self, pairs: Sequence[Pair]) -> list[Prepared]:
        """Return human texts as the network reads them."""
        new = list(dict.fromkeys(pair for pair in pairs if pair not in self._prepared))
        made = prepare([pair.text for pair in new], [pair.mr for pair in new], delexicalised=self.delexicalised)
        self._prepared.update(zip(new, made, strict=True))
        return [self._prepared[pair] for pair in pairs]

    def references(self, rows: Sequence[int] | None = None) -> list[Pair]:
        """Return the distinct human references of rows' meaning representations; None for all rows."""
        chosen = range(len(self.ratings)) if rows is None else rows
        return list(
            dict.fromkeys(Pair(self.ratings.mrs[row], text) for row in chosen for text in self.ratings.references[row])
        )

    @cached_property
    def sfx_train(self) -> list[Pair]:
        """The training parts of SFRest and SFHot."""
        return read_sfx(self.folder, ("train",))

    @cached_property
    def everything(self) -> list[Pair]:
        """All of SFRest, SFHot and BAGEL."""
        return [*read_sfx(self.folder), *read_bagel(self.folder)]


def training_set(
    corpus: Corpus,
    split: Split,
    setup: str,
    *,
    criterion: str = "quality",
    rule: str = "published",
    parts: str = "first",
    seed: int = 0,
) -> TrainingSet:
    """Return the training set of a network of a set-up.

    Args:
        corpus: the texts.
        split: the rows that train.
        setup: S1 to S6.
        criterion: the criterion of the ratings.
        rule: rule by which a rating falls with errors, one of `RULES`.
        parts: parts of the training rows that are distorted: `first`, as at the time of the paper, or `all`, as its
            text says.
        seed: seed of the distortions.
    """
    ratings = corpus.ratings.ratings[criterion]
    rows = split.train_rows
    real = TrainingSet([corpus.outputs[row] for row in rows], ratings[rows].tolist())
    place = SETUPS.index(setup)
    if place == 0:
        return real
    distorted = split.train[0] if parts == "first" else rows
    sources = [corpus.outputs[row] for row in distorted]
    rated = ratings[distorted].tolist()
    human: list[Pair] = []
    if place >= 2:
        human += corpus.references(None if place >= 4 else distorted.tolist())
    if place >= 3:
        human += corpus.everything if place >= 5 else corpus.sfx_train
    sources += corpus.human(human)
    rated += [HUMAN] * len(human)
    made = synthesise(sources, rated, after=RULES[rule], seed=seed)
    return TrainingSet(
        real.real,
        real.ratings,
        [text for text, _ in made],
        [rating for _, rating in made],
    )
