"""Posting lists: which texts of a pool have a rare feature, and what those of a batch of candidates hold, tile by tile.

Lists are walked once for all tiles: walking each tile's share of each list would cost more than the matches in it.
"""

from __future__ import annotations

import numpy as np

from bleu_neighbors_metric.kernels.compiled.bit_rows import ROWS_AHEAD, TILE, TILE_BITS
from metric_commons.support.compiled import compiled, compiled_within, prefetch

_FEATURES_AHEAD = 16
_LISTS_AHEAD = 8
"""How far ahead features and posting lists are asked for: each lies somewhere in arrays larger than the caches."""


@compiled()
def postings(features, begins, n_orders, n_nodes):  # type: ignore[no-untyped-def]
    """Transpose texts → features into features → texts (ascending)."""
    starts = np.zeros(n_nodes + 1, np.int64)
    for feature in features:
        starts[feature + 1] += 1
    for node in range(n_nodes):
        starts[node + 1] += starts[node]
    texts = np.empty(len(features), np.int32)
    cursor = starts[:-1].copy()
    n_texts = (len(begins) - 1) // n_orders
    for text in range(n_texts):
        for at in range(begins[text * n_orders], begins[(text + 1) * n_orders]):
            feature = features[at]
            texts[cursor[feature]] = text
            cursor[feature] += 1
    return starts, texts


@compiled()
def without_dense(starts, postings, dense_row):  # type: ignore[no-untyped-def]
    """Return the posting lists of the features that have no dense row: nothing walks the others."""
    kept = np.zeros_like(starts)
    for feature in range(len(dense_row)):
        own = starts[feature + 1] - starts[feature] if dense_row[feature] < 0 else 0
        kept[feature + 1] = kept[feature] + own
    out = np.empty(kept[-1], np.int32)
    for feature in range(len(dense_row)):
        if dense_row[feature] < 0:
            # One by one: to compile the error of slices of different lengths takes seconds (see `ngrams._widened`).
            for at in range(kept[feature + 1] - kept[feature]):
                out[kept[feature] + at] = postings[starts[feature] + at]
    return kept, out


@compiled()
def split_features(features, begins, starts, dense_row, empty):  # type: ignore[no-untyped-def]
    """Part each (candidate, order)'s features into dense rows and posting lists.

    Returns the dense rows, those of a list filled up with the row `empty` to a multiple of eight, and where they begin
    (`ROWS_AHEAD` more follow the last, to be looked ahead at); and of the others where their postings begin and end,
    and where these begin.
    """
    n_lists = len(begins) - 1
    rows = np.empty(len(features) + 7 * n_lists + ROWS_AHEAD, np.uint16)
    for at in range(len(rows)):
        rows[at] = empty
    row_begins = np.zeros(n_lists + 1, np.int64)
    rare_begins = np.empty(len(features), np.int64)
    ends = np.empty(len(features), np.int64)
    list_begins = np.zeros(n_lists + 1, np.int64)
    n_rows = 0
    n_rare = 0
    for which in range(n_lists):
        for at in range(begins[which], begins[which + 1]):
            if at + _FEATURES_AHEAD < len(features):
                ahead = features[at + _FEATURES_AHEAD]
                prefetch(dense_row, ahead)
                prefetch(starts, ahead)
            feature = features[at]
            if dense_row[feature] >= 0:
                rows[n_rows] = dense_row[feature]
                n_rows += 1
            elif starts[feature] < starts[feature + 1]:
                rare_begins[n_rare] = starts[feature]
                ends[n_rare] = starts[feature + 1]
                n_rare += 1
        n_rows += -(n_rows - row_begins[which]) % 8
        row_begins[which + 1] = n_rows
        list_begins[which + 1] = n_rare
    return rows[: n_rows + ROWS_AHEAD], row_begins, rare_begins[:n_rare], ends[:n_rare], list_begins


@compiled_within()
def group_end(batch, first, n_orders, most_matches):  # type: ignore[no-untyped-def]
    """Return how far the candidates from `first` on have no more than so many matches in their posting lists.

    That is one candidate at least, whatever it has.
    """
    matches = 0
    for candidate in range(first, len(batch.lengths)):
        for which in range(batch.list_begins[candidate * n_orders], batch.list_begins[(candidate + 1) * n_orders]):
            matches += batch.ends[which] - batch.begins[which]
        if matches > most_matches and candidate > first:
            return candidate
    return len(batch.lengths)


@compiled_within()
def sort_by_tile(batch, first, stop, index):  # type: ignore[no-untyped-def]
    """Sort what the posting lists of each of some candidates hold by tile, and within a tile by order.

    Returns the matches as places in the counts of a tile, `order * TILE + text`, the highest order first; and where
    those of each (candidate, tile) begin, which is where those of the tile before end, shape (candidates, tiles + 2).
    """
    texts, n_orders = index.texts, len(index.orders)
    n_tiles = index.dense.shape[0]
    begins = np.zeros((stop - first, n_tiles + 2), np.int64)
    n_matches = 0
    for which in range(batch.list_begins[first * n_orders], batch.list_begins[stop * n_orders]):
        n_matches += batch.ends[which] - batch.begins[which]
    places = np.empty(n_matches, np.uint16)
    written = 0
    for candidate in range(first, stop):
        own = candidate * n_orders
        reach = begins[candidate - first]
        for which in range(batch.list_begins[own], batch.list_begins[own + n_orders]):
            if which + _LISTS_AHEAD < len(batch.begins):
                prefetch(texts, batch.begins[which + _LISTS_AHEAD])
            for at in range(batch.begins[which], batch.ends[which]):
                reach[(texts[at] >> TILE_BITS) + 2] += 1
        reach[0] = written
        reach[1] = written
        for tile in range(n_tiles):
            reach[tile + 2] += reach[tile + 1]
        written = reach[n_tiles + 1]
        # Here a tile's begin stands one place further on, and moves up to its end as the matches are put down.
        for step in range(n_orders):
            order = n_orders - 1 - step
            for which in range(batch.list_begins[own + order], batch.list_begins[own + order + 1]):
                for at in range(batch.begins[which], batch.ends[which]):
                    tile = texts[at] >> TILE_BITS
                    places[reach[tile + 1]] = (order << TILE_BITS) + (texts[at] & (TILE - 1))
                    reach[tile + 1] += 1
    return places, begins
