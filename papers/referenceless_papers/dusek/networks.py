"""The groups of networks that the reproduction trains: foldings, splits and treatments, each with S1 to S6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referenceless_papers.dusek.estimates import SplitEstimates, gru_estimates
from referenceless_papers.dusek.folds import Split, grouped_parts, out_of_set_splits, rotations
from referenceless_papers.dusek.measures import Values, rounded, summary
from referenceless_papers.dusek.training_sets import SETUPS, Corpus
from referenceless_papers.gru_estimator.inputs import GRUSettings

SETS = {"SFHot": "4", "LOLS": "5"}
_STEPS = 420  # steps over rated texts that a network takes at least: 100 rated texts are two steps a pass


@dataclass(frozen=True)
class Family:
    """Networks that are trained and tested alike.

    Attributes:
        title: a description of them.
        split: the name of an out-of-set split; None for five folds.
        group: unit of rows in folds: `pair` (meaning representation and text) or `text` (delexicalised).
        delexicalised: whether values become their slots' names.
        rule: like `parts`, see `training_set`.
        parts: see `training_set`.
    """

    title: str
    split: str | None = None
    group: str = "pair"
    delexicalised: bool = True
    rule: str = "published"
    parts: str = "first"


FAMILIES = {
    "pair": Family("folds grouped by (MR, text), as published"),
    "text": Family("folds grouped by delexicalised text", group="text"),
    "C1": Family("100 rated outputs of the set", split="C1"),
    "C2": Family("no rated output of the set", split="C2"),
    "C3": Family("100 rated outputs of the set and all others", split="C3"),
    "described": Family("all training parts distorted, ratings as the text describes", rule="described", parts="all"),
    "lexicalised": Family("without delexicalisation", delexicalised=False),
}
"""The groups by name; those named C1 to C3 test on both sets."""


@dataclass(frozen=True)
class Variant:
    """Differences from the small network.

    Attributes:
        title: description in a few words.
        encoder: `gru`, `lstm`, `both ways` or `convolution`.
        output: `rating`, `independent` (a level each, softmax) or `ordered` (whether the rating is above each level).
        vectors: whether word embeddings start at vectors learned from plain text.
        pretrained: whether distorted texts of S3 are passed over first, and rated ones alone afterwards.
    """

    title: str
    encoder: str = "gru"
    output: str = "rating"
    vectors: bool = False
    pretrained: bool = False


VARIANTS = {
    "gru": Variant("GRU, regression: the paper's kind"),
    "lstm": Variant("LSTM cells", encoder="lstm"),
    "both-ways": Variant("bidirectional GRU", encoder="both ways"),
    "convolution": Variant("convolutions of 2 to 5 words, 16 filters each", encoder="convolution"),
    "vectors": Variant("word vectors from plain text to start with", vectors=True),
    "independent": Variant("classifier, eleven independent levels", output="independent"),
    "ordered": Variant("classifier, eleven ordered levels", output="ordered"),
    "pretrained": Variant("two passes over distorted references first", pretrained=True),
}
"""Networks that the paper tried beside its own, or names as future work, by name; see `variants`."""


def setups_of(name: str) -> tuple[str, ...]:
    """Return the set-ups of a family: S1 has no distortions that another rule could change."""
    return SETUPS[1:] if name == "described" else SETUPS


def splits_of(corpus: Corpus, family: Family) -> list[Split]:
    """Return the splits of a family: five folds, or one for SFHot and one for LOLS."""
    if family.split is None:
        return rotations(grouped_parts(corpus.ratings.keys if family.group == "pair" else corpus.groups))
    inside = (corpus.ratings.datasets == "SFHot", corpus.ratings.systems == "LOLS")
    return [out_of_set_splits(mask)[family.split] for mask in inside]


def train_family(
    corpus: Corpus,
    name: str,
    setup: str,
    settings: GRUSettings,
    *,
    seeds: Sequence[int] = (0, 1),
    device: str = "cpu",
) -> list[SplitEstimates]:
    """Train one set-up of a family and estimate its test rows.

    Args:
        corpus: the texts; delexicalised as the family asks.
        name: name of the family.
        setup: S1 to S6.
        settings: settings of the networks; small training parts are passed over more often, for `_STEPS` steps.
        seeds: seeds of parameters and order.
        device: see `train_network`.
    """
    family = FAMILIES[name]
    splits = splits_of(corpus, family)
    steps = -(-max(len(split.train_rows) for split in splits) // settings.batch_size)
    synthetic = settings.synthetic_passes if setup != "S1" else 0
    passes = max(settings.passes, synthetic + -(-_STEPS // steps))
    return gru_estimates(
        corpus,
        splits,
        setup,
        replace(settings, passes=passes),
        seeds=seeds,
        rule=family.rule,
        parts=family.parts,
        device=device,
    )


def summaries(corpus: Corpus, name: str, setup: str, estimates: Sequence[SplitEstimates]) -> dict[str, dict[str, Any]]:
    """Return summaries by key: `pair/S1` for a family of folds, `SFHot.C1/S1` and `LOLS.C1/S1` for a split."""
    ratings = corpus.ratings.ratings["quality"]
    family = FAMILIES[name]
    groups = {name: list(estimates)}
    if family.split is not None:
        groups = {f"{each}.{family.split}": [found] for each, found in zip(SETS, estimates, strict=True)}
    out = {}
    for key, found in groups.items():
        out[f"{key}/{setup}"] = {
            "instances": [each.instances for each in found],
            "best_pass": [int(value) for each in found for value in each.best_pass],
            "seeds": len(found[0].values),
            **summary([(each.rows, each.values) for each in found], ratings),
        }
    return out


def first_seed(estimates: Sequence[SplitEstimates], n_texts: int) -> Values:
    """Return the first seed's rounded estimates of the rows of all folds, shape (n_texts,)."""
    column = np.full(n_texts, np.nan)
    for each in estimates:
        column[each.rows] = rounded(each.values[0])
    return column
