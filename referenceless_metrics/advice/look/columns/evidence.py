"""The parts of columns that cells tell if names do not: shared values, values that go together, rows with answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from referenceless_metrics.advice.look.columns.choosing import first_of, texts_of, with_parts
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.compared_pairs import compared_pairs, votes_against_another
from referenceless_metrics.advice.look.columns.criteria_in_cells import find_criteria_in_cells
from referenceless_metrics.advice.look.columns.deciding_columns import (
    labels_about_systems,
    numbers_about_raters,
    systems_of_texts,
)
from referenceless_metrics.advice.look.columns.designs import (
    answers_with_places,
    bleu_figures,
    columns_behind_means,
    compared_versions,
    crossed_systems,
    f_figures,
    items_of_raters,
    lists_behind_means,
    numbered_outputs,
    outputs_called_references,
    predicted_answers,
    raters_of_criteria,
    references_beside,
    right_texts_beside,
    rouge_figures,
    scores_of_score,
    systems_in_ids,
    systems_of_sources,
    varied_systems,
    verdicts_on_numbers,
    versions_of_outputs,
    whole_families,
)
from referenceless_metrics.advice.look.columns.judges import (
    find_judges,
    find_labels_of_judges,
    find_prompts_of_judges,
    models_of_judges,
)
from referenceless_metrics.advice.look.columns.keys import (
    MOST_GROUPS,
    find_groups_of_items,
    find_items,
    find_items_of_sources,
    find_keys,
    find_segments,
    items_by_place,
)
from referenceless_metrics.advice.look.columns.marks import marked_columns
from referenceless_metrics.advice.look.columns.messages import parts_of_chats
from referenceless_metrics.advice.look.columns.metrics import (
    find_metrics_in_cells,
    find_metrics_in_lists,
    find_named_values,
)
from referenceless_metrics.advice.look.columns.named_columns import named_columns
from referenceless_metrics.advice.look.columns.properties import (
    clusters_of_one_item,
    clusters_of_one_row,
    fields_of_spans,
    groups_in_ids,
    items_of_clusters,
    joined_items,
    judges_answers,
    numbered_items,
    properties_of_items,
    questions_and_answers,
    subjects,
    texts_of_items,
    texts_of_systems,
    verdicts_of_scores,
)
from referenceless_metrics.advice.look.columns.raters import (
    find_label_lists,
    find_numbered_raters,
    find_raters_asked_alike,
    find_raters_by_answers,
    find_raters_in_words,
    find_raters_of_lists,
    lone_rater,
)
from referenceless_metrics.advice.look.columns.ratings import (
    RATINGS,
    find_all_of_parts,
    find_answers,
    find_beside_ratings,
    find_called_criteria,
    find_criteria,
    find_on_named_scales,
    find_rated_texts,
    find_ratings,
    find_rescaled,
    find_siblings,
    is_criterion,
)
from referenceless_metrics.advice.look.columns.replies import judges_in_replies, keys_of_requests, requests_in_batches
from referenceless_metrics.advice.look.columns.roles import (
    judges_by_name,
    labels_beside_raters,
    raters_by_numbers,
    raters_in_roles,
    raters_of_same_texts,
    raters_of_sides,
    remarks_of_raters,
)
from referenceless_metrics.advice.look.columns.systems import (
    find_numbered_systems,
    find_ranks_of_systems,
    find_side_by_side,
    find_systems,
    find_texts_of_models,
    find_variants,
    find_verdicts_on_candidates,
    find_ways,
    find_ways_with_an_item,
)
from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import Condition, cell_text
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.scores.columns import cells_of

_MEANS = ("mean", "average", "avg", "median")


def columns_of(table: Table, rated: Collection[str] = ()) -> list[Column]:
    """Return the columns of a table, each with its kind and the part that its name, its kind and its cells tell.

    Args:
        table: the table.
        rated: the systems that ratings in another file name: a column of texts that is called as one is no source.
    """
    columns = _without_sources_called_as(rated, named_columns(table))
    for rule in (
        find_criteria_in_cells,
        find_called_criteria,
        find_on_named_scales,
        fields_of_spans,
        find_metrics_in_lists,
        find_verdicts_on_candidates,
        rouge_figures,
        bleu_figures,
        scores_of_score,
        parts_of_chats,
        compared_pairs,
        references_beside,
        right_texts_beside,
        questions_and_answers,
        _means_of_others,
        judges_in_replies,
        requests_in_batches,
        systems_in_ids,
        keys_of_requests,
        answers_with_places,
        predicted_answers,
        verdicts_on_numbers,
        find_numbered_raters,
        lone_rater,
        raters_of_sides,
        raters_by_numbers,
        find_raters_in_words,
        find_raters_asked_alike,
        labels_beside_raters,
        find_label_lists,
        find_all_of_parts,
        models_of_judges,
        find_keys,
        numbers_about_raters,
        systems_of_texts,
        verdicts_of_scores,
        find_siblings,
        find_ratings,
        marked_columns,
        find_raters_by_answers,
        find_answers,
        find_judges,
        find_labels_of_judges,
        find_beside_ratings,
        find_rescaled,
        verdicts_of_scores,  # that stand beside ratings
        find_named_values,
        find_metrics_in_cells,
        judges_answers,
        subjects,
        systems_of_sources,
        find_numbered_systems,
        find_systems,
        find_ways,
        find_groups_of_items,
        numbered_outputs,
        raters_of_same_texts,
        crossed_systems,
        compared_versions,
        versions_of_outputs,
        varied_systems,
        find_criteria,
        find_items,
        find_segments,
        items_of_clusters,
        clusters_of_one_item,
        clusters_of_one_row,
        numbered_items,
        properties_of_items,
        find_rated_texts,
        find_variants,
        find_ways_with_an_item,
        items_by_place,
        find_items_of_sources,
        texts_of_items,
        texts_of_systems,
        find_side_by_side,
        find_texts_of_models,
        find_raters_of_lists,
        items_of_raters,
        lists_behind_means,
        columns_behind_means,
        raters_of_criteria,
        outputs_called_references,
        whole_families,
        joined_items,
        groups_in_ids,
        raters_in_roles,
        judges_by_name,
        remarks_of_raters,
        find_prompts_of_judges,
        f_figures,
        find_ranks_of_systems,
        _data_sets,
        without_copies,
        votes_against_another,
        labels_about_systems,
    ):
        columns = rule(table, columns)
    return columns


def _without_sources_called_as(rated: Collection[str], columns: Sequence[Column]) -> list[Column]:
    """Return columns of which none of texts is a source by its name alone if that is a rated system's."""
    outputs = [each.name for each in columns if each.part == "source" and each.kind == "text" and each.name in rated]
    return with_parts(columns, dict.fromkeys(outputs, ""))


def without_copies(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which numbers inside an object play no part if a column of the same name beside it has them."""
    held = {column.name: column for column in columns if column.part in (*RATINGS, "score")}
    inner = {name: name.rpartition(".")[2] for name in held}
    copied = [name for name, last in inner.items() if last != name and last in held and _are_copies(table, name, last)]
    return with_parts(columns, dict.fromkeys(copied, ""))


def _are_copies(table: Table, name: str, other: str) -> bool:
    """Say whether two columns hold the same numbers, whether as such or as texts."""
    cells, others = texts_of(table, name), texts_of(table, other)
    if cells == others:
        return True
    numbers, same = table.as_numbers(cells), table.as_numbers(others)
    return bool(np.isfinite(numbers).any()) and np.array_equal(numbers, same, equal_nan=True)


def _data_sets(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell slices by a column of few labels that is called a source, beside another one that holds texts: data sets."""
    sources = [column for column in columns if column.part == "source"]
    few = [column for column in sources if column.kind == "labels" and column.distinct <= MOST_GROUPS]
    has_texts = any(column.kind == "text" for column in sources)
    part = "" if first_of(columns, "slice") is not None else "slice"
    return with_parts(columns, {column.name: part for column in few} if has_texts else {})


def _means_of_others(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns without ratings that are called means alone, and lie outside the scale of criteria beside them."""
    rated = [column for column in columns if column.part == "rating" and column.is_numeric]
    criteria = [column for column in rated if is_criterion(column.name)]
    if not criteria:
        return list(columns)
    high = max(column.ends[1] for column in criteria)
    others = [column for column in rated if column.name.rpartition(".")[2].lower() in _MEANS]
    outside = [column.name for column in others if column.ends[0] > high or column.ends[1] > 2 * high]
    return with_parts(columns, dict.fromkeys(outside, ""))


def where_filled(table: Table, columns: Sequence[Column]) -> Condition | None:
    """Return the condition on a column of labels that holds just for the rows with ratings, if some rows have none.

    Trials of other kinds, as instructions, stand between the answers of an experiment.
    """
    ratings = [column for column in columns if column.part in RATINGS]
    if not ratings or not all(column.blank and not column.mark for column in ratings):
        return None
    filled = [not is_blank(cell) for cell in texts_of(table, ratings[0].name)]
    for column in columns:
        if column.kind != "labels" or column.part in ("system", "rater", "item", *RATINGS):
            continue
        cells = [cell_text(cell) for cell in cells_of(table, column.name)]
        inside = {cell for cell, is_filled in zip(cells, filled, strict=True) if is_filled}
        outside = {cell for cell, is_filled in zip(cells, filled, strict=True) if not is_filled}
        if len(inside) == 1 and not inside & outside and inside != {""}:
            return Condition(column.name, next(iter(inside)))
    return None
