"""The part that a table lacks for a command, and the line that fits once a column is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_kinds import LISTS_OF_TEXTS
from referenceless_metrics.advice.look.columns.column_parts import names_no_rating
from referenceless_metrics.advice.look.columns.ratings import is_criterion
from referenceless_metrics.advice.look.lines.options_of_parts import BY_CHARACTERS, WITH_REFERENCES
from referenceless_metrics.advice.look.lines.parts import Parts, command_line
from referenceless_metrics.core.files.nested_rows import KEY
from referenceless_metrics.core.files.scales_in_words import usual_scale
from referenceless_metrics.core.support.validation import shortened
from referenceless_metrics.human_evaluation.ratings.key_files import columns_of_both_sides, side_pattern, sided_columns
from referenceless_metrics.human_evaluation.ratings.named_pairs import is_side, two_winners

COLUMN = "COLUMN"
"""A word of a command line that stands for the column to be named."""

UNKNOWN = "no column is known to name"
"""The beginning of a note on systems or raters that no column names."""

_ANSWERS = "ANSWERS.csv"
_MOST_NAMES = 60  # of systems or raters
_MOST_COLUMNS = 8  # of ratings that a line names
_SPARSE = 0.5  # share of blank cells of a column that names neither: remarks stand in few rows


def missing_parts(file: str, parts: Parts) -> Iterator[str]:
    """Yield the parts that a table lacks, with the command line to name a column in, if no command fits it."""
    rated = parts.ratings or [column.name for column in parts.all("score")]
    if rated:
        may_be = [column for column in parts.columns if not column.part and 1 < column.distinct <= _MOST_NAMES]
        may_be = [column for column in may_be if column.blank < _SPARSE]
        names = [column.name for column in may_be if column.kind in ("labels", "ids", "whole numbers")]
        options = ["--rating-column", rated[0], *parts.option("item", "item"), *parts.reading]
        sided = list(_of_two_sides(file, parts, rated))
        if sided:
            yield from sided
            return
        yield from _asked(parts, names, "system", command_line("human-score", "--ratings", file, *options))
        yield from _asked(parts, names, "rater", command_line("agreement", file, *options))
        yield from _asked_of_columns(file, parts, rated)
    elif parts.first("preference") and parts.first("system_a") and parts.first("system_b"):
        return  # nothing lacks: what `human-score` asks for is told beside
    elif parts.first("preference"):
        options = [*parts.option("preference"), *parts.option("item", "item"), *parts.option("rater", "rater")]
        line = command_line("human-score", "--ratings", file, *options)
        yield (
            f"column {parts.first('preference')!r} seems to prefer one of two outputs, and no columns are known to "
            f"name their systems; if two do: {line} --system-a-column {COLUMN} --system-b-column {COLUMN}"
            f"{_on_sides(parts, line)}"
        )
    elif (sides := columns_of_both_sides([column.name for column in parts.columns])) and _tell_systems(parts, sides):
        yield (
            f"no command fits this file alone: {_listed(sides)} seem to tell which system is on which side of answers "
            "in another file, as a key does; give both: "
            f"{command_line('human-score', '--ratings', _ANSWERS, '--ratings', file, '--rating-column', COLUMN)}"
        )
    elif winners := [column.name for column in parts.columns if _may_be_of_winners(column)]:
        line = command_line("human-score", "--ratings", file, "--preference-column", winners[0], *parts.reading)
        yield (
            "no command fits, for no column is known to hold texts, ratings or scores; if the two words of "
            f"{_listed(winners)} are systems, of which each row names the better one: {line}"
        )
    elif parts.text is None and any(column.kind in _WITH for column in parts.columns if column.part == "reference"):
        yield _on_outputs(file, parts)
    elif numbers := [column.name for column in parts.columns if _may_be_rating(column)]:
        yield (
            "no command fits, for no column is known to hold texts, ratings or scores; numbers stand in "
            f"{_listed(numbers)}: name one as --rating-column or --score-column"
        )
    else:
        yield "no command fits, for no column holds texts, ratings, scores or preferences that could be told"


def _on_sides(parts: Parts, line: str) -> str:
    """Return the line for preferences between sides that are of one system each, as the end of a note; else ""."""
    words = parts.all("preference")[0].shown.split(", ")
    return f"; if each side is of one system in all rows: {line} --fixed-sides" if all(map(is_side, words)) else ""


_WITH = {
    "text": ("score OUTPUTS.txt", WITH_REFERENCES),
    LISTS_OF_TEXTS: ("compare OUTPUTS.txt OTHER.txt", BY_CHARACTERS),
}
"""The files and metrics of the line for outputs that are to come, by the kind of their references."""


def _on_outputs(file: str, parts: Parts) -> str:
    """Return the note on a table of references, and of inputs, if any, to which the outputs are lacking."""
    reference = next(column for column in parts.columns if column.part == "reference" and column.kind in _WITH)
    source = parts.first("source")
    held = f"{reference.name!r} holds references"
    if source is not None:
        held = f"{source!r} holds inputs and {reference.name!r} references"
    words, metrics = _WITH[reference.kind]
    beside = ["--references", file, "--reference-columns", reference.name, *metrics, *parts.reading]
    return (
        f"{held}, and no column outputs: write what a system makes of each row into a file, a text per line, for "
        f"{command_line(*words.split(), *beside)}"
    )


def _asked(parts: Parts, names: Sequence[str], part: str, line: str) -> Iterator[str]:
    if parts.first(part) is None:
        told = f"{COLUMN} being one of {_listed(names)}" if names else "which this table seems to lack"
        yield f"{UNKNOWN} {part}s; if one does: {line} --{part}-column {COLUMN}, {told}"


def _asked_of_columns(file: str, parts: Parts, rated: Sequence[str]) -> Iterator[str]:
    """Yield the lines for several columns of ratings: of a criterion each by their names, or of a system or a rater."""
    if len(rated) < 2 or any(parts.first(part) for part in ("system", "rater")):
        return
    several = [word for name in rated[:_MOST_COLUMNS] for word in ("--rating-column", name)]
    several += [*parts.option("item", "item"), *parts.reading]
    scored = command_line("human-score", "--ratings", file, *several, "--columns-are")
    if all(map(is_criterion, rated)):
        yield f"if all ratings are of one system: {scored} criteria"
    else:
        yield (
            f"nothing tells what {_listed(rated)} stand for; if they are of a system each: {scored} systems; if of a "
            f"criterion each: the same with criteria; if of a rater each: {command_line('agreement', file, *several)}"
        )


def _tell_systems(parts: Parts, names: Sequence[str]) -> bool:
    """Say whether both columns of sides may name systems."""
    named = [column for column in parts.columns if column.name in names]
    may_name = ("", "system_a", "system_b")
    return all(column.kind == "labels" and column.part in may_name and not column.holds_texts for column in named)


def _of_two_sides(file: str, parts: Parts, rated: Sequence[str]) -> Iterator[str]:
    """Yield the ways to read columns of ratings of two sides, as `fluency_A` and `fluency_B`."""
    families = sided_columns(rated)
    if not families or any(parts.first(part) for part in ("system", "rater")):
        return
    if parts.first("system_a") and parts.first("system_b"):
        systems = _listed([str(parts.first("system_a")), str(parts.first("system_b"))])
        yield (
            f"{systems} name the systems of the two outputs that {_listed(next(iter(families.values())))} are of: give "
            "each output a row of its own, with a column for its system and one for each criterion, for human-score"
        )
        return
    named = [word for stem in families for word in ("--rating-column", stem)]
    named += ["--columns-are", "criteria"] if len(families) > 1 else []
    scored = ("human-score", "--ratings", file)
    patterns = ",".join(side_pattern(first) for first, _ in families.values())
    keyed = command_line(*scored, "--ratings", "KEY.csv", *named)
    fixed = command_line(*scored, *named, "--system-column", KEY, "--rows-in", patterns)
    first = next(iter(families.values()))
    agreed = command_line("agreement", file, *(word for name in first for word in ("--rating-column", name)))
    yield (
        f"nothing tells who wrote the two outputs that {_listed(first)} may be of; if another file does, with a row "
        f"for each item and a column for each side: {keyed}; if each side is of one system in all rows: {fixed}; if "
        f"they are of a rater each: {agreed}"
    )


def _may_be_of_winners(column: Column) -> bool:
    """Say whether a column may name the better of two systems: two words alone, and ties, that are no usual answers."""
    words = column.shown.split(", ")
    is_whole = column.kind == "labels" and not column.part and len(words) == column.distinct
    return is_whole and two_winners(words) is not None and usual_scale(words) is None


def _may_be_rating(column: Column) -> bool:
    return column.is_numeric and not column.part and not names_no_rating(column.name)


def _listed(names: Sequence[str]) -> str:
    return shortened(", ".join(map(repr, names)), 160)
