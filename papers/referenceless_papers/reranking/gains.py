"""Whether picking by a metric picks outputs that people rate higher, on outputs of several systems with ratings.

Data: WebNLG 2020 (Castro Ferreira et al. 2020, sixteen systems on each of 178 inputs) and the ratings of Novikova,
Dušek, Cercas Curry & Rieser (2017), two systems on most inputs.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.registry import load_metric
from referenceless_metrics.core.support.validation import Floats, Integers, check_choice
from referenceless_metrics.selection.mbr import MBR, Lists, score_lists

_CRITERIA = ("correctness", "data_coverage", "fluency", "relevance", "text_structure")
N_FOLDS = 5
N_RESAMPLES = 10_000
LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class RatedLists:
    """Rated outputs of several systems, input by input.

    Attributes:
        lists: the outputs of m inputs, n in all; each list has at least two.
        ratings: people's mean rating of each output, shape (n,).
        sources: each input.
        clusters: a number for each input: inputs that say the same of other names share one, shape (m,).
    """

    lists: Lists
    ratings: Floats
    sources: list[str]
    clusters: Integers


@dataclass(frozen=True)
class Gain:
    """Gain in rating of the picked outputs over random ones, over all inputs.

    Attributes:
        gain: the mean over inputs of the pick's rating less that of a random output, in the unit of the ratings.
        low: the lower end of its 95 % interval, from resampled clusters of inputs.
        high: the upper end.
        random: the mean rating of a random output.
        best: the mean rating of the output that people rated the highest: out of reach, since ratings are noisy.
        n_inputs: number of inputs.
        coverage: the share of outputs that have a value.
    """

    gain: float
    low: float
    high: float
    random: float
    best: float
    n_inputs: int
    coverage: float


def _webnlg(data_dir: str | os.PathLike[str], criterion: str) -> RatedLists:
    table = read_table(str(Path(data_dir) / "webnlg-2020" / "judgements_en.csv"))
    criteria = _CRITERIA if criterion == "overall" else (criterion,)
    judged = np.mean([table.numbers(name, name) for name in criteria], axis=0)
    outputs: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    texts: dict[tuple[str, str], str] = {}
    for row, rating in zip(table.rows, judged.tolist(), strict=True):
        outputs[row["triples"]][row["system"]].append(rating)
        texts[row["triples"], row["system"]] = row["text"]
    rows = [
        (source, source, texts[source, system], float(np.mean(ratings)))
        for source, systems in outputs.items()
        for system, ratings in systems.items()
    ]
    return _rated_lists(rows)


def _nlg_ratings(data_dir: str | os.PathLike[str], criterion: str) -> RatedLists:
    table = read_table(str(Path(data_dir) / "nlg-ratings" / "emnlp_data_medians.csv"))
    rows = []
    for row, rating in zip(table.rows, table.numbers(criterion, criterion).tolist(), strict=True):
        frame = re.sub(r"'[^']*'|=[^,;)']+", "=X", row["mr"])
        rows.append((f"{row['dataset']} {frame}", f"{row['dataset']} {row['mr']}", row["sys_ref"], rating))
    return _rated_lists(rows)


DATA: dict[str, tuple[str, Callable[[str | os.PathLike[str], str], RatedLists], str]] = {
    "webnlg": ("WebNLG 2020, mean of five criteria (0–100)", _webnlg, "overall"),
    "webnlg-fluency": ("WebNLG 2020, fluency (0–100)", _webnlg, "fluency"),
    "nlg-ratings": ("nlg-ratings, quality (1–6)", _nlg_ratings, "quality"),
    "nlg-ratings-naturalness": ("nlg-ratings, naturalness (1–6)", _nlg_ratings, "naturalness"),
}
"""The rated data by name: a title, the reader, and the unit of rating."""


def read_rated_lists(data_dir: str | os.PathLike[str], name: str) -> RatedLists:
    """Read rated outputs by input; inputs with one output are left out.

    Args:
        data_dir: the folder that holds `webnlg-2020/` and `nlg-ratings/`.
        name: one of `DATA`.

    Raises:
        InputError: for a missing file.
        ValueError: for an unknown name.
    """
    check_choice(name, "name", tuple(DATA))
    _, read, criterion = DATA[name]
    return read(data_dir, criterion)


def _rated_lists(rows: Sequence[tuple[str, str, str, float]]) -> RatedLists:
    """Return lists from rows of the cluster, the source, the text and its rating."""
    of_source: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
    for cluster, source, text, rating in rows:
        of_source[source].append((cluster, text, rating))
    several = {source: own for source, own in of_source.items() if len(own) > 1}
    flat = [row for own in several.values() for row in own]
    begins = np.cumsum([0, *map(len, several.values())])
    number = {cluster: at for at, cluster in enumerate(dict.fromkeys(cluster for cluster, _, _ in flat))}
    return RatedLists(
        Lists([text for _, text, _ in flat], begins.astype(np.int64)),
        np.array([rating for _, _, rating in flat]),
        list(several),
        np.array([number[own[0][0]] for own in several.values()], dtype=np.int64),
    )


Values: TypeAlias = Callable[[RatedLists], Floats]
"""Function from rated outputs to the value of each, NaN if there is none."""


def _untrained(make: Callable[[], Any]) -> Values:
    def values(rated: RatedLists) -> Floats:
        metric = make()
        scored = metric.predict_lists(rated.lists) if isinstance(metric, MBR) else score_lists(metric, rated.lists)
        return scored.values

    return values


def _cross_fitted(fit: Callable[[list[str], Floats], Any]) -> Values:
    """Return values from models that have seen no output of the input's cluster."""

    def values(rated: RatedLists) -> Floats:
        n_clusters = int(rated.clusters.max()) + 1
        dealt = np.random.default_rng(12345).permutation(n_clusters) % N_FOLDS
        fold = dealt[rated.clusters[rated.lists.of]]
        found, texts = np.full(len(fold), np.nan), rated.lists.texts
        for number in range(N_FOLDS):
            outside, inside = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
            metric = fit([texts[at] for at in outside.tolist()], rated.ratings[outside])
            found[inside] = metric.predict([texts[at] for at in inside.tolist()]).values
        return found

    return values


def _neighbors(texts: list[str], ratings: Floats) -> Any:
    from bleu_neighbors_metric.estimator import BLEUNeighbors

    return BLEUNeighbors(progress=False).fit(texts, ratings)


def _published_neighbors(texts: list[str], ratings: Floats) -> Any:
    from bleu_neighbors_metric.estimator import BLEUNeighbors

    return BLEUNeighbors.published(progress=False).fit(texts, ratings)


WAYS: dict[str, tuple[str, Values]] = {
    "length": (
        "the longest, in characters",
        lambda rated: np.array([float(len(text)) for text in rated.lists.texts]),
    ),
    "wpslor": ("WPSLOR", _untrained(lambda: load_metric("wpslor"))),
    "slor": ("SLOR", _untrained(lambda: load_metric("slor"))),
    "fluency": ("Fluency", _untrained(lambda: load_metric("fluency"))),
    "mbr_bleu": ("minimum Bayes risk, sentence BLEU", _untrained(lambda: MBR())),
    "mbr_bleu_star": ("minimum Bayes risk, BLEU* of characters", _untrained(lambda: MBR("bleu_star"))),
    "bleu_neighbors_published": ("BLEU Neighbors, published rule ¹", _cross_fitted(_published_neighbors)),
    "bleu_neighbors": ("BLEU Neighbors, similarity weights ¹", _cross_fitted(_neighbors)),
}
"""The ways to pick by name: a title, and the values."""


def gain_of(values: Floats, rated: RatedLists, *, seed: int = 0) -> Gain:
    """Return the gain of picking by values over picking at random.

    Of outputs that share the highest value, and if none has one, each is as likely to be picked: no order of the
    systems plays a part. The interval is of 10,000 draws of clusters of inputs, with replacement.

    Args:
        values: values of the outputs, shape (n,), NaN if there is none.
        rated: the outputs with their ratings.
        seed: seed of the draws.
    """
    of, n = rated.lists.of, len(rated.lists)
    absent = np.isnan(values)
    ranked = np.where(absent, -np.inf, values)
    highest = np.full(n, -np.inf)
    np.maximum.at(highest, of, ranked)
    any_value = np.bincount(of, ~absent) > 0
    picked = ((ranked == highest[of]) & ~(absent & any_value[of])).astype(np.float64)
    size = np.bincount(of)
    random = np.bincount(of, rated.ratings) / size
    gains = np.bincount(of, picked * rated.ratings) / np.bincount(of, picked) - random
    best = np.full(n, -np.inf)
    np.maximum.at(best, of, rated.ratings)
    n_clusters = int(rated.clusters.max()) + 1
    sums = np.bincount(rated.clusters, gains, n_clusters)
    counts = np.bincount(rated.clusters, minlength=n_clusters).astype(np.float64)
    generator = np.random.default_rng(seed)
    means = np.empty(N_RESAMPLES)
    for draw in range(N_RESAMPLES):
        drawn = generator.integers(n_clusters, size=n_clusters)
        means[draw] = sums[drawn].sum() / counts[drawn].sum()
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Gain(
        gain=float(gains.mean()),
        low=float(low),
        high=float(high),
        random=float(random.mean()),
        best=float(best.mean()),
        n_inputs=n,
        coverage=float(np.mean(~absent)),
    )


def gains(
    data_dir: str | os.PathLike[str], data: Sequence[str] = tuple(DATA), ways: Sequence[str] = tuple(WAYS)
) -> dict[str, dict[str, Gain]]:
    """Measure ways to pick on rated data.

    Args:
        data_dir: the folder that holds `webnlg-2020/` and `nlg-ratings/`.
        data: names of `DATA`.
        ways: names of `WAYS`.

    Returns:
        The gain by data and way.

    Raises:
        InputError: for a missing file.
        ValueError: for an unknown name.
    """
    found: dict[str, dict[str, Gain]] = {}
    for name in data:
        rated = read_rated_lists(data_dir, name)
        found[name] = {}
        for way in ways:
            check_choice(way, "ways", tuple(WAYS))
            found[name][way] = gain_of(WAYS[way][1](rated), rated)
    return found
