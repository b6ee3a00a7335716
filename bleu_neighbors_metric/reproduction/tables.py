"""Tables 1 to 3: the neighbours models on HUSE, across its tasks, and on the essays of ASAP-SAS."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.registry import KERNELS
from bleu_neighbors_metric.reproduction.cells import (
    HUSE_TASKS,
    Cell,
    Missing,
    PartResult,
    Sources,
    Table,
    correlation_cell,
)
from metric_commons.datasets import load_rated
from metric_commons.files.rated_texts import RatedTexts
from metric_commons.results import MetricResult
from metric_commons.statistics.meta_evaluation import (
    constant_baseline,
    correlation,
    mean_squared_error,
    rank_correlation,
)
from metric_commons.support.extras import import_extra

PUBLISHED_MODELS: dict[tuple[str, str], tuple[float, float, float]] = {
    ("summarization", "bleu_star"): (0.0213, 0.325, 0.99),
    ("summarization", "rouge_l"): (0.0226, 0.245, 0.97),
}
"""MSE, Spearman and coverage of Table 1, by task and kernel, as far as they are known here."""

MODELS = {
    "bleu_star": "BLEU Neighbors",
    "rouge_l": "ROUGE Neighbors",
    "meteor": "METEOR Neighbors",
    "bertscore": "BERTScore Neighbors",
}

TABLE_3_TEST_TOPIC = 3
TABLE_3_SPEARMAN: dict[str, float] = {
    "1": 0.301,
    "2": 0.392,
    "4": -0.128,
    "5": 0.466,
    "6": 0.383,
    "7": 0.305,
    "8": 0.500,
    "9": 0.375,
    "10": 0.437,
    "all but 3": 0.465,
}
"""Published Spearman ρ of BLEU Neighbors on topic 3 of ASAP-SAS, by the topic that it was trained on."""

_FIGURES = ("MSE", "Spearman", "coverage")
_FEWEST_SENTENCES, _MOST_SENTENCES = 5, 15


def table_1_summarization(data_dir: str) -> list[Cell]:
    """Return the BLEU Neighbors row of Table 1 on HUSE summarisation: leave-one-out over distinct texts.

    Args:
        data_dir: the folder that holds the HUSE file.

    Returns:
        Cells for the defaults, for Eq. 1 as written (no clipping), and for word tokens, which cannot be what was
        published: hardly two headlines share a word 4-gram.
    """
    pool = load_rated("huse:summarization", data_dir=data_dir)
    published = PUBLISHED_MODELS["summarization", "bleu_star"]
    cells = []
    for name, metric in (
        ("Table 1, characters", BLEUNeighbors()),
        ("Table 1, characters, unclipped", BLEUNeighbors(clip=False)),
        ("Table 1, words (white space)", BLEUNeighbors(tokenize="none")),
        ("Table 1, words (13a)", BLEUNeighbors(tokenize="13a")),
    ):
        cells += _cells(name, published, metric.fit(pool.texts, pool.quality))
    return cells


def model_rows(sources: Sources) -> PartResult:
    """Return the four neighbours models of Table 1 for each task whose file is there, at their published thresholds."""
    result = PartResult()
    if sources.task_file("summarization") is None:
        variants = table_1_summarization(str(sources.folder("huse")))
        result.cells += [cell for cell in variants if cell.table != "Table 1, characters"]  # which follows below
    baselines = []
    for task, name in HUSE_TASKS.items():
        lacking = sources.task_file(task)
        if lacking:
            result.missing.append(Missing(f"Table 1, {name}, the four neighbours models", lacking))
            continue
        pool = sources.task(task)
        for kernel, model in MODELS.items():
            row = f"Table 1, {name}, {model}"
            if kernel == "bertscore" and sources.encoder is None:
                result.missing.append(Missing(row, "needs a local encoder: --encoder"))
                continue
            options = {"encoder": sources.encoder} if kernel == "bertscore" else None
            threshold = KERNELS[kernel].threshold
            try:
                metric = BLEUNeighbors(
                    0.08 if threshold is None else threshold, kernel=kernel, kernel_options=options, n_jobs=-1
                ).fit(pool.texts, pool.quality)
                cells = _cells(row, PUBLISHED_MODELS.get((task, kernel)), metric)
            except (ImportError, OSError, LookupError, RuntimeError, ValueError) as error:  # an extra or its data
                result.missing.append(Missing(row, " ".join(str(error).split())))
                continue
            result.cells += cells
            if kernel == "bertscore":
                result.notes.append(f"{model}: {metric.signature}")
            if kernel == "bleu_star":
                ratings = metric.quality_
                error_of_mean = constant_baseline(np.zeros(len(ratings)), ratings)
                baselines.append({"task": name, "texts": len(ratings), "MSE of the mean of the others": error_of_mean})
    result.tables.append(Table("What no knowledge of a text gives: the mean of all other texts", tuple(baselines)))
    result.notes += [
        "Leave-one-out over distinct texts, the judgements of equal texts averaged; a = 5 and b = 0.66. The thresholds "
        "are those of the paper: "
        + ", ".join(f"{MODELS[kernel]} {KERNELS[kernel].threshold:g}" for kernel in MODELS)
        + ".",
        "The paper does not say of which tokens its n-grams are. Characters give its figures, words cannot.",
    ]
    return result


def cross_task(sources: Sources) -> PartResult:
    """Return Table 2: trained on one task of HUSE, tested on another, for all pairs whose files are there."""
    result = PartResult()
    sources.folder("huse")
    for source, target in permutations(HUSE_TASKS, 2):
        row = f"Table 2, trained on {HUSE_TASKS[source]}, tested on {HUSE_TASKS[target]}"
        lacking = [why for why in map(sources.task_file, (source, target)) if why]
        if lacking:
            result.missing.append(Missing(row, " and ".join(dict.fromkeys(lacking)).replace(" and needs", " and")))
            continue
        pool, test = sources.task(source), sources.task(target)
        fitted = BLEUNeighbors().fit(test.texts, test.quality)  # merges equal texts of the test set
        estimates = BLEUNeighbors(n_jobs=-1).fit(pool.texts, pool.quality).predict(fitted.texts_)
        result.cells += _agreement(row, None, estimates, fitted.quality_)
    return result


def table_3(data_dir: str) -> list[Cell]:
    """Return the BLEU Neighbors row of Table 3: trained on each other topic of ASAP-SAS, tested on topic 3.

    Training essays are of the train split and test essays of the public leaderboard; both have 5 to 15 sentences,
    and b is 1.

    Args:
        data_dir: the folder that holds the ASAP-SAS files.
    """
    topics = [str(topic) for topic in range(1, 11) if topic != TABLE_3_TEST_TOPIC]
    training = {topic: essays(f"asap_sas:set_{topic}:train", data_dir) for topic in topics}
    training["all but 3"] = RatedTexts(
        [text for topic in topics for text in training[topic].texts],
        np.concatenate([training[topic].quality for topic in topics]),
    )
    test = essays(f"asap_sas:set_{TABLE_3_TEST_TOPIC}:test", data_dir)
    cells = []
    for topic, published in TABLE_3_SPEARMAN.items():
        pool = training[topic]
        estimates = BLEUNeighbors(max_fraction=1.0).fit(pool.texts, pool.quality).predict(test.texts)
        name = f"Table 3, trained on {'all but topic 3' if topic == 'all but 3' else f'topic {topic}'}"
        cells.append(
            correlation_cell(name, "Spearman", published, correlation(estimates.values, test.quality, "spearman"))
        )
        cells.append(Cell(name, "coverage", 1.0, estimates.coverage))
    return cells


def essay_rows(sources: Sources) -> PartResult:
    """Return Table 3's rows for BLEU Neighbors."""
    result = PartResult(cells=table_3(str(sources.folder("asap-sas"))))
    difference = mean_difference(result.cells, "Table 3", "Spearman")
    result.notes += [
        f"The published and the measured correlations differ by {difference:.4f} in the mean of absolute differences. "
        "The test set has 39 essays, so each correlation is known to about 0.3 either way.",
        "Essays of 5 to 15 sentences, counted by a full stop and a space, in training and test; b = 1.",
    ]
    return result


def reference_rows(sources: Sources) -> PartResult:
    """Return Table 3's rows for metrics that compare with a reference essay."""
    result = PartResult()
    folder = str(sources.folder("asap-sas"))
    test = essays(f"asap_sas:set_{TABLE_3_TEST_TOPIC}:test", folder)
    train = essays(f"asap_sas:set_{TABLE_3_TEST_TOPIC}:train", folder)
    references = [text for text, quality in zip(train.texts, train.quality, strict=True) if quality == 1.0]
    references = list(dict.fromkeys(references))

    def rouge_l() -> Any:
        pool = BLEUNeighbors(0.06, kernel="rouge_l").fit(references, np.zeros(len(references))).pool
        return pool.similarities(test.texts)

    rows = []
    measures = {"ROUGE-L": rouge_l}
    names = {"WMS": "wms", "SMS": "sms", "S+WMS": "s+wms"}
    if sources.embeddings is None:
        result.missing.append(Missing(f"Table 3, {', '.join(names)}", "needs a file of word vectors: --embeddings"))
    else:
        measures |= {
            name: _mover(sources.embeddings, measure, test.texts, references) for name, measure in names.items()
        }
    for name, measure in measures.items():
        try:
            similarity = measure()
        except (ImportError, OSError, LookupError, ValueError) as error:
            result.missing.append(Missing(f"Table 3, {name} against a reference essay", " ".join(str(error).split())))
            continue
        defined = ~np.isnan(similarity)
        each = np.array(
            [
                rank_correlation(column[kept], test.quality[kept])
                for column, kept in zip(similarity.T, defined.T, strict=True)
            ]
        )
        each = each[~np.isnan(each)]
        row = f"Table 3, {name} against a reference essay"
        result.cells.append(Cell(row, "Spearman, mean over references", None, float(each.mean())))
        result.cells.append(Cell(row, "coverage", None, float(defined.mean())))
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
    result.tables.append(Table("Spearman's ρ by reference essay", tuple(rows)))
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


def _mover(embeddings: str, measure: str, texts: list[str], references: list[str]) -> Any:
    def similarities() -> Any:
        from bleu_neighbors_metric.reproduction.movers import MoverSimilarity, read_vectors, words_of

        vectors = read_vectors(embeddings, words_of([*texts, *references]))
        return MoverSimilarity(vectors, measure, _stop_words()).similarities(texts, references)

    return similarities


def _stop_words() -> frozenset[str]:
    """Return scikit-learn's English stop words, where it is installed."""
    library = import_extra("sklearn.feature_extraction.text", "stop-words", "the stop words of mover's similarity")
    return frozenset(library.ENGLISH_STOP_WORDS)


def mean_difference(cells: list[Cell], table: str, figure: str) -> float:
    """Return the mean absolute difference between published and measured over the cells of a table."""
    return float(
        np.mean(
            [
                abs(cell.measured - cell.published)
                for cell in cells
                if cell.table.startswith(table) and cell.figure == figure and cell.published is not None
            ]
        )
    )


def essays(spec: str, data_dir: str) -> RatedTexts:
    """Return the essays of 5 to 15 sentences; a sentence ends in a full stop and a space, as the paper counts."""
    rated = load_rated(spec, data_dir=data_dir)
    chosen = [i for i, text in enumerate(rated.texts) if _FEWEST_SENTENCES <= len(text.split(". ")) <= _MOST_SENTENCES]
    return RatedTexts([rated.texts[i] for i in chosen], rated.quality[chosen])


def _cells(name: str, published: tuple[float, float, float] | None, metric: BLEUNeighbors) -> list[Cell]:
    return _agreement(name, published, metric.leave_one_out(), metric.quality_)


def _agreement(
    name: str, published: tuple[float, float, float] | None, estimates: MetricResult, ratings: Any
) -> list[Cell]:
    spearman = correlation(estimates.values, ratings, "spearman")
    mse, rho, coverage = published or (None, None, None)
    return [
        Cell(name, _FIGURES[0], mse, mean_squared_error(estimates.values, ratings)),
        correlation_cell(name, _FIGURES[1], rho, spearman),
        Cell(name, _FIGURES[2], coverage, estimates.coverage),
    ]
