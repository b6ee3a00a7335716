"""Interface between Python and the compiled library of `native/`: each function with its arguments.

An argument is a type and a name. Types:

- ``int`` and ``float`` are 64 bits wide;
- ``i4[]`` is an array of int32 (``u`` unsigned, ``f`` floating, ``b`` bool; the digit is the bytes), contiguous, of any
  shape. The function gets the address of its first item and its number of items;
- ``i4[]?`` may be None: the address is null then;
- ``out i4[]`` is written to;
- the name of one of `GROUPS` is an object with those attributes, such as a named tuple; the function gets a pointer to
  a struct of their addresses and sizes.
"""

from __future__ import annotations

GROUPS: dict[str, str] = {
    "AsciiVocabulary": "u8[] whole, i4[] edges, i4[] states, int mode, int seed",
    "NodeTable": "u4[] nodes, f4[]? logprob_values, f4[]? backoff_values, int order, int seed",
    "FrequentWords": "u4[] letters, i8[] begins, u4[] slots, u8[] traces, u4[] alphabet, int seed",
    "Index": "i8[] lengths, i8[] orders, u8[] dense, i4[] texts",
    "Batch": "i8[] lengths, u2[] rows, i8[] row_begins, i8[] begins, i8[] ends, i8[] list_begins, i8[] excluded",
    "Scoring": "float threshold, int smoothing, float smooth_value",
    "Worths": "i8[]? words, i4[]? limbs, f8[]? values",
    "Sums": "out i8[] n_neighbors, out i8[] words, out f8[] weight, out f8[] ratings",
    "SmallNetwork": "i1[] embedding, f4[] embedding_scales, i1[] packed, f4[] scales, f4[] bias, i8[] sizes, "
    "i8[] cutoffs",
    "DetectorNetwork": "i1[] embedding, int vocabulary, f4[] of_classes, i1[] packed, f4[] scales, f4[] bias, "
    "i8[] sizes, int guess_width",
}

FUNCTIONS: dict[str, str] = {
    "exponentials": "f8[] x, out f8[] y",
    "logarithms": "f8[] x, out f8[] y",
    "roots": "f8[] x, out f8[] y, int degree",
    "postings": "i4[] features, i8[] begins, int n_orders, out i8[] starts, out i4[] texts",
    "without_dense": "i8[] starts, i4[] lists, i4[] dense_row, out i8[] kept, out i4[] remaining",
    "split_features": "i4[] features, i8[] begins, i8[] starts, i4[] dense_row, int empty, out u2[] rows, "
    "out i8[] row_begins, out i8[] rare_begins, out i8[] rare_ends, out i8[] list_begins",
    "fill_bit_rows": "i8[] starts, i4[] texts, i8[] dense_features, out u8[] rows",
    "lists_ascend": "i8[] starts, i4[] texts",
    "part_ascii": "u1[] text, i8[] n_characters, u4[] signs, u4[] plain, int is_all_other, out u1[] characters, "
    "out u1[] others, out i8[] lengths, out i8[] sizes",
    "index_vocabulary": "u1[] text, i8[] lengths, i4[] ids, int mode, int seed, out u8[] whole, "
    "out i4[] edges, out i4[] states",
    "encode_ascii": "u1[] text, i8[] lengths, i4[] encoded, AsciiVocabulary vocabulary, int unknown, int before, "
    "int after, out i4[] out",
    "write_words": "u1[] text, i8[] lengths, u1[] others, out u1[] words",
    "number_words": "u1[] words, int seed, out u4[] numbers, out i8[] starts, out i8[] ends, out i8[] n_types",
    "common_subsequences": "u4[] numbers, int n_types, i8[] counts, out i8[] lcs, out i8[] lengths",
    "index_frequent_words": "u4[] letters, i8[] begins, int seed, out u4[] slots, out u8[] traces",
    "find_misspellings": "u4[] letters, i8[] begins, FrequentWords frequent, out b1[] found",
    "read_words": "u1[] text, i8[] lengths, i4[] codes, int n_kinds, AsciiVocabulary vocabulary, int n_known, "
    "FrequentWords frequent, int spares_first, out i8[] numbers, out i1[] kinds, out i8[] offsets",
    "mark_names": "i1[] kinds, i8[] offsets, out b1[] names",
    "mark_pieces": "b1[] names, i8[] offsets, b1[] starts, i8[] piece_offsets, out b1[] of_names",
    "scan_texts": "u1[] text, i8[] n_characters, out u1[] flags",
    "index_words": "u4[] points, int n_frequent, int seed, out i8[] table",
    "count_characters": "u1[] text, i8[] lengths, i4[] others, f8[] logprobs, i8[] table, int seed, out f8[] sums, "
    "out i8[] counts",
    "index_function_words": "u4[] points, i8[] begins, u8[] properties, int seed, out u8[] table",
    "count_function_words": "u4[] points, i8[] begins, u4[] unnamed, i8[] unnamed_begins, u8[] table, int seed, "
    "int of_others, out i8[] counts",
    "ngram_slots": "u4[] children, int vocabulary",
    "coded_ngram_slots": "u2[] children, int vocabulary",
    "fill_ngram_nodes": "u4[] words, u4[] children, f4[] logprobs, f4[] backoffs, int vocabulary, int seed, "
    "out u4[] nodes",
    "fill_coded_ngram_nodes": "u2[] words, u2[] children, u1[] logprobs, u1[] backoffs, int vocabulary, "
    "int seed, out u4[] nodes",
    "frame_tokens": "i4[] ids, i8[] offsets, out i4[] framed",
    "score_ngrams": "i4[] framed, NodeTable table, out i4[] ids, out f8[] logprobs, out i8[] offsets, "
    "out f8[] end_logprobs",
    "add_up": "i4[] ids, i8[] offsets, f8[] logprobs, f8[] unigram, u1[] flags, out f8[] totals",
    "capped_log_odds": "i4[] ids, i8[] offsets, f8[] logprobs, f8[] unigram, u1[] flags, out f8[] odds",
    "fluency_costs": "i8[] numbers, i1[] kinds, i8[] offsets, f8[] piece_odds, i8[] piece_offsets, b1[] piece_starts, "
    "f8[] word_odds, f8[] class_odds, f8[] scales, int seed, out f8[]? costs, "
    "out b1[] repeats, out f8[] sums",
    "tally": "Batch batch, Index index, int most_matches, Scoring scoring, Worths worths, Sums sums",
    "count_neighbors": "Batch batch, Index index, int most_matches, Scoring scoring, f8[] thresholds, out i8[] counts",
    "similarities": "Batch batch, Index index, int most_matches, Scoring scoring, out f8[] values",
    "mean_bleu_star": "i4[] features, i8[] begins, i8[] starts, i4[] lists, i8[] lengths, f8[] weights, "
    "float total_weight, i8[] orders, int smoothing, float smooth_value, int effective, out f8[] means",
    "weigh_terms": "i4[] nodes, i8[] begins, i4[] terms, f8[] idf, f8[] logs, out i4[] columns, out f8[] values, "
    "out i8[] starts",
    "gram_matrix": "i4[] columns, i8[] begins, f8[] values, int n_columns, out f8[] gram",
    "learn_ngrams": "i8[] tokens, i8[] offsets, i8[] orders, i8[] table, int seed, int n_nodes, int clip, "
    "out i4[] features, out i8[] begins, out i8[] grown",
    "take_table": "int address, out i8[] table",
    "find_ngrams": "i8[] tokens, i8[] offsets, i8[] orders, i8[] table, int seed, int n_nodes, int clip, "
    "out i4[] features, out i8[] begins",
    "read_small": "i4[] framed, i8[] starts, i8[] lengths, SmallNetwork network, out f8[] logprobs, out i1[]? guesses",
    "detect_faults": "i1[] scalars, i1[] guesses, i8[] guess_rows, i4[] pieces, i4[] classes, i8[] offsets, "
    "i8[] texts, DetectorNetwork network, out f8[] logprobs",
}
