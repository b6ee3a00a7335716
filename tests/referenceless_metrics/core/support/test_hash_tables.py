"""The hash tables of the kernels: results do not depend on their seed, and no text can be written to fill one slot."""

import pickle
import time

import numpy as np
import pytest
from flooding_texts import bigrams_of_few_slots, threes_of_one_slot, words_of_one_hash

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.kernels.ngrams import NgramTrie
from quality_estimation_metric import example
from referenceless_metrics.core.support import native
from slor_metric import FluencyNgram
from slor_metric.fluency.words import index_frequent, misspellings
from slor_metric.language_models.classes import packaged_classes, packaged_letters
from slor_metric.language_models.ngram.model import packaged
from slor_metric.language_models.ngram.scoring import build_table, score_tokens
from slor_metric.language_models.other_languages import FunctionWordCounter
from slor_metric.language_models.prose import ProseReader
from slor_metric.rouge.rouge_lm import rouge_l_mult
from slor_metric.tokenizers.encoder import TextEncoder

TEXTS = ["The cat sat on the mat.", "An unseen sentence, zorbed; it isn't long.", "The cat sat on the mat again.", ""]
SEEDS = [0, 1, 2**63 - 1]


def results():
    """The results of every kernel with a hash table."""
    model = packaged("wordpiece")
    encoded = TextEncoder(model.tokenizer, {token: i for i, token in enumerate(model.tokens)}).encode(TEXTS)
    tokens = np.frombuffer("".join(TEXTS).encode("utf-32-le"), np.uint32).astype(np.int64)
    trie, offsets = NgramTrie((1, 2, 3), clip=True), np.array([0, 20, len(tokens)])
    learned = trie.features(tokens, offsets, learning=True)
    prose = ProseReader(packaged_letters(), packaged_classes().words[:5000]).read(TEXTS)
    return [
        encoded,
        *score_tokens(encoded, len(TEXTS), build_table(model.trie)),
        *learned,
        *trie.features(tokens, offsets),
        *prose.counts.values(),
        FunctionWordCounter(packaged_classes().words, 1000).count([*TEXTS, "Die Stadt will."], [*TEXTS, ""]),
        misspellings(["sciense", "zorbed", "whcih"], index_frequent(["science", "which"])),
        rouge_l_mult(TEXTS, [[text, TEXTS[0]] for text in reversed(TEXTS)]),
        FluencyNgram().predict(TEXTS).values,
    ]


@pytest.mark.long
def test_no_result_depends_on_the_seed(monkeypatch):
    expected = [array.tobytes() for array in results()]
    for seed in SEEDS:
        monkeypatch.setattr(native, "SEED", seed)
        assert [array.tobytes() for array in results()] == expected


def test_a_pickled_pool_is_read_by_a_process_with_another_seed(monkeypatch):
    fitted = BLEUNeighbors().fit(example.TEXTS, example.RATINGS)
    expected, pickled = fitted.predict(example.TEXTS), pickle.dumps(fitted)
    assert expected.n_covered > 0
    monkeypatch.setattr(native, "SEED", 7)
    np.testing.assert_array_equal(pickle.loads(pickled).predict(example.TEXTS).values, expected.values)


def words(n):
    return lambda: " ".join(words_of_one_hash(n)), lambda text: rouge_l_mult([text], [["the cat"]])


def threes(n):
    metric = FluencyNgram()
    return lambda: " ".join(threes_of_one_slot(packaged_classes().words, n)), lambda text: metric.predict([text])


def bigrams(n):
    rest = [f"the cat sat on the mat {number}" for number in range(9)]
    return lambda: bigrams_of_few_slots(n), lambda text: BLEUNeighbors(0.08).fit([text, *rest], np.arange(10.0))


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("flood, n", [(words, 40_000), (threes, 80_000), (bigrams, 80_000)])
def test_a_flood_takes_no_longer_than_the_same_characters_in_another_order(flood, n):
    make, use = flood(n)
    text, rng = make(), np.random.default_rng(0)
    calm = " ".join(rng.permutation(text.split())) if " " in text else "".join(rng.permutation(list(text)))
    use("a cat sat")
    seconds = []
    for given in (calm, text):
        begin = time.process_time()
        use(given)
        seconds.append(time.process_time() - begin)
    assert seconds[1] < 3 * seconds[0] + 0.1  # with tables without a secret: 5 to 100 times as long
