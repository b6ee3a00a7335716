"""Research data in which many outputs of several systems are rated, as tests read them."""

from __future__ import annotations

import csv
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class RatedOutputs:
    """Outputs, their ratings and their systems, in the order of the file."""

    texts: list[str]
    ratings: NDArray[np.float64]
    systems: list[str]

    def of(self, system):
        rows = [i for i, name in enumerate(self.systems) if name == system]
        return [self.texts[i] for i in rows], self.ratings[rows]

    def except_for(self, system):
        rows = [i for i, name in enumerate(self.systems) if name != system]
        return [self.texts[i] for i in rows], self.ratings[rows]


def nlg_ratings(folder, quality="quality"):
    """Read `emnlp_data_medians.csv`; a system is named as in SFRES/LOLS."""
    rows = _rows(folder / "emnlp_data_medians.csv")
    systems = [f"{row['dataset']}/{row['system']}" for row in rows]
    return RatedOutputs([row["sys_ref"] for row in rows], _numbers(rows, quality), systems)


def simplicity_da(folder):
    rows = _rows(folder / "simplicity_da_with_references.csv")
    return RatedOutputs([row["output"] for row in rows], _numbers(rows, "fluency"), [row["system"] for row in rows])


def webnlg_2020(folder, quality):
    """Read the judgements, averaged over the workers of each output."""
    judgements = {}
    for row in _rows(folder / "judgements_en.csv"):
        judgements.setdefault((row["system"], row["item"]), []).append(row)
    means = np.array([_numbers(rows, quality).mean() for rows in judgements.values()])
    return RatedOutputs([rows[0]["text"] for rows in judgements.values()], means, [name for name, _ in judgements])


def _rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _numbers(rows, column):
    return np.array([float(row[column]) for row in rows])
