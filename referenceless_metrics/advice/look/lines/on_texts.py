"""Command lines on outputs, with or without references."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.advice.look.columns.column_kinds import LISTS_OF_TEXTS
from referenceless_metrics.advice.look.lines.options_of_parts import (
    ALONE,
    WITH_REFERENCES,
    clusters_of,
    keys_of_scores,
    option_for_each,
    references_of,
    text_of,
)
from referenceless_metrics.advice.look.lines.parts import OTHER, REFERENCES, Parts, command_line, every_pair
from referenceless_metrics.command_line.proposing import without_options
from referenceless_metrics.core.files.nested_rows import ANY, marks_of, plain_name
from referenceless_metrics.core.support.common_ends import common_ends

LIMIT = -2.0
"""The limit of Fluency that is proposed for texts without scores: about one sentence of edited prose in 70 is below."""

OF_ANY_LANGUAGE = ("--references", REFERENCES, *ALONE)
"""The options for outputs that the packaged models do not know, if no column holds references."""

BY_ANSWERS = "chrf, bleu, chrf++ and ter"
"""The metrics that hold a text against several references."""


def of_texts(file: str, parts: Parts, reading: Sequence[str], *, are_valued: bool) -> list[str]:
    """Return the command lines that measure a column of texts: systems against one another, and each text by itself.

    Outputs with a rating or a score are compared by metrics with references alone, and texts that the packaged models
    do not know by metrics that read any language.

    Args:
        file: the file.
        parts: the columns, among them one of texts.
        reading: the options with which the texts are read.
        are_valued: whether there are ratings or scores of the texts.
    """
    system = parts.first("system")
    options, references = text_of(parts), references_of(parts)[:2]
    are_several = parts.n_systems > 1
    are_repeated = any(map(parts.first, ("rater", "rating of a rater", "criterion", "metric", "run")))
    lines = []
    if system is not None and are_several:
        is_unpaired = parts.are_unpaired or parts.have_other_items
        options += ["--system-column", system]
        options += ["--unpaired"] if is_unpaired else [*parts.option("item", "item"), *clusters_of(parts)]
        pairs = every_pair(parts.n_systems)
        if references and not is_unpaired and not (are_valued and are_repeated):
            lines.append(command_line("compare", file, *options, *references, *ALONE, *pairs, *reading))
        if not are_valued and not parts.are_foreign:
            lines.append(command_line("compare", file, *options, *reading))
        if not are_valued and parts.are_foreign and not lines and not is_unpaired:
            lines.append(command_line("compare", file, *options, *OF_ANY_LANGUAGE, *pairs, *reading))
    elif parts.are_foreign and (references or not are_valued):
        by_references = [*references, *ALONE] if references else OF_ANY_LANGUAGE
        lines.append(command_line("compare", file, OTHER, *options, *by_references, *reading))
    elif system is not None and not are_valued:
        lines.append(command_line("compare", file, OTHER, *options, *reading))
    if not parts.are_foreign:
        by_references = (
            [] if are_several else references_of(parts)
        )  # a BLEU of all systems together says nothing of any
        lines.append(command_line("score", file, *text_of(parts), *by_references, *reading))
    return lines


def of_predictions(file: str, parts: Parts, reading: Sequence[str]) -> list[str]:
    """Return the lines that compare systems by their right answers; none without right ones beside them."""
    answers, gold = parts.first("prediction"), [column.name for column in parts.all("gold")[:1]]
    gold = gold or [column.name for column in parts.all("rating of a rater") if column.kind == "labels"]
    if answers is None or not gold:
        return []
    ways = ([], ["--scores", OTHER]) if parts.n_systems < 2 and parts.first("gold") else ([],)
    keys = [*parts.option("item", "item"), *parts.option("system", "system"), *keys_of_scores(parts)]
    held = ["--score-column", answers, *option_for_each("--gold-column", gold)]
    held += ["--squad"] if any(column.kind == LISTS_OF_TEXTS for column in parts.all("gold")[:1]) else []
    return [command_line("compare", "--scores", file, *others, *held, *keys, *reading) for others in ways]


def of_texts_side_by_side(file: str, parts: Parts, names: Sequence[str]) -> list[str]:
    """Return the command line that scores columns of texts, each text in a row of its own.

    Their names differ in one part alone, as `bart_text` and `t5_text`; of others there is none.
    """
    start, end = common_ends(names)
    first = names[0]
    pattern = f"{first[:start]}{ANY}{first[len(first) - end :]}"
    columns = tuple(column.name for column in parts.columns)
    if parts.reading or pattern == ANY or set(marks_of(pattern, columns).values()) != set(names):
        return []
    text = plain_name(pattern)
    return [command_line("score", file, "--rows-in", pattern, *([] if text == "text" else ["--text-column", text]))]


def without_references(words: Sequence[str]) -> list[str]:
    """Return the words of a command line without metrics that compare texts with a column of references.

    >>> without_references(["score", "a.csv", "--reference-columns", "ref", "--with", "bleu,chrf"])
    ['score', 'a.csv']
    """
    return without_options(words, ("--reference-columns", WITH_REFERENCES[0]))


def sources_beside(file: str, parts: Parts) -> list[str]:
    """Return the option that reads sources of each row from a column with the usual name."""
    return ["--sources", file] if any(column.name == "source" for column in parts.columns) else []


def of_dialogues(file: str, parts: Parts) -> list[str]:
    """Return the command lines that score the assistants' turns in lists of turns with their roles."""
    return [command_line("score", file, *each.options, *parts.reading) for each in parts.dialogues]
