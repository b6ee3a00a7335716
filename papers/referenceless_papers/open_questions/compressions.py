"""Tables 3 and 6 of Kann, Rothe & Filippova (2018) on a stand-in: simplifications with ten references each.

The paper's rated compressions (Toutanova et al. 2016) cannot be had; Simplicity-DA (Alva-Manchego et al. 2021) has
outputs of six systems with people's ratings of fluency and of meaning.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from referenceless_metrics.assessment.meta_evaluation import fisher_interval, pearson
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import Floats
from referenceless_papers.common.cells import PartResult, Table
from referenceless_papers.common.published import published
from referenceless_papers.ethayarajh.compared_metrics import paired_error_p_value
from referenceless_papers.kann.columns import baseline_columns
from slor_metric.estimator import SLOR, WPSLOR

_N_REFERENCES = 10


def compressions(data_dir: Path) -> PartResult:
    """Measure all rows of Table 3, BLEU too, with fluency and with meaning, and test them against the best."""
    table = read_table(str(data_dir / "fluency" / "simplicity_da_with_references.csv"))
    texts = [row["output"] for row in table.rows]
    references = [[row[f"reference_{i}"] for i in range(_N_REFERENCES)] for row in table.rows]
    fluency, meaning = table.numbers("fluency", "fluency"), table.numbers("meaning", "meaning")
    columns = baseline_columns(
        texts,
        references,
        word=SLOR(unknown="score"),
        wordpiece=WPSLOR(unknown="score"),
        ratings=fluency,
        groups=[str(row["sent_id"]) for row in table.rows],
    ) | {"BLEU": sentence_bleu(texts, references)}
    columns = {name: np.where(np.isfinite(values), values, np.nan) for name, values in columns.items()}
    kept = np.logical_and.reduce([~np.isnan(values) for values in columns.values()])
    fluency, meaning = fluency[kept], meaning[kept]
    mapped = {name: linearly_mapped(values[kept], fluency) for name, values in columns.items()}
    best = max(mapped, key=lambda name: pearson(mapped[name], fluency))
    rows = []
    for name, values in columns.items():
        r = pearson(values[kept], fluency)
        low, high = fisher_interval(r, len(fluency))
        known = published("kann", f"Table 3, {name}", "r") or published("kann", f"Table 7, {name}", "r")
        rows.append(
            {
                "metric": name,
                "published r": float(known) if isinstance(known, (int, float)) else float("nan"),
                "r, fluency": r,
                "low": low,
                "high": high,
                "MSE": float(np.mean((mapped[name] - fluency) ** 2)),
                **paired_p(mapped[name], mapped[best], fluency),
                "r, meaning": pearson(values[kept], meaning),
            }
        )
    return PartResult(
        tables=[Table(f"{int(kept.sum())} simplifications of six systems", tuple(rows))],
        notes=[
            "Published r are of the paper's compressions (the regression's and ROUGE-LM's from Table 7): other texts, "
            "other raters. MSE is after the best linear map, on the ratings' scale of 0 to 100. p: that a metric's "
            "squared errors are those of the best, "
            f"{best}; two-sided. The regression is fitted in ten folds of sources, by fluency.",
            "Table 6 asks how raters' fluency and content differ: here r of fluency and meaning is "
            f"{pearson(fluency, meaning):.3f}. The file has no ratings of simplicity.",
        ],
    )


def sentence_bleu(texts: list[str], references: list[list[str]]) -> Floats:
    """Return sacrebleu's sentence BLEU with all references, shape (n,)."""
    from sacrebleu.metrics import BLEU

    metric = BLEU(effective_order=True)
    return np.array([metric.sentence_score(text, own).score for text, own in zip(texts, references, strict=True)])


def linearly_mapped(scores: Floats, ratings: Floats) -> Floats:
    """Return a · scores + b with the least squared error."""
    slope, intercept = np.polyfit(scores, ratings, 1)
    return np.asarray(slope * scores + intercept)


def paired_p(first: Floats, second: Floats, ratings: Floats) -> dict[str, float]:
    """Return two-sided p of equal squared errors, by a paired t test and by permutation; NaN for equal estimates."""
    from scipy.stats import ttest_rel

    if np.array_equal(first, second):
        return {"p (paired t)": float("nan"), "p (permutation)": float("nan")}
    t_test = ttest_rel((first - ratings) ** 2, (second - ratings) ** 2)
    return {
        "p (paired t)": float(t_test.pvalue),
        "p (permutation)": paired_error_p_value(first, second, ratings),
    }
