"""Rankings of several systems' outputs, as the WMT collected them, turned into preferences.

The form: statmt.org/wmt12/results.html, `wmt12.RNK_results.csv`, and those of 2011 to 2016. A row is a screen of one
rater, with `system1Id`, `system1rank` and so on; 1 is the best rank, equal ranks are ties, and -1 is no rank.
"""

from __future__ import annotations

from itertools import combinations

from referenceless_metrics.core.support.validation import Record, finite_number
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, PREFERENCE, RATER, Answers, Export

TOOL = "WMT (rankings)"

_MOST = 10  # systems on a screen
_ITEMS = ("srcIndex", "segmentId")
_RATERS = ("judgeId", "judgeID")
_KEPT = ("srclang", "trglang", "srcLang", "trgLang")


def recognises(export: Export) -> bool:
    """Say whether these are rankings: the columns of the first two systems and of their ranks are there."""
    return {"system1Id", "system2Id", "system1rank", "system2rank"} <= set(export.columns)


def convert(export: Export) -> Answers:
    """Return a row for each pair of systems on a screen, with the columns of preferences."""
    answers = Answers(questions={PREFERENCE: None})
    item = next((name for name in _ITEMS if name in export.columns), None)
    rater = next((name for name in _RATERS if name in export.columns), None)
    languages = [name for name in _KEPT if name in export.columns]
    for number, row in enumerate(export.rows, 1):
        ranked = _ranked(row)
        kept = {name: row[name] for name in languages}
        kept[ITEM] = number if item is None else row.get(item)
        if rater is not None:
            kept[RATER] = row.get(rater)
        for (first, rank), (second, other) in combinations(ranked.items(), 2):
            better = "tie" if rank == other else "a" if rank < other else "b"
            answers.rows.append({**kept, "system_a": first, "system_b": second, PREFERENCE: better})
    answers.notes.append("each pair of systems on a screen is a preference for the one of the lower rank")
    return answers


def _ranked(row: Record) -> dict[str, float]:
    """Return the rank of each system on a screen; the better one of a system that stands twice."""
    ranks: dict[str, float] = {}
    for place in range(1, _MOST + 1):
        system, rank = row.get(f"system{place}Id"), finite_number(row.get(f"system{place}rank"))
        if system and rank is not None and rank > 0:
            ranks[str(system)] = min(rank, ranks.get(str(system), rank))
    return ranks
