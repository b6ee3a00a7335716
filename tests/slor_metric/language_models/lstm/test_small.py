"""The small language model: a twin in torch, runs that go on, files that are checked."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refused

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from slor_metric.estimator import SLOR  # noqa: E402
from slor_metric.language_models import load_language_model  # noqa: E402
from slor_metric.language_models.lstm.integer_reader import IntegerReader  # noqa: E402
from slor_metric.language_models.lstm.model import Reader, SmallLanguageModel  # noqa: E402
from slor_metric.language_models.lstm.network import LSTMNetwork  # noqa: E402
from slor_metric.language_models.lstm.storage import SMALL_FILE, NetworkShape, as_floats, shrink  # noqa: E402
from slor_metric.language_models.lstm.training import train_small  # noqa: E402
from tests.support.language_model_checks import check_language_model  # noqa: E402
from tests.support.tiny_small_model import TOKENS, save_random_model  # noqa: E402

_WORDS = [f"{a}{b}{c}" for a in "bdgkmt" for b in "aeiou" for c in ("l", "rn", "st", "nd")]
TINY = {
    "vocab_size": 150,
    "hidden": 24,
    "width": 16,
    "epochs": 3,
    "lr": 0.01,
    "validate_every": 2,
    "validation": 0.05,
    "device": "cpu",
    "progress": False,
}
SNAPSHOT = Path("snapshots", "0000010", "lstm.safetensors")


def make_corpus(n=500):
    choose = random.Random(1)
    return [" ".join(choose.choices(_WORDS, range(len(_WORDS), 0, -1), k=choose.randint(1, 9))) for _ in range(n)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "model"
    train_small(make_corpus(), path, **TINY)
    return path


@pytest.fixture(scope="module")
def lm(folder):
    return SmallLanguageModel.load(folder)


TEXTS = [*make_corpus(40), "", "Balbal, zzz dend!", "naïve tast", " ".join(_WORDS)]


def twin(lm):
    """The network as torch has it, with the weights that the 8 bits stand for."""
    network, state = LSTMNetwork(lm.shape), {"lstm.bias_hh_l0": np.zeros(4 * lm.shape.hidden)}
    for name, parts in lm.shape.matrices.items():
        first, *others = parts
        columns, weights = parts[first][-1], as_floats(lm.weights[name])
        state[first] = weights[:, :columns] if weights.ndim == 2 else weights
        if others and weights.ndim == 2:
            state[others[0]] = weights[:, columns:]
    network.load_state_dict({name: torch.tensor(values) for name, values in state.items()})
    return network.eval()


def test_reads_as_torch_does(lm):
    check_language_model(lm)
    network, expected = twin(lm), []
    for found in lm.token_logprobs(TEXTS):
        row = torch.tensor([1, *map(lm.tokens.index, found.pieces), 2])
        with torch.inference_mode():
            expected.append(network.logprobs(network(row[None, :-1])[0], row[1:]).numpy())
    found = lm.token_logprobs(TEXTS)
    for mine, torchs in zip(found, expected, strict=True):
        assert_allclose([*mine.logprobs, mine.end_logprob], torchs, atol=1e-3)
    for mine, text in zip(found, TEXTS, strict=True):
        assert_array_equal(mine.logprobs, lm.token_logprobs([text])[0].logprobs)


@settings(max_examples=12)
@given(
    hidden=st.integers(1, 40),
    embedding=st.integers(1, 20),
    width=st.integers(1, 20),
    cutoffs=st.sampled_from([(), (3,), (20,), (17, 40)]),
)
def test_networks_of_any_size_are_read_as_by_floats(hidden, embedding, width, cutoffs, tmp_path_factory):
    shape = NetworkShape(len(TOKENS), 1, hidden, embedding, 0.0, width, cutoffs)
    file = tmp_path_factory.mktemp("random") / SMALL_FILE
    save_random_model(file, shape, TOKENS, np.arange(len(TOKENS))[::-1].copy(), scale=0.5)
    lm = SmallLanguageModel.load(file)
    framed = lm._encoder.encode(["the cats sat.", "", "a zebra", "the " * 120])
    starts = np.flatnonzero(framed == 1)
    floats = Reader(shape, {name: as_floats(matrix) for name, matrix in lm.weights.items()})
    assert_allclose(IntegerReader(shape, lm.weights).read(framed, starts), floats.read(framed, starts), atol=5e-3)


def test_probabilities_sum_to_one_and_are_learned(folder, lm):
    first = np.array([(1, token, 2) for token in range(len(lm.tokens))], dtype=np.int32)
    found = lm._reader.read(first.ravel(), np.arange(0, first.size, 3))
    assert np.exp(found[1::3]).sum() == pytest.approx(1, abs=1e-5)
    curve = [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]
    assert [point["batches"] for point in curve] == [2, 4, 6, 8, 10, 12]
    assert curve[-1]["perplexity"] < 0.8 * curve[0]["perplexity"]
    assert curve[-1]["tokens"] == 3 * (lm.unigram.counts.sum() + 475)


def test_a_run_goes_on_bit_for_bit_and_a_finished_one_from_where_its_step_size_began_to_fall(
    folder, tmp_path, interrupted
):
    train_small(make_corpus(), tmp_path, **{**TINY, "epochs": 2})
    interrupted(lambda: train_small(make_corpus(), tmp_path, **TINY, checkpoint_seconds=0), 4)
    whole = train_small(make_corpus(), tmp_path, **TINY)
    assert whole.signature == SmallLanguageModel.load(folder).signature
    for name in (SNAPSHOT, SMALL_FILE):
        assert (folder / name).read_bytes() == (tmp_path / name).read_bytes()
    shrink(folder / "lstm.safetensors", tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (folder / SMALL_FILE).read_bytes()


def test_metrics_read_it(folder, lm):
    for name in (folder, folder / SMALL_FILE, f"small:{folder}"):
        assert load_language_model(name).signature == lm.signature
    result = SLOR(str(folder)).score(TEXTS[:3])
    batch = lm.batch_logprobs(TEXTS[:3])
    odds = np.add.reduceat(batch.log_odds, batch.offsets[:-1]) / np.diff(batch.offsets)
    assert_allclose(result.values, odds)
    assert lm.signature in result.signature


def test_a_damaged_file_in_a_folder(folder, tmp_path):
    (tmp_path / SMALL_FILE).write_bytes((folder / SMALL_FILE).read_bytes()[:-100])
    with refused("truncated or damaged"):
        load_language_model(tmp_path)
