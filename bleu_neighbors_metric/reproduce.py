"""Published figures of Ethayarajh & Sadigh (2020) beside measured ones, through the public interface only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from metric_commons.datasets import load_rated
from metric_commons.errors import InputError
from metric_commons.meta_evaluation import correlation, mean_squared_error
from metric_commons.rated_texts import RatedTexts

from .estimator import BLEUNeighbors

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

_FEWEST_SENTENCES, _MOST_SENTENCES = 5, 15


@dataclass(frozen=True)
class Cell:
    """One figure.

    Attributes:
        table: where it stands in the paper, and for what.
        figure: which figure.
        published: its published value; None where the paper has none.
        measured: its measured value.
    """

    table: str
    figure: str
    published: float | None
    measured: float

    def as_row(self) -> dict[str, str | float]:
        """Return the cell as a row of a results table."""
        published = float("nan") if self.published is None else self.published
        return {
            "table": self.table,
            "figure": self.figure,
            "published": published,
            "measured": self.measured,
            "difference": self.measured - published,
        }


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
    for name, published, metric in (
        ("Table 1, characters", (0.0213, 0.325, 0.99), BLEUNeighbors()),
        ("Table 1, characters, unclipped", (0.0213, 0.325, 0.99), BLEUNeighbors(clip=False)),
        ("Table 1, words (white space)", (0.0213, 0.325, 0.99), BLEUNeighbors(tokenize="none")),
        ("Table 1, words (13a)", (0.0213, 0.325, 0.99), BLEUNeighbors(tokenize="13a")),
    ):
        estimates = metric.fit(pool.texts, pool.quality).leave_one_out()
        measured = (
            mean_squared_error(estimates.quality, metric.quality_),
            correlation(estimates.quality, metric.quality_, "spearman").value,
            estimates.coverage,
        )
        cells += [
            Cell(name, figure, value, got)
            for figure, value, got in zip(("MSE", "Spearman", "coverage"), published, measured, strict=True)
        ]
    return cells


def table_3(data_dir: str) -> list[Cell]:
    """Return the BLEU Neighbors row of Table 3: trained on each other topic of ASAP-SAS, tested on topic 3.

    Training essays are of the train split and test essays of the public leaderboard; both have 5 to 15 sentences,
    and b is 1.

    Args:
        data_dir: the folder that holds the ASAP-SAS files.
    """
    topics = [str(topic) for topic in range(1, 11) if topic != TABLE_3_TEST_TOPIC]
    training = {topic: _essays(f"asap_sas:set_{topic}:train", data_dir) for topic in topics}
    training["all but 3"] = RatedTexts(
        [text for topic in topics for text in training[topic].texts],
        np.concatenate([training[topic].quality for topic in topics]),
    )
    test = _essays(f"asap_sas:set_{TABLE_3_TEST_TOPIC}:test", data_dir)
    cells = []
    for topic, published in TABLE_3_SPEARMAN.items():
        pool = training[topic]
        estimates = BLEUNeighbors(max_fraction=1.0).fit(pool.texts, pool.quality).predict(test.texts)
        name = f"Table 3, trained on {'all but topic 3' if topic == 'all but 3' else f'topic {topic}'}"
        measured = correlation(estimates.quality, test.quality, "spearman").value
        cells.append(Cell(name, "Spearman", published, measured))
        cells.append(Cell(name, "coverage", 1.0, estimates.coverage))
    return cells


def reproduce(data_dir: str) -> tuple[list[Cell], list[str]]:
    """Return every figure that the data allow, and a line on each part whose data are missing.

    Args:
        data_dir: a folder with `huse/` and `asap-sas/`, or either.

    Raises:
        InputError: where it holds neither.
    """
    cells: list[Cell] = []
    missing: list[str] = []
    for folder, part in (("huse", table_1_summarization), ("asap-sas", table_3)):
        path = Path(data_dir) / folder
        if path.is_dir():
            cells += part(str(path))
        else:
            missing.append(f"left out, for want of {path}: {part.__name__.replace('_', ' ').capitalize()}")
    if not cells:
        raise InputError(f"{data_dir}: it holds neither huse/ nor asap-sas/")
    return cells, missing


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


def _essays(spec: str, data_dir: str) -> RatedTexts:
    """Return the essays of 5 to 15 sentences; a sentence ends in a full stop and a space, as the paper counts."""
    rated = load_rated(spec, data_dir=data_dir)
    chosen = [i for i, text in enumerate(rated.texts) if _FEWEST_SENTENCES <= len(text.split(". ")) <= _MOST_SENTENCES]
    return RatedTexts([rated.texts[i] for i in chosen], rated.quality[chosen])
