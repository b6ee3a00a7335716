"""Public judgements of systems, one row for each item, system and rater, and the variances that they are fitted by."""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.studies.planning import VarianceComponents, variance_components


@dataclass(frozen=True, eq=False)
class JudgedSet:
    """Judgements of one quality.

    Attributes:
        name: name of the set and the quality.
        items: items of n judgements, shape (n,).
        systems: shape (n,).
        raters: shape (n,); if the set does not tell them, a rater of its own for each item.
        ratings: shape (n,).
        components: their variance components, fitted to these judgements.
        raters_known: whether the set tells the raters.
        scale_width: distance of the ends of its scale; None if it has none.
    """

    name: str
    items: Integers
    systems: Integers
    raters: Integers
    ratings: Floats
    components: VarianceComponents
    raters_known: bool = True
    scale_width: float | None = None

    def pairs(self) -> Mapping[tuple[int, int], Floats]:
        """Return, for two systems, the judgements of both by one rater for one item: (m, 4) item, rater and ratings."""
        blocks: dict[tuple[int, int], dict[int, float]] = defaultdict(dict)
        for item, system, rater, rating in zip(self.items, self.systems, self.raters, self.ratings, strict=True):
            blocks[int(item), int(rater)][int(system)] = float(rating)
        found: dict[tuple[int, int], list[tuple[float, ...]]] = defaultdict(list)
        for (item, rater), given in blocks.items():
            for one in given:
                for other in given:
                    if one < other:
                        found[one, other].append((item, rater, given[one], given[other]))
        return {pair: np.array(rows) for pair, rows in found.items()}


def webnlg(data_dir: str | os.PathLike[str], quality: str) -> JudgedSet:
    """Return WebNLG 2020's English judgements of a quality, from 0 to 100 (Castro Ferreira et al. 2020).

    Raises:
        InputError: for a missing file.
    """
    table = read_table(str(Path(data_dir) / "webnlg-2020" / "judgements_en.csv"))
    rows = [(row["item"], row["system"], row["worker"]) for row in table.rows]
    return _judged(f"WebNLG 2020, {quality}", rows, table.numbers(quality, quality), scale_width=100.0)


def e2e(data_dir: str | os.PathLike[str], criterion: str, *, ranks: bool = False) -> JudgedSet:
    """Return the E2E challenge's magnitudes of a criterion (Dušek, Novikova & Rieser 2020).

    A rater rated five systems' outputs of one item by magnitudes together, on a scale of the rater's own: here as
    natural logarithms, or as ranks within these five.

    Raises:
        InputError: for a missing file.
    """
    folder = Path(data_dir) / "e2e-ratings"
    outputs = {row["output"]: row for row in read_table(str(folder / "outputs.csv")).rows}
    rows, ratings = [], []
    for row in read_table(str(folder / "judgements.csv")).rows:
        if row["criterion"] == criterion:
            of = outputs[row["output"]]
            rows.append((of["mr_id"], of["system"], row["judgement"]))
            ratings.append(math.log(max(float(row["magnitude"]), 1.0)))
    values = np.array(ratings)
    if ranks:
        judgement = np.unique([row[2] for row in rows], return_inverse=True)[1].ravel()
        for number in range(int(judgement.max()) + 1):
            own = values[judgement == number]
            values[judgement == number] = (own[:, None] > own).sum(axis=1) + ((own[:, None] == own).sum(axis=1) + 1) / 2
    return _judged(
        f"E2E, {criterion} ({'ranks' if ranks else 'log'})", rows, values, scale_width=4.0 if ranks else None
    )


def simplicity(data_dir: str | os.PathLike[str]) -> JudgedSet:
    """Return Simplicity-DA's mean fluency of each output, whose raters are not told (Alva-Manchego et al. 2021).

    Raises:
        InputError: for a missing file.
    """
    table = read_table(str(Path(data_dir) / "fluency" / "simplicity_da_with_references.csv"))
    rows = [(str(row["sent_id"]), row["system"], str(row["sent_id"])) for row in table.rows]
    return _judged(
        "Simplicity-DA, fluency (means)",
        rows,
        table.numbers("fluency", "fluency"),
        raters_known=False,
        scale_width=100.0,
    )


def _judged(
    name: str,
    rows: list[tuple[str, str, str]],
    ratings: Floats,
    *,
    raters_known: bool = True,
    scale_width: float | None,
) -> JudgedSet:
    items, systems, raters = (np.unique(each, return_inverse=True)[1].ravel() for each in zip(*rows, strict=True))
    components = variance_components(items.tolist(), systems.tolist(), raters.tolist(), ratings)
    if not raters_known:  # means over raters: the items' effect in all systems, and the rest
        one = components
        components = VarianceComponents(max(one.item, one.rater, one.rater_item), 0.0, 0.0, 0.0, 0.0, one.rest)
    return JudgedSet(name, items, systems, raters, ratings, components, raters_known, scale_width)
