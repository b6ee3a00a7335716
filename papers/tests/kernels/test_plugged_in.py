"""The kernels of the papers plug into the estimator by name, as anybody's do."""

import pytest
from example_fits import check_texts_without_tokens
from refusals import refusals, refused

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.kernels.kernel import IN_PAPERS, KERNELS
from referenceless_metrics.selection.mbr import MBR, UTILITIES


def test_they_are_listed_and_what_learns_or_needs_an_encoder_is_no_utility():
    assert set(KERNELS) >= set(IN_PAPERS)
    assert set(UTILITIES) >= set(IN_PAPERS) - {"bleu_star_learned", "bertscore"}
    with refused("`utility` to be one of"):
        MBR("bleu_star_learned")
    assert (KERNELS["meteor"].threshold, KERNELS["bertscore"].threshold) == (0.18, 0.10)


test_bad_options_are_refused = refusals(
    lambda kernel, options: BLEUNeighbors(kernel=kernel, kernel_options=options).fit(["a text", "another"], [0.0, 1.0]),
    [
        ("meteor", {"wordnet": 3}, r"'wordnet'\]` of meteor to be a folder", TypeError),
        ("meteor", {"wordnet": "/nowhere"}, r"/nowhere: .*lacks data.noun"),
        ("bleu_star_content", {"stop_words": "klingon"}, r"'english' or a list"),
        ("bleu_star_content", {"stop_words": [1]}, r"hold words, but got int 1", TypeError),
        ("bleu_star_pos", {"tagger": "brill"}, r"'textblob' or a function", TypeError),
        ("bleu_star_pos", {"tagger": lambda text: [3]}, r"a list of tags or of .* pairs, but it gave int 3", TypeError),
    ],
)


@pytest.mark.parametrize("n_pool", [1, 8])
@pytest.mark.parametrize("kernel, tokenize", [("idf", "none"), ("learned", "13a"), ("content", "char")])
@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_texts_without_tokens_have_no_neighbours_even_at_threshold_0(kernel, tokenize, n_pool):
    options = {"stop_words": ["of", "the"]} if kernel == "content" else None
    metric = BLEUNeighbors(0.0, 1, 1.0, kernel=f"bleu_star_{kernel}", tokenize=tokenize, kernel_options=options)
    check_texts_without_tokens(metric, n_pool)
