"""The description of a file that holds a text or a number in each line."""

from __future__ import annotations

import warnings
from dataclasses import replace

from referenceless_metrics.advice.look.columns.evidence import columns_of
from referenceless_metrics.advice.look.forms.clusters import are_clusters, of_clusters
from referenceless_metrics.advice.look.forms.described import SIZE_OF_FIRST_ROWS, describe, holds_sentences, options_of
from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.forms.doubts import MOST_ROWS
from referenceless_metrics.advice.look.forms.headless import begins_with_labels, look_at_headless
from referenceless_metrics.advice.look.forms.other_languages import OF_OTHER_LANGUAGE, are_of_other_language
from referenceless_metrics.advice.look.forms.shapes import A_NUMBER_PER_LINE, A_TEXT_PER_LINE
from referenceless_metrics.advice.look.lines.on_texts import OF_ANY_LANGUAGE
from referenceless_metrics.advice.look.lines.parts import OTHER, command_line
from referenceless_metrics.core.files.delimited import HeaderError, holds_data
from referenceless_metrics.core.files.json_rows import NUMBER, TEXT
from referenceless_metrics.core.files.reading import InputNote, Reading
from referenceless_metrics.core.files.tables import read_blocks
from referenceless_metrics.core.files.text_io import check_is_no_log, read_table, remarks_on
from referenceless_metrics.core.support.validation import InputError


def look_at_lines(file: str, reading: Reading) -> Look:
    """Look at a file of lines: texts, numbers, or a table with another suffix."""
    blocks = read_blocks(file, reading=reading, default="txt", size=SIZE_OF_FIRST_ROWS)
    table = next(blocks)
    texts = [row[TEXT] for row in table.rows]
    is_part = len(texts) >= MOST_ROWS and next(blocks, None) is not None
    try:
        check_is_no_log(file, texts)
    except InputError as error:
        return Look(file, ".txt", len(texts), is_part, shape="lines that are no texts alone", notes=(str(error),))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        try:
            as_table = table if is_part or holds_sentences(file, reading) else read_table(file, reading)
        except HeaderError as error:
            return look_at_headless(file, replace(reading, format="tsv"), error.n_fields, str(error))
        except InputError:
            as_table = table
    if as_table.columns == (NUMBER,):
        lines = tuple(command_line("compare", "--scores", file, *others) for others in ([], ["--scores", OTHER]))
        columns = tuple(columns_of(as_table))
        return Look(file, ".txt", len(texts), is_part, columns, A_NUMBER_PER_LINE, as_table.notes, lines)
    if len(as_table.columns) > 1:
        # in a .txt file, tsv stands for fields between any delimiter: it is looked for as in other tables
        named = replace(reading, format="tsv")
        has_data = holds_data(as_table.columns, as_table.rows) or begins_with_labels(file, as_table)
        if not reading.columns and has_data:
            return look_at_headless(file, named, len(as_table.columns))
        return describe(file, ".txt that holds a table", as_table, named, columns_of(as_table), is_part=is_part)
    notes = (*table.notes, *remarks_on(file, texts, is_plain=True))
    plain = columns_of(table)
    if are_clusters(file, plain):
        return of_clusters(file, len(texts), plain)
    column = replace(plain[0], part=TEXT)
    commands = [command_line("score", file, *options_of(reading))]
    if column.kind == "text" and are_of_other_language(texts):
        notes = (*notes, OF_OTHER_LANGUAGE)
        commands = [command_line("compare", file, OTHER, *OF_ANY_LANGUAGE, *options_of(reading))]
    if is_part:
        commands.append(command_line("train", "ngram", file, "-o", "model.safetensors"))
    orders = {TEXT: hash(tuple(texts))}
    return Look(file, ".txt", len(texts), is_part, (column,), A_TEXT_PER_LINE, notes, tuple(commands), orders=orders)
