"""Remarks on what speaks against a plain reading of a table."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from referenceless_metrics.advice.look.columns.column import Column, scale_in_name
from referenceless_metrics.advice.look.columns.column_kinds import LISTS_OF_TEXTS
from referenceless_metrics.advice.look.columns.compared_pairs import remarks_on_votes
from referenceless_metrics.advice.look.columns.deciding_columns import remarks_on_texts
from referenceless_metrics.advice.look.columns.designs import remarks_on_design, remarks_on_means, remarks_on_words
from referenceless_metrics.advice.look.columns.marks import remarks_on_marks
from referenceless_metrics.advice.look.columns.properties import remarks_on_verdicts
from referenceless_metrics.advice.look.columns.roles import remarks_on_raters, remarks_on_sides
from referenceless_metrics.advice.look.columns.systems import are_side_by_side
from referenceless_metrics.advice.look.columns.winners import remarks_on_winners
from referenceless_metrics.advice.look.forms.table_facts import KEYS, cells_in, items_of_systems
from referenceless_metrics.advice.look.lines.on_criteria import criteria_beside_metrics
from referenceless_metrics.advice.look.lines.on_ratings import FEWEST_TEXTS
from referenceless_metrics.advice.look.lines.on_texts import BY_ANSWERS
from referenceless_metrics.advice.look.lines.parts import FEWEST_OUTPUTS, Parts
from referenceless_metrics.advice.look.lines.proposals import ratings_for_all_that_is_known
from referenceless_metrics.advice.look.lines.ranked import remarks_on_ranks
from referenceless_metrics.advice.look.lines.words_of_labels import TO_FILL_IN, words_of
from referenceless_metrics.core.files.reading import cell_of, names_in
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import remarks_on
from referenceless_metrics.core.support.validation import shortened
from referenceless_metrics.human_evaluation.exports.rows import DOCUMENT
from referenceless_metrics.human_evaluation.inference.unnamed_clusters import cluster_in_key, note_on_told
from referenceless_metrics.human_evaluation.ratings.asked_rows import note_on_asked_rows
from referenceless_metrics.human_evaluation.ratings.exports.best_worst import choices_of
from referenceless_metrics.human_evaluation.ratings.stray_points import codes_below
from referenceless_metrics.human_evaluation.wording.human_score_output import FEW_ITEMS

MOST_ROWS = 20_000
"""Most rows that are looked at; the number of the others is estimated."""

NO_ITEM_SHARED = (
    "no two systems share an item: they cannot be compared in pairs; --unpaired says that items were assigned to "
    "systems at random"
)
"""A remark on systems whose items differ."""

_MOST_AT_ONCE = 2  # scores that a line tests without a remark on them
_MANY = 0.5  # share of all ratings that makes a rater's worth a remark

_SUMMARY = re.compile(r"(?:average|mean|total|sum|avg|overall|std|sd|median)(?:\W.*)?", re.IGNORECASE)

_FEWEST_RATINGS = 12  # with which the shares of raters are told


def on_references(systems: Iterable[str], column: str) -> list[str]:
    """Return a remark on each of several systems that is called as a reference."""
    names = list(dict.fromkeys(systems))
    called = [name for name in names if REFERENCE_NAME.fullmatch(name)]
    if len(called) > len(names) - 2:
        return []
    told = "is no system but a reference, by the name"
    return [f"{name!r} {told}: {shlex.join(['--where', f'{column}!={name}'])} leaves it out" for name in called]


def on_documents(table: Table, parts: Parts) -> list[str]:
    """Return a note on clusters that a tool's file tells, of which commands on ratings speak; none without them."""
    own = next((own for own, name in table.own_names.items() if name == DOCUMENT), None)
    item = parts.first("item")
    if own is None or item is None or not table.has(DOCUMENT):
        return []
    n_items, n_clusters = (len(set(map(str, cells_in(table, name)))) for name in (item, DOCUMENT))
    return [note_on_told(own, n_items, n_clusters)]


def doubts_about(table: Table, parts: Parts) -> Iterator[str]:
    """Yield doubts about a plain reading of a table."""
    yield from _on_blanks(table, parts)
    keyed = table.keyed_by_ids()
    if keyed:
        yield (
            f"the keys of the objects in {', '.join(map(repr, keyed))} are other ones in each row, as ids are: they "
            "make no columns"
        )
    yield from remarks_on_marks(parts.columns)
    yield from _on_labels(parts)
    yield from _on_codes(table, parts)
    if 0 < parts.n_outputs < FEWEST_OUTPUTS and (parts.ratings or parts.all("rating of a rater")):
        yield (
            f"the first system has {parts.n_outputs} outputs: `human-score` gives no interval for fewer than "
            f"{FEWEST_OUTPUTS}, but tells the means"
        )
    scores = [column.name for column in parts.all("score") if column.name not in parts.ranks]
    lower = parts.lower_of(scores, table.source)
    if lower:
        listed = shortened(", ".join(map(repr, lower)), 80)
        yield f"lower values of {listed} count as better, by the name; `compare` is told so by --lower-is-better"
    if len(scores) > _MOST_AT_ONCE and parts.n_systems > 1:
        yield (
            f"a line with {len(scores)} scores tests them together (Holm): name those alone that you set out to "
            "compare by (--score-column)"
        )
    criteria = criteria_beside_metrics(parts)
    if criteria:
        yield f"{', '.join(map(repr, criteria))} may be of people: `evaluate` holds the others against them"
    if parts.n_systems > 1 and (unknown := ratings_for_all_that_is_known(table.source, parts)):
        yield f"nothing tells who gave {unknown[0]!r}: the line of `advise` is for people's ratings alone"
    named = parts.first("rating") or parts.first("system_a")
    if not named and (chosen := choices_of(column.name for column in parts.columns)):
        best, worst = next(iter(chosen.values()))
        yield (
            f"{best!r} and {worst!r} name what was best and worst, and no columns name all that was compared: add one "
            "for each of these, as system_1, system_2, system_3"
        )
    if parts.of_systems:
        named = shortened(", ".join(parts.of_systems), 80)
        if not parts.ranks:  # raters do not rank one another
            yield f"columns {named} are taken for one system each; if they are raters, only `agreement` fits"
    item = parts.first("item")
    last = cell_of(table.rows[-1], item) if item is not None and table.rows else ""
    if _SUMMARY.fullmatch(str(last).strip()):
        yield f"the last row is called {last!r}, and counts as an item: if it sums up the others, take it out"
    if parts.listed:
        yield (
            f"the lists in {shortened(', '.join(parts.listed), 80)} may hold the ratings of several outputs, as "
            "`human-score` below takes them, or of several raters"
        )
    if are_side_by_side(parts.columns):
        yield (
            "columns of one number or letter are taken to be of one system, called by it (--system-column key): if "
            "outputs were put in a new order for each item, numbers name no systems"
        )
    if parts.rows_are_items:
        yield "nothing names items: each row, which holds all ratings of an output, is one of its own (--item-column)"
    if parts.texts_are_no_items:
        yield (
            f"raters rated wordings of column {parts.text!r} several times, and nothing names items: `agreement` needs "
            "a column that tells outputs apart (--item-column)"
        )
    if parts.of_controls:
        yield f"column {parts.of_controls!r} calls some rows controls: as a slice they are told apart (--slice-column)"
    answers = [column.name for column in parts.all("reference") if column.kind == LISTS_OF_TEXTS]
    if answers and parts.text is not None:
        yield (
            f"column {answers[0]!r} may hold several right answers in each row: --reference-columns takes them, for "
            f"the metrics {BY_ANSWERS}; of exact match or F1 write a column of numbers into each file, which "
            "`compare --scores FILE --scores OTHER --score-column exact_match` compares"
        )
    yield from remarks_on_design(table, parts.columns)
    yield from remarks_on_means(parts.columns)
    yield from remarks_on_texts(table, parts.columns)
    yield from remarks_on_words(parts.columns)
    yield from remarks_on_raters(table, parts.columns)
    yield from remarks_on_sides(table, parts.columns)
    yield from remarks_on_votes(table, parts.columns)
    yield from remarks_on_verdicts(table, parts.columns)
    yield from remarks_on_ranks(parts)
    yield from remarks_on_winners(table, parts.winners)
    yield from _keys(table, parts)
    yield from _raters(table, parts)
    yield from _scale(parts)
    text = parts.text
    if text is not None and parts.first("reference") and not parts.first("source") and _is_unnamed_text(parts):
        yield f"column {text!r} is taken for outputs; if it holds what these are made from, the file has no outputs"
    if text is not None:
        texts = [cell for row in islice(table.rows, MOST_ROWS) if isinstance(cell := cell_of(row, text), str)]
        yield from remarks_on(table.source, texts, is_plain=False)
        filled = [each for each in texts if each.strip()]
        n_again = len(filled) - len(set(filled))
        if n_again and not parts.first("rater"):
            yield f"{n_again} of {len(filled)} {REPEATED_TEXTS}"
        if parts.first("rating") and len(set(texts)) < FEWEST_TEXTS:
            yield f"only {len(set(texts))} different texts: too few to learn from"


def _is_unnamed_text(parts: Parts) -> bool:
    """Say whether no name tells that the column of texts holds outputs."""
    return any(column.name == parts.text and not column.part for column in parts.columns)


def _on_labels(parts: Parts) -> Iterator[str]:
    """Yield remarks on columns of labels that are ratings: one for all whose labels stand for numbers in one way."""
    told: dict[str, list[str]] = {}
    for column in parts.columns:
        words = words_of(parts, column.name) if column.part == "rating" and column.kind == "labels" else []
        if words and not parts.winners and not column.mark:
            says = "--values WORD=NUMBER,… says for what numbers, if any"
            known = f"{shlex.join(words)} says for what numbers; nothing behind = is a missing rating"
            told.setdefault(says if TO_FILL_IN.search(words[1]) else known, []).append(repr(column.name))
    for says, names in told.items():
        hold = f"column {names[0]} holds" if len(names) == 1 else f"columns {shortened(', '.join(names), 120)} hold"
        yield f"{hold} labels: {says}"


def _on_codes(table: Table, parts: Parts) -> Iterator[str]:
    """Yield a remark on ratings with negative numbers below their scale, which may mark missing answers."""
    rated = [*parts.all("rating"), *parts.all("rating of a rater")]
    of_columns = {
        column.name: codes_below(table.as_numbers(cells_in(table, column.name)))
        for column in rated
        if column.kind == "whole numbers"
    }
    names = [repr(name) for name, codes in of_columns.items() if codes]
    codes = sorted(set(chain.from_iterable(of_columns.values())))
    if not codes:
        return
    numbers = " and ".join(f"{code:g}" for code in codes)
    columns = "column" if len(names) == 1 else f"{len(names)} columns"
    left_out = ",".join(f"{code:g}=" for code in codes)
    yield (
        f"below the scale of {columns} {shortened(', '.join(names), 80)} stands {numbers}, which counts as a rating: "
        f'if it marks missing answers, --values "{left_out}" leaves these out'
    )


REPEATED_TEXTS = "texts repeat an earlier one"

_PARTS_OF_ROWS = ("rating", "score", "item", "system", "rater", "text")
"""Parts of columns of which a blank cell is a doubt."""

_MOST_BLANK = 4
"""Most notes on columns with as many blank cells each; more are one note."""


def _on_blanks(table: Table, parts: Parts) -> Iterator[str]:
    """Yield remarks on columns with blank cells: one for each, or one for all if there are many."""
    blank = [each for each in parts.columns if each.part in _PARTS_OF_ROWS and 0 < each.blank < 1 and not each.mark]
    keys = [each.name for each in parts.columns if each.part in KEYS]
    asked = {each.name: note_on_asked_rows(table, each.name, keys) for each in blank if each.part == "rating"}
    yield from chain.from_iterable(asked.values())
    blank = [each for each in blank if not asked.get(each.name)]
    n_rows = len(table.rows)
    counts = {column.name: round(column.blank * n_rows) for column in blank}
    if len(blank) <= _MOST_BLANK:
        for name, n_blank in counts.items():
            yield f"column {name!r} is blank in {n_blank} of {n_rows} rows"
        return
    fewest, most = min(counts.values()), max(counts.values())
    between = f"{most}" if fewest == most else f"{fewest} to {most}"
    listed = shortened(", ".join(map(repr, counts)), 120)
    yield f"{len(blank)} columns are blank in {between} of {n_rows} rows each: {listed}"


def _keys(table: Table, parts: Parts) -> Iterator[str]:
    """Yield remarks on repeated keys, item numbers that begin again, and systems without common items."""
    item, system = parts.first("item"), parts.first("system")
    if item is None or system is None:
        return
    parts_of_key = names_in(item)
    on_key = cluster_in_key({name: cells_in(table, name) for name in parts_of_key})[1] if len(parts_of_key) > 1 else ""
    if on_key:
        yield on_key
    items, systems = cells_in(table, item), cells_in(table, system)
    names = ("rater", "run", "criterion", "metric", "cluster", "slice")
    others = [column for name in names if (column := parts.first(name)) is not None]
    keys = Counter(zip(items, systems, *(cells_in(table, name) for name in others), strict=True))
    n_repeated = sum(count - 1 for count in keys.values())
    if parts.n_ratings_each:
        yield (
            f"each output of a system stands in {parts.n_ratings_each} rows, of a rater each, maybe, whom no column "
            "tells (--rater-column NAME, if one does)"
        )
    elif n_repeated:
        told = ", ".join(map(repr, [item, system, *others]))
        yield f"{n_repeated} rows repeat the values of {told}"
    if parts.begin_again:
        called = "numbers" if parts.all("item")[0].kind == "whole numbers" else "values"
        yield f"{called} of column {item!r} begin again in each {parts.begin_again!r}"
    if parts.are_unpaired:
        yield NO_ITEM_SHARED
    elif parts.have_other_items and not (parts.ratings or parts.first("score") or parts.apart or parts.are_joined):
        by_system = items_of_systems(table, parts, parts.begin_again).values()
        n_shared, n_items = len(set.intersection(*by_system)), len(set.union(*by_system))
        shared = f"{n_shared} of {n_items} items have outputs of all systems: only these could be compared in pairs"
        if not n_shared:
            shared = f"none of the {n_items} items has outputs of all systems"
        if n_shared == n_items:
            shared = f"column {item!r} numbers the rows of each system, which are of other inputs"
        yield f"{shared}; --unpaired takes the outputs of each system as a sample of its own"
    elif parts.share_few_items and parts.first("score") and not parts.ratings:
        of_first, *of_others = items_of_systems(table, parts, parts.begin_again).values()
        least, *_, most = sorted(len(of_first & each) for each in of_others * 2)
        shared = str(least) if least == most else f"{least} to {most}"
        yield (
            f"the first system shares {shared} items with each other one, of {len(of_first)}: --unpaired takes the "
            "scores of each system as a sample of its own; without it a difference is over the items that both have"
        )
    elif parts.apart:
        first, other = parts.apart
        yield (
            f"{first!r} and {other!r} share no item, as other systems do: these two cannot be compared in pairs; "
            "--unpaired compares them if items were assigned to systems at random, and --where takes a part of the rows"
        )


def _raters(table: Table, parts: Parts) -> Iterator[str]:
    rater = parts.first("rater")
    if rater is None or len(table.rows) < _FEWEST_RATINGS:
        return
    counts = Counter(cells_in(table, rater))
    few = max(1, len(counts) // 10)
    share = sum(count for _, count in counts.most_common(few)) / len(table.rows)
    if len(counts) > 2 and share > _MANY:
        whose = "one rater" if few == 1 else f"{few} raters"
        yield f"{whose} of {len(counts)} gave {share:.0%} of the ratings"


_USUAL_ENDS = (2, 3, 4, 5, 6, 7, 9, 10, 100)


def _such_as(column: Column) -> str:
    """Return an example of the ends of a scale: those of a column's numbers if they are usual, and else none."""
    low, high = map(int, column.ends)
    return f", such as --scale {low}-{high}" if low in (0, 1) and high in _USUAL_ENDS else ""


def _scale(parts: Parts) -> Iterator[str]:
    """Yield a remark on ratings whose scale `human-score` asks for: those of few outputs of two systems."""
    rated = [each for each in parts.columns if each.part in ("rating", "rating of a rater")]
    untold = [each for each in rated if not each.mark and scale_in_name(each, parts.columns) is None]
    plain = [each for each in untold if each.kind == "whole numbers"]
    if plain and parts.n_systems == 2 and parts.n_outputs < FEW_ITEMS:
        yield (
            f"ratings do not tell the ends of their scale ({plain[0].name!r} has {plain[0].shown}); of two systems "
            f"with fewer than {FEW_ITEMS} items `human-score` asks for them: add --scale LOW-HIGH{_such_as(plain[0])}"
        )


REFERENCE_NAME = re.compile(r"(?:.*[^a-z])?(?:refs?|ref[a-d]|references?|gold)(?:[^a-z].*)?", re.IGNORECASE)
