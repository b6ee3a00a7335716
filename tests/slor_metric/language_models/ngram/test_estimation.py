"""Modified Kneser–Ney against kenlm's lmplz, against a dictionary-based twin, and against the axioms."""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slor_metric.language_models.ngram import train_ngram
from slor_metric.language_models.ngram.estimation import FALLBACK_DISCOUNTS, discounts
from tests.support.language_model_checks import ngrams_of

TEXT = ["the cat sat on the mat", "the dog sat on the cat", "a cat and a dog ran", "the cat ran"]

# Output of `lmplz -o 3 --discount_fallback` (kenlm 0.3.0) for TEXT: log10 p and log10 back-off.
LMPLZ = """
-1.1205739|<unk>|0
0|<s>|-0.033858262
-1.1205739|</s>|0
-1.0898393|the|-0.17069621
-1.0898393|cat|-0.15490194
-1.0898393|sat|-0.18708666
-0.92008823|on|-0.15490194
-0.92008823|mat|-0.15490194
-0.92008823|and|-0.15490194
-1.0898393|ran|-0.18708666
-0.89268726|cat </s>|0
-1.1236976|<s> the|-0.30103
-0.44743016|on the|-0.30103
-0.63848674|the cat|-0.30103
-0.8232877|<s> a|-0.30103
-0.36842299|sat on|-0.30103
-0.6369866|the cat </s>|
-0.16847602|sat on the|
-0.348454|<s> the cat|
-0.43777472|on the cat|
-0.48403588|on the mat|
-0.2193518|a dog ran|
"""

# The same with `--prune 0 1 1`: all n-grams of orders 2 and 3, and the unigrams whose back-off changes.
LMPLZ_PRUNED = """
0|<s>|0
-1.0898393|the|-0.08354606
-1.0898393|a|0
-1.0898393|sat|-0.18708666
-0.39876327|ran </s>|0
-1.0898393|<s> the|-0.17609124
-0.44743016|on the|0
-0.6160351|the cat|0
-0.36842299|sat on|-0.30103
-0.16847602|sat on the|
-0.30563855|<s> the cat|
"""


def listed(model):
    """All n-grams of a model with log10 p and log10 back-off."""
    trie, scale = model.trie, math.log(10)
    return {
        " ".join(model.tokens[word] for word in name): (
            trie.logprobs_of(len(name), node) / scale,
            trie.backoffs_of(len(name), node) / scale if len(name) < model.order else None,
        )
        for name, node in ngrams_of(trie).items()
    }


@pytest.mark.parametrize(
    "prune, sizes, written",
    [(None, (12, 18, 19), LMPLZ), ((0, 1, 1), (12, 5, 2), LMPLZ_PRUNED)],
    ids=["whole", "with cut-offs"],
)
def test_equals_what_lmplz_wrote(prune, sizes, written):
    model = train_ngram(TEXT, order=3, tokenizer="whitespace", prune=prune)
    assert model.trie.sizes == sizes
    mine = listed(model)
    for line in written.split("\n")[1:-1]:
        logprob, name, backoff = line.split("|")
        assert mine[name][0] == pytest.approx(float(logprob), abs=1e-6), name
        if backoff:
            assert mine[name][1] == pytest.approx(float(backoff), abs=1e-6), name


# The twin: dictionaries of tuples, one formula after the other.


def twin(sentences, order):
    """Chen & Goodman's interpolated modified Kneser–Ney: p of each n-gram and gamma of each context."""
    raw = Counter()
    for sentence in sentences:
        framed = ["<s>", *sentence, "</s>"]
        for n in range(1, order + 1):
            raw.update(tuple(framed[i : i + n]) for i in range(len(framed) - n + 1))
    adjusted = defaultdict(Counter)
    for ngram, count in raw.items():
        if len(ngram) == order or ngram[0] == "<s>":
            adjusted[len(ngram)][ngram] += count
        if len(ngram) > 1:
            suffix = ngram[1:]
            if suffix[0] != "<s>":
                adjusted[len(suffix)][suffix] += 1
    adjusted[1][("<s>",)] = 0
    adjusted[1][("<unk>",)] = 0
    p = {}
    gamma = {}
    for n in range(1, order + 1):
        amounts = (0.0, *discounts(np.array(list(adjusted[n].values()))))
        totals = Counter()
        free = defaultdict(float)
        for ngram, count in adjusted[n].items():
            totals[ngram[:-1]] += count
            free[ngram[:-1]] += amounts[min(count, 3)]
        for context, total in totals.items():
            gamma[context] = free[context] / total
        for ngram, count in adjusted[n].items():
            lower = p[ngram[1:]] if n > 1 else 1 / (len(adjusted[1]) - 1)
            p[ngram] = (count - amounts[min(count, 3)]) / totals[ngram[:-1]] + gamma[ngram[:-1]] * lower
    return p, gamma


sentences_of = st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), min_size=1, max_size=25)


@given(sentences=sentences_of.filter(any), order=st.integers(1, 5))
def test_equals_the_twin(sentences, order):
    sentences = [sentence for sentence in sentences if sentence]
    p, gamma = twin(sentences, order)
    mine = listed(train_ngram([" ".join(s) for s in sentences], order=order, tokenizer="whitespace"))
    mine.pop("<s>")
    p.pop(("<s>",))
    assert {tuple(name.split()) for name in mine} == set(p)
    for ngram, probability in p.items():
        logprob, backoff = mine[" ".join(ngram)]
        assert 10**logprob == pytest.approx(probability, rel=1e-5)
        if backoff is not None:
            assert 10**backoff == pytest.approx(gamma.get(ngram, 1.0), rel=1e-5)


def test_probabilities_sum_to_one_for_every_context():
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(30)]
    weights = 1 / np.arange(1, 31)
    lines = [" ".join(rng.choice(words, size=rng.integers(1, 12), p=weights / weights.sum())) for _ in range(400)]
    for options in ({}, {"prune": (0, 0, 1)}, {"max_ngrams": 150}):
        model = train_ngram(lines, order=3, tokenizer="whitespace", **options)
        everything = [t for t in model.tokens if t not in ("<s>", "</s>")]
        # The back-off weights are rounded to 8 bits last, which moves the sums a little.
        tolerance = 0.02 if model.trie.logprob_values is not None else 1e-5
        for context in ("", "w0", "w1 w0", "w3 w1", "w29 w28", "w0 w0 w5", "zebra w2"):
            scored = model.token_logprobs([f"{context} {token}" for token in everything])
            end = model.token_logprobs([context])[0].end_logprob
            total = sum(math.exp(text.logprobs[-1]) for text in scored) + math.exp(end)
            assert total == pytest.approx(1, abs=tolerance), (options, context)


def test_discounts_of_chen_and_goodman():
    counts = np.repeat([1, 2, 3, 4, 9], [60, 20, 10, 6, 4])
    y = 60 / (60 + 2 * 20)
    assert discounts(counts) == pytest.approx((1 - 2 * y * 20 / 60, 2 - 3 * y * 10 / 20, 3 - 4 * y * 6 / 10))


@pytest.mark.parametrize("counts", [[1, 1, 2], [], [1] * 50 + [2] + [3] * 10])
def test_discounts_fall_back_where_they_are_undefined(counts):
    assert discounts(np.array(counts, dtype=np.int64)) == FALLBACK_DISCOUNTS
