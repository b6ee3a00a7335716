"""KenLM models against the definition of back-off, and against this package's own reader of ARPA files."""

import ctypes
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refused
from text_files import write

from slor_metric.language_models.kenlm import KenLMLanguageModel
from tests.support.language_model_checks import check_language_model

# log10 p and log10 back-off.
ARPA = """\\data\\
ngram 1=6
ngram 2=4
ngram 3=2

\\1-grams:
-1.5\t<unk>\t0
-99\t<s>\t-0.3
-0.9\t</s>\t0
-0.6\tthe\t-0.25
-0.8\tcat\t-0.15
-1.0\tsat\t-0.05

\\2-grams:
-0.2\t<s> the\t-0.1
-0.35\tthe cat\t-0.2
-0.4\tcat sat\t0
-0.3\tsat </s>\t0

\\3-grams:
-0.15\t<s> the cat
-0.12\tthe cat sat

\\end\\
"""
ROWS = [line.split("\t") for line in ARPA.splitlines() if "\t" in line]
#: log10 p and log10 back-off
NGRAMS = {tuple(ngram.split()): (float(p), float(*backoff or "0")) for p, ngram, *backoff in ROWS}


def log10_probability(context, token):
    """The twin: back-off by its definition."""
    ngram = (*context, token)
    if ngram in NGRAMS:
        return NGRAMS[ngram][0]
    return NGRAMS.get(context, (0.0, 0.0))[1] + log10_probability(context[1:], token)


@pytest.fixture(scope="module")
def arpa(tmp_path_factory):
    path = tmp_path_factory.mktemp("kenlm") / "tiny.arpa"
    write(path, ARPA)
    return path


@pytest.fixture(scope="module")
def lm(arpa):
    pytest.importorskip("kenlm")
    return KenLMLanguageModel(arpa)


WORDS = st.lists(st.sampled_from("the cat sat dog <s> </s> <unk> THE".split()), max_size=8)


@given(words=WORDS)
def test_equals_definition(lm, words):
    (result,) = lm.token_logprobs(["  ".join(words)])
    known = [word if word in ("the", "cat", "sat") else "<unk>" for word in words]
    assert list(result.pieces) == known
    history = ["<s>", *known, "</s>"]
    expected = [
        log10_probability(tuple(history[max(0, i - 2) : i]), history[i]) * math.log(10) for i in range(1, len(history))
    ]
    assert_allclose([*result.logprobs, result.end_logprob], expected, atol=1e-5)


def test_contract(lm, arpa):
    check_language_model(lm)
    assert lm.order == 3
    assert lm.signature == KenLMLanguageModel(arpa).signature
    assert lm.signature.startswith("kenlm-3gram-whitespace-unk-")
    assert lm.token_logprobs(["the " + chr(0xD83D)])[0].pieces == ("the", "<unk>")


def test_options(lm, arpa):
    words = KenLMLanguageModel(arpa, tokenizer="words")
    assert words.token_logprobs(["The cat sat!"])[0].pieces == ("the", "cat", "sat", "<unk>")
    skipping = KenLMLanguageModel(arpa, oov="skip")
    (all_tokens,), (known,) = lm.token_logprobs(["the dog sat"]), skipping.token_logprobs(["the dog sat"])
    assert known.pieces == ("the", "sat")
    assert_array_equal(known.logprobs, all_tokens.logprobs[[0, 2]])
    assert len({lm.signature, words.signature, skipping.signature}) == 3
    with refused("argument `oov`"):
        KenLMLanguageModel(arpa, oov="drop")
    with refused("argument `tokenizer`"):
        KenLMLanguageModel(arpa, tokenizer="bpe")


def test_errors(tmp_path, lm):
    with refused("no KenLM model at", FileNotFoundError):
        KenLMLanguageModel(tmp_path / "absent.arpa")
    with refused("argument `path`", TypeError):
        KenLMLanguageModel(3)


def write_binary(arpa, path):
    """Write what `build_binary` writes: the package's own `Config` does not show the field that says where to."""
    kenlm = pytest.importorskip("kenlm")
    config, name = kenlm.Config(), ctypes.create_string_buffer(os.fsencode(path))
    config.show_progress, config.arpa_complain = False, kenlm.ARPALoadComplain.NONE
    fields = id(config) + 2 * ctypes.sizeof(ctypes.c_void_p)  # behind the head of the object
    assert ctypes.c_int.from_address(fields + 88).value == kenlm.ARPALoadComplain.NONE
    ctypes.c_void_p.from_address(fields + 96).value = ctypes.addressof(name)
    kenlm.Model(str(arpa), config)
    return path


# Reads the files that a line each names, and says of each whether it was refused.
_READ = """
import sys
from slor_metric.language_models.kenlm import KenLMLanguageModel
for line in sys.stdin:
    try:
        KenLMLanguageModel(line.strip()).token_logprobs(["the cat sat", "", "sat dog the the <unk>", "cat"])
    except ValueError as error:
        assert line.strip() in str(error)
        print("refused", flush=True)
    else:
        print("read", flush=True)
"""


VALUES = range(153, 156)  # of a word in the vocabulary's table: its number, by which KenLM finds its probability


def test_damaged_binaries_end_no_process(arpa, tmp_path):
    good = write_binary(arpa, tmp_path / "good.bin").read_bytes()
    names = [str(tmp_path / f"{at}.bin") for at in VALUES] + [str(tmp_path / "good.bin")]
    for name, at in zip(names, VALUES, strict=False):
        Path(name).write_bytes(good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :])
    run = subprocess.run([sys.executable, "-c", _READ], input="\n".join(names), capture_output=True, text=True)
    told = run.stdout.split()
    assert run.returncode == 0, names[len(told)]
    assert told == ["refused"] * len(VALUES) + ["read"]
