"""Same task, other system: how well a pool of one system's rated texts estimates the texts of others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bleu_neighbors_metric.estimator import BLEUNeighbors
from referenceless_metrics.assessment.meta_evaluation import correlation, mean_squared_error
from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.core.support.validation import Floats
from referenceless_papers.common.cells import PartResult, Table
from referenceless_papers.ethayarajh.beyond import distinct
from referenceless_papers.ethayarajh.sources import Sources
from referenceless_papers.statistics import constant_baseline

_MOST = 250  # rated texts of a pool, so that pools of one set have about one size


def other_system(sources: Sources) -> PartResult:
    """Return ρ of estimates from rated texts of the same system, left out in turn, and from those of another."""
    result, rows = PartResult(), list[dict[str, Any]]()
    for name, read in _SETS.items():
        with result.attempt(f"Same task, other system: {name}"):
            rows += split_rows(name, dict(read(sources)))
    result.tables.append(Table("Same task, other system", tuple(rows)))
    result.notes.append(
        "The paper leaves this question open and has no figure for it. Neighbours weighted by similarity, without "
        "threshold and bounds, so that all texts are covered and rows differ by the pool alone. "
        "From the same system each text is left out; a text that the pool holds too gets no estimate from another's. "
        "Of a system at most 250 distinct texts; a set's rows are means over its systems, or pairs of systems."
    )
    return result


def split_rows(name: str, systems: Mapping[str, RatedTexts]) -> list[dict[str, Any]]:
    """Return the means over systems of ρ from their own pool, and from others'; each pair too if there are two.

    Args:
        name: name of the set.
        systems: each system's rated texts, distinct within it.
    """
    found = []
    for own, rated in systems.items():
        metric = BLEUNeighbors(0.0, 1, 1.0, weights="similarity", exclude_rated=True).fit(rated.texts, rated.ratings)
        for other, test in systems.items():
            estimates = metric.leave_one_out().values if other == own else metric.predict(test.texts).values
            which = "same system" if other == own else "other system"
            found.append((which, f"{other} from {own}", *_figures(estimates, test.ratings)))
    table = pd.DataFrame(found, columns=["pool", "which", *_COLUMNS])
    means = table.groupby("pool", sort=False, as_index=False)[list(_COLUMNS)].mean()
    means.insert(1, "which", "mean")
    shown = pd.concat([means, table]) if len(systems) == 2 else means
    shown.insert(0, "set", name)
    rows: list[dict[str, Any]] = shown.to_dict("records")
    return rows


_COLUMNS = ("Spearman", "MSE", "MSE of the mean")


def _figures(estimates: Floats, ratings: Floats) -> tuple[float, float, float]:
    rho = correlation(estimates, ratings).value
    return rho, mean_squared_error(estimates, ratings), constant_baseline(estimates, ratings)


def _by_system(table: pd.DataFrame, system: str, text: str, rating: str) -> Iterator[tuple[str, RatedTexts]]:
    for name, rows in table.groupby(system):
        rated = distinct(RatedTexts(rows[text].tolist(), rows[rating].to_numpy(np.float64)))
        if len(rated) > 20:
            yield str(name), RatedTexts(rated.texts[:_MOST], rated.ratings[:_MOST])


def _huse(sources: Sources) -> Iterator[tuple[str, RatedTexts]]:
    from referenceless_metrics.datasets import load

    table = load("huse", "summarization", data_dir=sources.folder("huse"), split="train").to_pandas()
    return _by_system(table, "source", "text", "rating")


def _webnlg(sources: Sources) -> Iterator[tuple[str, RatedTexts]]:
    table = pd.read_csv(f"{sources.folder('webnlg-2020')}/judgements_en.csv")
    means = table.groupby(["system", "text"], sort=False, as_index=False)["fluency"].mean()
    return _by_system(means, "system", "text", "fluency")


def _nlg_ratings(sources: Sources) -> Iterator[tuple[str, RatedTexts]]:
    table = pd.read_csv(f"{sources.folder('nlg-ratings')}/emnlp_data_medians.csv")
    return _by_system(table[table["dataset"] == "SFRES"], "system", "sys_ref", "quality")


def _usr(sources: Sources) -> Iterator[tuple[str, RatedTexts]]:
    rows = json.loads(Path(sources.folder("usr"), "topical_chat.json").read_text(encoding="utf-8"))
    table = pd.DataFrame({"system": one["system_id"], "text": one["system_output"], **one["scores"]} for one in rows)
    return _by_system(table, "system", "text", "overall")


_SETS = {
    "HUSE headlines": _huse,
    "WebNLG 2020, fluency": _webnlg,
    "nlg-ratings, SFRES, quality": _nlg_ratings,
    "USR, overall": _usr,
}
