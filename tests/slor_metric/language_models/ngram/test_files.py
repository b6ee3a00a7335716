"""Models on disk: our own format and ARPA files, whole, cut short and foreign."""

import gzip
import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refused
from text_files import write

from slor_metric.estimator import SLOR
from slor_metric.language_models.ngram import NgramLanguageModel, train_ngram
from slor_metric.language_models.ngram.first_order import FirstOrderWarning
from slor_metric.language_models.ngram.storage import quantise
from slor_metric.tokenizers.words import WordTokeniser

LINES = ["the cat sat on the mat", "the dog sat on the cat", "a cat and a dog ran", "the cat ran", "Ünïcode 猫 sat"] * 4
TEXTS = [*LINES, "", "zebra on the mat", "猫"]

ARPA = """made by hand

\\data\\
ngram 1=5
ngram 2=3
ngram 3=1

\\1-grams:
-1.0\t</s>
-99\t<s>\t-0.5
-0.7\ta\t-0.3
-0.9\tb\t-0.2
-2.0\t<unk>

\\2-grams:
-0.4\ta b\t-0.1
-0.6\tb </s>
-0.2\t<s> a\t-0.25

\\3-grams:
-0.1\t<s> a b

\\end\\
"""


def same_scores(one, other, atol=0.0):
    mine, theirs = one.batch_logprobs(TEXTS), other.batch_logprobs(TEXTS)
    assert_array_equal(mine.offsets, theirs.offsets)
    assert_allclose(mine.logprobs, theirs.logprobs, rtol=0, atol=atol)
    assert_allclose(mine.end_logprobs, theirs.end_logprobs, rtol=0, atol=atol)


@pytest.mark.parametrize("tokenizer", ["words", "wordpiece", "whitespace"])
@pytest.mark.parametrize(
    "options",
    [{}, {"order": 1}, {"max_ngrams": 20}, {"order": 2, "max_ngrams": 0}],
)
def test_a_loaded_model_is_the_saved_one(tmp_path, tokenizer, options):
    path = tmp_path / "model.npz"
    lines = LINES * 10 if tokenizer == "wordpiece" else LINES
    trained = train_ngram(lines, path, tokenizer=tokenizer, **{"order": 3, **options})
    loaded = NgramLanguageModel.load(path)
    assert loaded.signature == trained.signature
    assert loaded.unigram.signature == trained.unigram.signature
    same_scores(loaded, trained)
    again = tmp_path / "again.npz"
    loaded.save(again)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.long
def test_more_words_than_16_bits_number(tmp_path):
    lines = [f"w{i} w{(i * 7) % 70_000} w{i // 2}" for i in range(70_000)]
    model = train_ngram(lines, tmp_path / "model.npz", order=2, tokenizer="whitespace")
    assert model.trie.words.dtype == np.uint32
    loaded = NgramLanguageModel.load(tmp_path / "model.npz")
    assert loaded.signature == model.signature


def test_a_tokeniser_of_the_users_own_cannot_be_saved(tmp_path):
    path = tmp_path / "model.arpa"
    write(path, ARPA)

    class Lower(WordTokeniser):
        name = "lower"

    model = NgramLanguageModel.from_arpa(path, tokenizer=Lower())
    assert model.token_logprobs(["A, B"])[0].pieces == ("a", "<unk>", "b")
    assert "lower" in model.signature
    with refused("lower"):
        model.save(tmp_path / "model.npz")


@pytest.mark.parametrize("suffix", [".arpa", ".arpa.gz"])
def test_arpa_by_hand(tmp_path, suffix):
    path = tmp_path / f"model{suffix}"
    with (gzip.open if suffix.endswith("gz") else open)(path, "wt", encoding="utf-8") as file:
        file.write(ARPA)
    model = NgramLanguageModel.from_arpa(path)
    assert model.tokens == "<unk> <s> </s> a b".split()
    assert model.unigram is None
    (scored,) = model.token_logprobs(["a b b zebra a"])
    # <s> a | <s> a b | back-offs of "a b" (no "<s> a b" of order 2 as context is left) … | unknown | after unknown
    expected = [-0.2, -0.1, -0.1 - 0.2 - 0.9, -0.2 - 2.0, -0.7]
    assert_allclose(scored.logprobs / np.log(10), expected, atol=1e-6)
    assert scored.end_logprob / np.log(10) == pytest.approx(-0.3 - 1.0, abs=1e-6)
    assert model.batch_logprobs(["a"]).unigram_logprobs is None


@pytest.mark.parametrize("both", [False, True])
def test_capital_unk_is_a_word_only_beside_the_other(tmp_path, both):
    path = tmp_path / "model.arpa"
    text = ARPA.replace("a b\t-0.1", "a <UNK>\t-0.1").replace("<s> a b", "<s> a <UNK>")
    new = "-2.0\t<unk>\n-1.5\t<UNK>" if both else "-2.0\t<UNK>"
    write(path, text.replace("-2.0\t<unk>", new).replace("ngram 1=5", f"ngram 1={5 + both}"))
    model = NgramLanguageModel.from_arpa(path)
    unknown, named = (model.token_logprobs([f"b a {word}"])[0].logprobs[-1] / np.log(10) for word in ("zzz", "<UNK>"))
    assert_allclose([unknown, named], [-0.3 - 2.0, -0.4] if both else [-0.4, -0.4], atol=1e-6)


@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u3000", "\u2028", "\u0085"])
def test_only_the_formats_own_white_space_separates_words(tmp_path, space):
    """Words may hold any other white space, as kenlm has it; so they are written, too."""
    path, again = tmp_path / "model.arpa", tmp_path / "again.arpa"
    write(path, ARPA.replace("\ta", f"\tx{space}a").replace("<s> a", f"<s> x{space}a"))
    model = NgramLanguageModel.from_arpa(path)
    assert f"x{space}a" in model.tokens
    assert len(model.tokens) == 5
    model.to_arpa(again)
    assert NgramLanguageModel.from_arpa(again).tokens == model.tokens


def test_a_back_off_weight_of_the_highest_order_is_0(tmp_path):
    path = tmp_path / "model.arpa"
    write(path, ARPA)
    plain = NgramLanguageModel.from_arpa(path)
    write(path, ARPA.replace("-0.1\t<s> a b", "-0.1\t<s> a b\t0"))
    same_scores(NgramLanguageModel.from_arpa(path), plain)
    write(path, ARPA.replace("-0.1\t<s> a b", "-0.1\t<s> a b\t-0.3"))
    with refused(r"model\.arpa:21: expected no back-off weight, or 0, at the highest order, but got -0\.3"):
        NgramLanguageModel.from_arpa(path)


def test_slor_without_counts_takes_the_1_grams(tmp_path):
    path = tmp_path / "model.arpa"
    write(path, ARPA)
    with pytest.warns(FirstOrderWarning, match="--unigram FILE"):
        metric = SLOR(str(path))
    assert "|unigram:1grams-whitespace-" in metric.signature
    model = -0.2 - 0.1 - 0.1 - 0.2 - 0.9
    assert metric.predict(["a b b"]).values[0] == pytest.approx((model - (-0.7 - 0.9 - 0.9)) * np.log(10) / 3, abs=1e-6)


@pytest.mark.parametrize("options", [{}, {"max_ngrams": 25}, {"prune": (0, 1)}, {"order": 1}])
def test_arpa_round_trip(tmp_path, options):
    model = train_ngram(LINES, tokenizer="whitespace", **{"order": 3, **options})
    path = tmp_path / "model.arpa"
    model.to_arpa(path)
    again = NgramLanguageModel.from_arpa(path, unigram=model.unigram)
    assert again.trie.sizes == model.trie.sizes
    same_scores(model, again, atol=1e-5)


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("\\data\\", "data", "no ARPA file"),
        ("ngram 2=3", "ngram 3=3", "number of 2-grams"),
        ("\\1-grams:", "\\2-grams:", "1-grams"),
        ("-0.7\ta", "x\ta", r":11: expected a 1-gram"),
        ("-0.6\tb </s>", "-0.6\tb", "expected a 2-gram"),
        ("-0.6\tb </s>", "-0.6\tb zebra", "zebra"),
        ("-0.6\tb </s>", "-0.6\ta b", "listed twice"),
        ("-0.9\tb", "-0.9\ta", "listed twice"),
        ("-0.9\tb", "nan\tb", "expected a 1-gram"),
        ("<s> a b", "b b b", "context of the 3-gram"),
        ("-1.0\t</s>", "-1.0\tc", "lack </s>"),
        ("ngram 3=1", "ngram 3=2", "3-gram"),
        ("ngram 2=3", "ngram 2=2", "3-grams"),
        ("\n\\end\\", "", "cut short"),
    ],
)
def test_arpa_says_what_is_wrong(tmp_path, old, new, message):
    path = tmp_path / "broken.arpa"
    assert old in ARPA
    write(path, ARPA.replace(old, new, 1))
    with refused(message) as caught:
        NgramLanguageModel.from_arpa(path)
    assert "broken.arpa" in str(caught.value)


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_arpa_that_declares_more_than_it_can_hold_takes_no_memory(tmp_path, suffix):
    path = tmp_path / f"large.arpa{suffix}"
    with (gzip.open if suffix else open)(path, "wt", encoding="utf-8") as file:
        file.write(ARPA.replace("ngram 2=3", "ngram 2=10000000000000"))
    tracemalloc.start()
    with refused(r"large\.arpa.*the file declares .* n-grams, which take"):
        NgramLanguageModel.from_arpa(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**21


def test_arpa_refuses_binary_files(tmp_path):
    path = tmp_path / "binary.arpa"
    path.write_bytes(bytes(range(128, 256)) * 10)
    with refused("cannot be read as an ARPA file"):
        NgramLanguageModel.from_arpa(path)


def test_numbers_in_8_bits_err_by_half_a_step_and_keep_zero():
    values = np.random.default_rng(0).normal(-2, 2, 5000)
    values[:10] = 0
    codes, codebook = quantise(values)
    restored = codebook[codes]
    step = (values.max() - values.min()) / 255
    assert np.abs(restored - values).max() <= step  # half a step, but for the level that was moved to zero
    assert (restored[:10] == 0).all()
    assert_array_equal(quantise(restored.astype(np.float64))[0], codes)
    for few in (np.zeros(0), np.zeros(3), np.full(3, -1.5)):
        codes, codebook = quantise(few)
        assert_array_equal(codebook[codes], few)
