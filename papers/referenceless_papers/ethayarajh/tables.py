"""Tables 1 to 3: the neighbours models on HUSE, across its tasks, and on the essays of ASAP-SAS; and their settings."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.kernel import KERNELS
from referenceless_metrics.assessment.meta_evaluation import mean_squared_error, rank_correlation
from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.validation import Floats
from referenceless_papers.common.cells import SIGNIFICANT, Cell, Missing, PartResult, Table
from referenceless_papers.common.published import published
from referenceless_papers.ethayarajh.movers import MoverSimilarity, read_vectors, words_of
from referenceless_papers.ethayarajh.sources import ESSAY_MAX_FRACTION, HUSE_TASKS, TABLE_3_TEST_TOPIC, Sources
from referenceless_papers.resampled_correlations import correlation
from referenceless_papers.statistics import constant_baseline, williams_test

MODELS = {
    "bleu_star": "BLEU Neighbors",
    "rouge_l": "ROUGE Neighbors",
    "meteor": "METEOR Neighbors",
    "bertscore": "BERTScore Neighbors",
}
_LEVEL = 0.01
_HUSE_POINTS = 5.0
_UNBOUNDED = "the same as b = 1: no text has more neighbours than the pool has texts"


def settings(sources: Sources) -> PartResult:
    """Return the stated thresholds and bounds, and the number and scale of the headlines' judgements."""
    published = BLEUNeighbors.published()
    result = PartResult(notes=["Measured, for a parameter, is the value of `BLEUNeighbors.published()`."])
    for data, b in (("HUSE", published.max_fraction), ("ASAP-SAS", ESSAY_MAX_FRACTION)):
        values = {"τ": published.threshold, "a": published.min_neighbors, "b": b}
        result.cells += [Cell(data, name, float(value)) for name, value in values.items()]
    result.cells += [
        Cell(model, "τ", KERNELS[kernel].threshold or math.nan)
        for kernel, model in MODELS.items()
        if kernel != "bleu_star"
    ]
    row = "Section 4, HUSE"
    with result.attempt(row):
        judgements = sources.judgements("summarization")
        quality = np.asarray(judgements["rating"][:], dtype=np.float64)
        result.cells += [
            Cell(row, "judgements a text", len(quality) / len(set(judgements["id"][:]))),
            # the authors' answers are 0 to 5 in words; qualities here are that over five
            Cell(row, "highest rating", float(quality.max()) * _HUSE_POINTS),
        ]
    result.cells.append(Cell("ASAP-SAS", "b, where it is unbounded", why=_UNBOUNDED))
    return result


def bleu_variants(pool: RatedTexts) -> list[Cell]:
    """Return Table 1's row of BLEU Neighbors on HUSE summarisation for other ways to read texts.

    They are Eq. 1 as written (no clipping), single characters counted too (which the paper found to lower ρ, without a
    figure), and word tokens, which cannot be the published choice: hardly two headlines share a word 4-gram.
    """
    cells = []
    for name, metric in (
        ("Table 1, characters, unclipped", BLEUNeighbors.published(clip=False)),
        ("Table 1, characters, with order 1", BLEUNeighbors.published(ngram_orders=(1, 2, 3, 4))),
        ("Table 1, words (white space)", BLEUNeighbors.published(tokenize="none")),
        ("Table 1, words (13a)", BLEUNeighbors.published(tokenize="13a")),
    ):
        cells += left_out(name, metric.fit(pool.texts, pool.ratings), "Table 1, summarisation, BLEU Neighbors")
    return cells


def model_rows(sources: Sources) -> PartResult:
    """Return the four neighbours models of Table 1 for each task whose file is there, at their published thresholds."""
    result = PartResult()
    if not sources.lacking(["summarization"]):
        result.cells += bleu_variants(sources.summarization)
    baselines = []
    for task, _ in sources.tasks(result, "Table 1, {}"):
        pool = sources.task(task)
        for kernel, model in MODELS.items():
            row = f"Table 1, {HUSE_TASKS[task]}, {model}"
            if kernel == "bertscore" and sources.encoder is None:
                result.missing.append(Missing(row, "needs a local encoder: --encoder"))
                continue
            options = {"encoder": sources.encoder} if kernel == "bertscore" else None
            with result.attempt(row):
                metric = BLEUNeighbors.published(
                    threshold=KERNELS[kernel].threshold or 0.08, kernel=kernel, kernel_options=options, n_jobs=-1
                ).fit(pool.texts, pool.ratings)
                result.cells += left_out(row, metric)
                if kernel == "bertscore":
                    result.notes.append(f"{model}: {metric.signature}")
                if kernel == "bleu_star":
                    ratings = metric.ratings_
                    error_of_mean = constant_baseline(np.zeros(len(ratings)), ratings)
                    baselines.append(
                        {
                            "task": HUSE_TASKS[task],
                            "texts": len(ratings),
                            "MSE of the mean of the others": error_of_mean,
                        }
                    )
    result.tables.append(Table("What no knowledge of a text gives: the mean of all other texts", tuple(baselines)))
    thresholds = ", ".join(f"{model} {KERNELS[kernel].threshold:g}" for kernel, model in MODELS.items())
    result.notes += [
        "Leave-one-out over distinct texts, the judgements of equal texts averaged; a = 5 and b = 0.66. The thresholds "
        f"are those of the paper: {thresholds}.",
        "The paper does not say of which tokens its n-grams are. Characters give its figures, words cannot.",
    ]
    return result


def cross_task(sources: Sources) -> PartResult:
    """Return Table 2: trained on one task of HUSE, tested on another, for all pairs whose files are there."""
    result = PartResult(notes=["Within a task, by leave-one-out, as in Table 1."])
    pairs = [*permutations(HUSE_TASKS, 2), *((task, task) for task in HUSE_TASKS)]
    for source, target in pairs:
        row = f"Table 2, trained on {HUSE_TASKS[source]}, tested on {HUSE_TASKS[target]}"
        if why := sources.lacking([source, target]):
            result.missing.append(Missing(row, why))
            continue
        pool, test = sources.task(source), sources.task(target)
        metric = BLEUNeighbors.published(n_jobs=-1).fit(pool.texts, pool.ratings)
        if source == target:
            result.cells += left_out(row, metric)
        else:
            fitted = BLEUNeighbors.published().fit(test.texts, test.ratings)  # merges equal texts of the test set
            result.cells += agreement(row, metric.predict(fitted.texts_), fitted.ratings_)
    return result


def essay_rows(sources: Sources) -> PartResult:
    """Return Table 3's rows for BLEU Neighbors: trained on each other topic of ASAP-SAS, tested on topic 3.

    Training essays are of the train split and test essays of the public leaderboard; both have 5 to 15 sentences,
    and b is 1.
    """
    topics = [topic for topic in range(1, 11) if topic != TABLE_3_TEST_TOPIC]
    training = {f"topic {topic}": sources.essays(f"set_{topic}:train") for topic in topics}
    training[f"all but topic {TABLE_3_TEST_TOPIC}"] = RatedTexts(
        [text for rated in training.values() for text in rated.texts],
        np.concatenate([rated.ratings for rated in training.values()]),
    )
    test = sources.essays(f"set_{TABLE_3_TEST_TOPIC}:test")
    result, kappas = PartResult(), list[dict[str, Any]]()
    for name, pool in training.items():
        metric = BLEUNeighbors.published(max_fraction=ESSAY_MAX_FRACTION).fit(pool.texts, pool.ratings)
        row, estimates = f"Table 3, trained on {name}", metric.predict(test.texts)
        _, spearman, coverage, significant = agreement(row, estimates, test.ratings)
        result.cells += [spearman, significant, coverage]
        kappas.append({"trained on": name, **quadratic_kappas(estimates.values, test.ratings, pool.ratings)})
    result.tables.append(Table("Quadratic weighted κ", tuple(kappas)))
    result.notes += [
        f"The published and the measured correlations differ by {mean_difference(result.cells):.4f} in the mean of "
        "absolute differences. The test set has 39 essays, so each correlation is known to about 0.3 either way.",
        "Essays of 5 to 15 sentences, counted by a full stop and a space, in training and test; b = 1.",
        "κ needs whole scores, 0 to 2 points on topic 3. Rounded: estimates to the nearest score. By share: the test "
        "essays' estimates in order, cut so that each score is as frequent as in the training ratings. Means of "
        "neighbours lie close together, so rounding puts nearly all of them on one score. The paper has no κ.",
    ]
    return result


def quadratic_kappas(estimates: Floats, ratings: Floats, training: Floats, *, points: int = 2) -> dict[str, float]:
    """Return Cohen's κ with quadratic weights (Cohen 1968) of estimates, made whole scores in two ways.

    Args:
        estimates: shape (n,), in [0, 1], none of them NaN.
        ratings: shape (n,), in [0, 1], multiples of 1 / points.
        training: ratings that the estimates were learned from, in [0, 1].
        points: the highest score.
    """
    from sklearn.metrics import cohen_kappa_score

    def whole(shares: Floats) -> Any:
        return np.rint(np.asarray(shares) * points).astype(int)

    ends = np.cumsum(np.bincount(whole(training), minlength=points + 1)) / len(training) * len(estimates)
    by_share = np.searchsorted(ends, np.argsort(np.argsort(estimates, kind="stable"), kind="stable") + 0.5)
    of = {"κ, rounded": whole(estimates), "κ, by share": by_share}
    return {
        name: float(cohen_kappa_score(whole(ratings), scores, weights="quadratic", labels=range(points + 1)))
        for name, scores in of.items()
    }


def mean_difference(cells: Sequence[Cell]) -> float:
    """Return the mean absolute difference between published and measured correlations."""
    pairs = [(each.measured, published("ethayarajh", each.table, "Spearman")) for each in cells if each.interval]
    return float(np.mean([abs(float(measured) - float(known)) for measured, known in pairs if known is not None]))


def reference_rows(sources: Sources) -> PartResult:
    """Return Table 3's rows for metrics that compare with a reference essay."""
    result = PartResult()
    test = sources.essays(f"set_{TABLE_3_TEST_TOPIC}:test")
    train = sources.essays(f"set_{TABLE_3_TEST_TOPIC}:train")
    best = [text for text, quality in zip(train.texts, train.ratings, strict=True) if quality == 1.0]
    references = list(dict.fromkeys(best))

    def rouge_l() -> Any:
        metric = BLEUNeighbors.published(threshold=0.06, kernel="rouge_l")
        return metric.fit(references, np.zeros(len(references))).pool_.similarities(test.texts)

    def mover(path: str, measure: str) -> Callable[[], Any]:
        def similarities() -> Any:
            from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

            vectors = read_vectors(path, words_of([*test.texts, *references]))
            return MoverSimilarity(vectors, measure, ENGLISH_STOP_WORDS).similarities(test.texts, references)

        return similarities

    measures = {"ROUGE-L": rouge_l}
    vectors = None if sources.embeddings is None else vectors_name(sources.embeddings)
    for name in ("WMS", "SMS", "S+WMS"):
        result.missing.append(
            Missing(f"Table 3, {name} (ELMo)", "ELMo's vectors depend on context: no file holds them")
        )
        if vectors != "GloVe":
            result.missing.append(Missing(f"Table 3, {name} (GloVe)", "needs GloVe's vectors: --embeddings"))
        if sources.embeddings is not None:
            measures[f"{name} ({vectors})"] = mover(sources.embeddings, name.lower())
    rows, tests = [], []
    topic_8 = sources.essays("set_8:train")
    neighbours = BLEUNeighbors.published(max_fraction=ESSAY_MAX_FRACTION).fit(topic_8.texts, topic_8.ratings)
    estimates = neighbours.predict(test.texts).values
    for name, measure in measures.items():
        row = f"Table 3, {name} against a reference essay"
        with result.attempt(row):
            similarity = measure()
            tests.append({"topic 8 against": name, **williams_by_reference(estimates, similarity, test.ratings)})
            kept = ~np.isnan(similarity)
            columns = zip(similarity.T, kept.T, strict=True)
            each = np.array([rank_correlation(column[own], test.ratings[own]) for column, own in columns])
            each = each[~np.isnan(each)]
            result.cells += [
                Cell(row, "Spearman, mean over references", float(each.mean())),
                Cell(row, "coverage", float(kept.mean())),
            ]
            rows.append(
                {
                    "metric": name,
                    "references": len(each),
                    "mean": float(each.mean()),
                    "standard deviation": float(each.std(ddof=1)),
                    "least": float(each.min()),
                    "greatest": float(each.max()),
                }
            )
    result.tables += [
        Table("Spearman's ρ by reference essay", tuple(rows)),
        Table("Williams' test: BLEU Neighbors trained on topic 8 has a higher ρ, one-tailed", tuple(tests)),
    ]
    if sources.embeddings is not None:
        result.notes.append(
            f"Mover's similarity: word vectors of {Path(sources.embeddings).name}, without scikit-learn's English stop "
            "words."
        )
    result.notes.append(
        f"Which essay was the reference is not known here, and it matters: each of the {len(references)} training "
        "essays of topic 3 with the highest score and 5 to 15 sentences is the reference once."
    )
    return result


def williams_by_reference(estimates: Floats, similarities: Floats, ratings: Floats) -> dict[str, float]:
    """Return the share in which Williams' test on ranks finds estimates better than similarities to one reference.

    Args:
        estimates: shape (n,).
        similarities: similarities of n texts to m references, shape (n, m); NaN if there is none.
        ratings: shape (n,).
    """
    found = []
    for column in similarities.T:
        own = ~np.isnan(column)
        ours, theirs, between = (
            rank_correlation(left[own], right[own])
            for left, right in ((estimates, ratings), (column, ratings), (estimates, column))
        )
        found.append(williams_test(ours, theirs, between, int(own.sum()), alternative="greater").p_value)
    p = np.array(found)
    return {"references": len(p), "median p": float(np.nanmedian(p)), "share with p < .05": float(np.mean(p < 0.05))}


def vectors_name(embeddings: str) -> str:
    """Return a table's name of word vectors: GloVe if the file's name says so, else the file's name.

    >>> vectors_name("vectors/glove.6B.300d.txt"), vectors_name("own.txt")
    ('GloVe', 'own')
    """
    name = Path(embeddings).stem
    return "GloVe" if "glove" in name.lower() else name


def left_out(row: str, metric: BLEUNeighbors, beside: str = "") -> list[Cell]:
    """Return `agreement` of a fitted metric's leave-one-out estimates."""
    return agreement(row, metric.leave_one_out(), metric.ratings_, beside)


def agreement(row: str, estimates: MetricResult, ratings: Any, beside: str = "") -> list[Cell]:
    """Return the figures of Table 1: error, correlation, coverage, and whether two-sided p is below 0.01.

    Args:
        row: the cells' row.
        estimates: estimates of n texts.
        ratings: shape (n,).
        beside: the row whose published figures stand beside; "" for the row itself.
    """
    found = correlation(estimates.values, ratings, "spearman")
    significant = math.nan if math.isnan(found.value) else float(found.p_value < _LEVEL)
    figures = (
        ("MSE", mean_squared_error(estimates.values, ratings), None),
        ("Spearman", found.value, (found.low, found.high)),
        ("coverage", estimates.coverage, None),
        (SIGNIFICANT, significant, None),
    )
    return [
        Cell(row, figure, value, interval, published=published("ethayarajh", beside or row, figure))
        for figure, value, interval in figures
    ]
