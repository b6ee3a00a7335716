"""Tables 1 to 3: the neighbours models on HUSE, across its tasks, and on the essays of ASAP-SAS."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.registry import KERNELS
from metric_commons.assessment.meta_evaluation import (
    Correlation,
    constant_baseline,
    correlation,
    mean_squared_error,
    rank_correlation,
)
from metric_commons.datasets import load_rated
from metric_commons.files.tables import RatedTexts
from metric_commons.results import MetricResult
from metric_commons.support.installation import import_extra
from referenceless_papers.ethayarajh.cells import (
    HUSE_TASKS,
    Cell,
    Missing,
    PartResult,
    Sources,
    Table,
    correlation_cell,
)
from referenceless_papers.ethayarajh.published import (
    ESSAYS,
    LEVEL,
    SIGNIFICANT,
    SPEARMAN,
    essay_row,
    published,
)

MODELS = {
    "bleu_star": "BLEU Neighbors",
    "rouge_l": "ROUGE Neighbors",
    "meteor": "METEOR Neighbors",
    "bertscore": "BERTScore Neighbors",
}

TABLE_3_TEST_TOPIC = 3
ESSAY_MAX_FRACTION = 1.0
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
    cells = []
    for name, metric in (
        ("Table 1, characters", BLEUNeighbors()),
        ("Table 1, characters, unclipped", BLEUNeighbors(clip=False)),
        ("Table 1, words (white space)", BLEUNeighbors(tokenize="none")),
        ("Table 1, words (13a)", BLEUNeighbors(tokenize="13a")),
    ):
        row = "Table 1, summarisation, BLEU Neighbors"
        cells += _cells(name, metric.fit(pool.texts, pool.quality), published_row=row)
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
                cells = _cells(row, metric)
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
        reasons = [why for why in map(sources.task_file, (source, target)) if why]
        if reasons:
            result.missing.append(Missing(row, " and ".join(dict.fromkeys(reasons)).replace(" and needs", " and")))
            continue
        pool, test = sources.task(source), sources.task(target)
        fitted = BLEUNeighbors().fit(test.texts, test.quality)  # merges equal texts of the test set
        estimates = BLEUNeighbors(n_jobs=-1).fit(pool.texts, pool.quality).predict(fitted.texts_)
        result.cells += _agreement(row, estimates, fitted.quality_)
    for task, name in HUSE_TASKS.items():
        row = f"Table 2, trained on {name}, tested on {name}"
        lacking = sources.task_file(task)
        if lacking:
            result.missing.append(Missing(row, lacking))
            continue
        pool = sources.task(task)
        result.cells += _cells(row, BLEUNeighbors(n_jobs=-1).fit(pool.texts, pool.quality))
    result.notes.append("Within a task, by leave-one-out, as in Table 1.")
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
    for topic in ESSAYS:
        pool = training[topic]
        metric = BLEUNeighbors(max_fraction=ESSAY_MAX_FRACTION).fit(pool.texts, pool.quality)
        row = essay_row(topic)
        estimates = metric.predict(test.texts)
        found = correlation(estimates.values, test.quality, "spearman")
        cells.append(correlation_cell(row, SPEARMAN, published(row, SPEARMAN), found))
        cells.append(_significance(row, row, found))
        cells.append(Cell(row, "coverage", published(row, "coverage"), estimates.coverage))
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
    vectors = None if sources.embeddings is None else vectors_name(sources.embeddings)
    for mover, key in (("WMS", "wms"), ("SMS", "sms"), ("S+WMS", "s+wms")):
        result.missing.append(
            Missing(f"Table 3, {mover} (ELMo)", "ELMo's vectors depend on context: no file holds them")
        )
        if vectors != "GloVe":
            result.missing.append(Missing(f"Table 3, {mover} (GloVe)", "needs GloVe's vectors: --embeddings"))
        if sources.embeddings is not None:
            measures[f"{mover} ({vectors})"] = _mover(sources.embeddings, key, test.texts, references)
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
        for figure, value in (("Spearman, mean over references", each.mean()), ("coverage", defined.mean())):
            result.cells.append(Cell(row, figure, published(row, figure), float(value)))
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


def vectors_name(embeddings: str) -> str:
    """Return what a table calls word vectors: GloVe where the file's name says so, else the file's name.

    >>> vectors_name("vectors/glove.6B.300d.txt"), vectors_name("own.txt")
    ('GloVe', 'own')
    """
    name = Path(embeddings).stem
    return "GloVe" if "glove" in name.lower() else name


def _mover(embeddings: str, measure: str, texts: list[str], references: list[str]) -> Any:
    def similarities() -> Any:
        from referenceless_papers.ethayarajh.movers import MoverSimilarity, read_vectors, words_of

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


def _cells(row: str, metric: BLEUNeighbors, published_row: str | None = None) -> list[Cell]:
    return _agreement(row, metric.leave_one_out(), metric.quality_, published_row)


def _agreement(row: str, estimates: MetricResult, ratings: Any, published_row: str | None = None) -> list[Cell]:
    """Return the figures of Table 1 beside those of a published row, by default the row of the same name."""
    source = published_row or row
    found = correlation(estimates.values, ratings, "spearman")
    return [
        Cell(row, "MSE", published(source, "MSE"), mean_squared_error(estimates.values, ratings)),
        correlation_cell(row, SPEARMAN, published(source, SPEARMAN), found),
        Cell(row, "coverage", published(source, "coverage"), estimates.coverage),
        _significance(row, source, found),
    ]


def _significance(row: str, source: str, found: Correlation) -> Cell:
    """Return whether ρ is marked: two-sided p of no association below 0.01; undefined where ρ is."""
    measured = float("nan") if np.isnan(found.value) else float(found.p_value < LEVEL)
    return Cell(row, SIGNIFICANT, published(source, SIGNIFICANT), measured)
