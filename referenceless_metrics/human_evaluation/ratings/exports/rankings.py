"""Rankings of several systems' outputs, turned into preferences.

The form: statmt.org/wmt12/results.html, `wmt12.RNK_results.csv`, and those of 2011 to 2016. A row is a screen of one
rater, with `system1Id`, `system1rank` and so on; 1 is the best rank, equal ranks are ties, and -1 is no rank. Or a
column has the ranks of each system: `rank_base`, `rank_ours`; or one column names the systems in their order, as a list
or as `ours > base = big`; or a column for each rank names the system that has it: `rank_1`, `rank_2`, `rank_3`; or one
column names the best of three or more, as `best` beside `base`, `big` and `ours`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import from_json
from referenceless_metrics.core.support.validation import Record, finite_number
from referenceless_metrics.human_evaluation.ratings.exports.answers import (
    ITEM,
    NO_ITEMS,
    PREFERENCE,
    RATER,
    SAMPLE,
    SYSTEM,
    Answers,
    Export,
)
from referenceless_metrics.human_evaluation.ratings.preference_cells import SIDES

TOOL = "rankings"

_CRITERIA = frozenset(("fluency", "adequacy", "coherence", "overall", "relevance", "quality", "naturalness", "grammar"))
_RANK = re.compile(r"rank(?:ing)?(?:_of)?[ _.-](.+)|(.+)[ _.-]rank(?:ing)?", re.IGNORECASE)
_ORDER = re.compile(r"(?:.*[^a-z])?(?:rank(?:ing|ed|s)?|order(?:ing)?|preferences?)(?:[^a-z].*)?", re.IGNORECASE)
_BEST = re.compile(
    r"(?:.*[^a-z])?(?:best|preferred|preference|winner|choice|chosen|favou?rite|pick|picked|vote)(?:[^a-z].*)?",
    re.IGNORECASE,
)
_FEWEST_CHOSEN = 3  # columns that are named as the best; of two, one is preferred
_WORDS = 3  # of a text in the mean
_NOT_CHOSEN = 2.0
_TIE = 0.5
_FEWEST_ORDERED = 3  # systems in an order: of two, one is preferred
_MOST = 10  # systems on a screen
_ITEMS = ("srcIndex", "segmentId", "item", "id", "item_id", "sentence_id", "prompt_id", "question_id", "idx")
_RATERS = ("judgeId", "judgeID", "rater", "annotator", "worker", "worker_id", "annotator_id", "judge", "user")
_KEPT = ("srclang", "trglang", "srcLang", "trgLang")


def recognises(export: Export) -> bool:
    """Say whether these are rankings: columns of systems and their ranks, or a column for each system's ranks."""
    of_wmt = {"system1Id", "system2Id", "system1rank", "system2rank"} <= set(export.columns)
    if of_wmt or _columns_of_ranks(export) or _columns_of_places(export):
        return True
    return _column_of_orders(export) is not None or _choice_of_columns(export) is not None


def convert(export: Export) -> Answers:
    """Return a row for each pair of systems on a screen, with the columns of preferences."""
    answers = Answers(questions={PREFERENCE: None})
    item = next((name for name in _ITEMS if name in export.columns), None)
    rater = next((name for name in _RATERS if name in export.columns), None)
    columns = _columns_of_ranks(export)
    places = _columns_of_places(export)
    orders = _column_of_orders(export)
    choice = None if columns or places or orders is not None else _choice_of_columns(export)
    languages = [name for name in _KEPT if name in export.columns]
    for number, row in enumerate(export.rows, 1):
        if choice is not None:
            ranked = _ranks_of_choice(row.get(choice[0]), choice[1])
        elif places:
            ranked = {_named(row, name): place for place, name in places.items() if not is_blank(row.get(name))}
        elif orders is not None:
            ranked = _ranks_of_order(row.get(orders)) or {}
        else:
            ranked = _ranked(row) if not columns else _ranks_in(row, columns)
        kept = {name: row[name] for name in languages}
        kept[ITEM] = number if item is None else row.get(item)
        if rater is not None:
            kept[RATER] = row.get(rater)
        for (first, rank), (second, other) in combinations(ranked.items(), 2):
            if choice is not None and rank == other == _NOT_CHOSEN:  # nothing is known of these two
                continue
            better = "tie" if rank == other else "a" if rank < other else "b"
            answers.rows.append({**kept, "system_a": first, "system_b": second, PREFERENCE: better})
    told = "each pair of systems in a row is a preference for the one of the lower rank, of which 1 is best"
    if places:
        told = (
            f"each pair of systems in a row is a preference for the one in the earlier of {', '.join(places.values())}"
        )
    elif orders is not None:
        told = f"each pair of systems in a row is a preference for the one that {orders!r} names first"
    elif choice is not None:
        named = ", ".join(map(repr, choice[1]))
        told = f"the column that {choice[0]!r} names is preferred to each other one of {named}"
    answers.notes.append(told)
    if item is None:
        answers.notes.append(NO_ITEMS)
    return answers


def _columns_of_ranks(export: Export) -> dict[str, str]:
    """Return the columns of ranks by system, such as `rank_base`, whose rows hold 1 to the number of systems."""
    names: dict[str, dict[str, str]] = {}
    for name in export.columns:
        match = _RANK.fullmatch(name)
        if match is not None:
            names.setdefault("first" if match[1] is not None else "last", {})[match[1] or match[2]] = name
    columns = max(names.values(), key=len, default={})
    if len(columns) < 2 or SYSTEM in export.columns or {name.lower() for name in columns} & _CRITERIA:
        return {}
    rows = [[finite_number(row.get(name)) for name in columns.values()] for row in export.rows[:SAMPLE]]
    return columns if all(map(_are_ranks, rows)) and any(map(any, rows)) else {}


def _columns_of_places(export: Export) -> dict[float, str]:
    """Return the columns that name the system of each rank, such as `rank_1`; none unless all rows rank the same."""
    found = {
        float(number): name
        for name in export.columns
        if (match := _RANK.fullmatch(name)) and (number := match[1] or match[2]).isdigit()
    }
    places = dict(sorted(found.items()))
    rows = [row for row in export.rows if not any(is_blank(row.get(name)) for name in places.values())]
    if list(places) != list(range(1, len(places) + 1)) or len(places) < _FEWEST_ORDERED or not rows:
        return {}
    screens = {frozenset(_named(row, name) for name in places.values()) for row in rows}
    systems = next(iter(screens))
    are_names = len(systems) == len(places) and not any(map(finite_number, systems))
    return places if len(screens) == 1 and are_names else {}


def _named(row: Record, column: str) -> str:
    return str(row.get(column)).strip()


def _column_of_orders(export: Export) -> str | None:
    """Return the column that names the systems of each row in their order, the same ones in all rows; None without."""
    for name in export.columns:
        if not _ORDER.fullmatch(name):
            continue
        orders = [_ranks_of_order(row.get(name)) for row in export.rows[:SAMPLE] if not is_blank(row.get(name))]
        systems = {system for order in orders for system in order or {}}
        size = max((len(order) for order in orders if order), default=0)
        if size >= _FEWEST_ORDERED and all(orders) and len(systems) == size:
            return name
    return None


def _choice_of_columns(export: Export) -> tuple[str, list[str]] | None:
    """Return the column that names the best of other columns, and these; None if there is none, or it names a few.

    A column of texts between two that are named is one of them, although it was never the best.
    """
    for name in export.columns:
        if not _BEST.fullmatch(name):
            continue
        cells = [str(row.get(name)).strip() for row in export.rows if not is_blank(row.get(name))]
        named = {cell for cell in cells if not _is_tie(cell)}
        if len(named) < _FEWEST_CHOSEN or not named <= set(export.columns) - {name}:
            continue
        places = [export.columns.index(each) for each in named]
        between = export.columns[min(places) : max(places) + 1]
        compared = [each for each in between if each in named or _holds_texts(export, each)]
        if name not in compared and len(compared) <= _MOST and not any(map(str.isdigit, compared)):
            return name, compared
    return None


def _holds_texts(export: Export, column: str) -> bool:
    """Say whether the first rows hold texts of several words in a column."""
    texts = [str(row.get(column)) for row in export.rows[:SAMPLE] if not is_blank(row.get(column))]
    return sum(len(text.split()) for text in texts) >= _WORDS * max(len(export.rows[:SAMPLE]), 1)


def _is_tie(cell: str) -> bool:
    return SIDES.get(cell.lower()) == _TIE


def _ranks_of_choice(cell: object, systems: Sequence[str]) -> dict[str, float]:
    """Return 1 for the chosen system and 2 for the others; 1 for all if it is a tie, and nothing for a blank cell."""
    if is_blank(cell):
        return {}
    chosen = str(cell).strip()
    if _is_tie(chosen):
        return dict.fromkeys(systems, 1.0)
    return {system: 1.0 if system == chosen else _NOT_CHOSEN for system in systems}


def _ranks_of_order(cell: object) -> dict[str, float] | None:
    """Return the ranks of systems that a cell names in their order.

    >>> _ranks_of_order(["ours", "base"]), _ranks_of_order("ours > base = big"), _ranks_of_order([2, 1])
    ({'ours': 1.0, 'base': 2.0}, {'ours': 1.0, 'base': 2.0, 'big': 2.0}, None)
    """
    order = from_json(cell)
    if isinstance(order, str):
        order = [tier.split("=") for tier in order.split(">")]
    if not isinstance(order, list):
        return None
    tiers = [tier if isinstance(tier, list) else [tier] for tier in order]
    names = [name.strip() if isinstance(name, str) else "" for tier in tiers for name in tier]
    if not 1 < len(set(names)) == len(names) <= _MOST or not all(names) or any(map(str.isdigit, names)):
        return None
    ranks = (float(place) for place, tier in enumerate(tiers, 1) for _ in tier)
    return dict(zip(names, ranks, strict=True))


def _are_ranks(row: Sequence[float | None]) -> bool:
    ranks = [rank for rank in row if rank is not None]
    return not ranks or (min(ranks) == 1 and all(rank.is_integer() and rank <= len(row) for rank in ranks))


def _ranks_in(row: Record, columns: Mapping[str, str]) -> dict[str, float]:
    ranks = {system: finite_number(row.get(name)) for system, name in columns.items()}
    return {system: rank for system, rank in ranks.items() if rank is not None}


def _ranked(row: Record) -> dict[str, float]:
    """Return the rank of each system on a screen; the better one of a system that stands twice."""
    ranks: dict[str, float] = {}
    for place in range(1, _MOST + 1):
        system, rank = row.get(f"system{place}Id"), finite_number(row.get(f"system{place}rank"))
        if system and rank is not None and rank > 0:
            ranks[str(system)] = min(rank, ranks.get(str(system), rank))
    return ranks
