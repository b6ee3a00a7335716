"""The worst scores of all systems, for `compare --scores FILE --worst N`."""

from __future__ import annotations

import numpy as np

from referenceless_metrics.core.support.validation import Record, shortened
from referenceless_metrics.human_evaluation.scores.table import ScoreTable


def worst_scores(scores: ScoreTable, n: int) -> tuple[list[Record], list[str]]:
    """Return a row for each of the n worst values of each score, the worst first, and sentences on these.

    Equal values stand in the order of systems and items.
    """
    rows: list[Record] = []
    lines = []
    for column, values in scores.values.items():
        is_lower_better = column in scores.lower_is_better
        flat = values.ravel()
        places = np.argsort(-flat if is_lower_better else flat, kind="stable")  # NaN last
        places = places[np.isfinite(flat[places])]
        for place in places[:n].tolist():
            system, item = divmod(place, len(scores.items))
            key = scores.systems[system], scores.items[item]
            row: Record = {"system": key[0], "item": key[1], "score": column, "value": float(flat[place])}
            rows.append({**row, "text": scores.texts.get(key, "")} if scores.texts else row)
        way = "highest" if is_lower_better else "lowest"
        told = f"{column}: {min(n, len(places))} of {len(places)} scores, the {way}"
        n_equal = int((flat[places[n:]] == flat[places[n - 1]]).sum()) if len(places) > n else 0
        more = "1 more is" if n_equal == 1 else f"{n_equal} more are"
        last = f"; {more} equal to the last one" if n_equal else ""
        lines.append(f"{told} (worst) first{last}.")
        shown = {scores.systems[place // len(scores.items)] for place in places[:n].tolist()}
        absent = [system for system in scores.systems if system not in shown]
        if absent and shown:
            named = shortened(", ".join(absent), 80)
            lines.append(f"None of these scores is of {named}.")
    return rows, lines
