"""LSTM language models read by numpy: twins that read a token at a time, files that are checked."""

import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from refusals import refused

from slor_metric.estimator import SLOR
from slor_metric.language_models import load_language_model
from slor_metric.language_models.lstm.model import LSTMLanguageModel, SmallLanguageModel
from slor_metric.language_models.lstm.storage import LSTM_FILE, SMALL_FILE, NetworkShape, as_floats
from slor_metric.tokenizers.words import SPECIALS
from tests.support.language_model_checks import check_language_model
from tests.support.tiny_small_model import TOKENS, save_random_model, save_random_network

WORDS = "cats see the moon .".split()


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A network of two layers over words, and one of one layer over WordPieces with rare ones apart, in 8 bits."""
    folders = {kind: tmp_path_factory.mktemp(kind) for kind in ("lstm", "small")}
    shape = NetworkShape(3 + len(WORDS), layers=2, hidden=7, embedding=5)
    save_random_network(folders["lstm"] / LSTM_FILE, shape, 0.5, [*SPECIALS, *WORDS], "words")
    shape = NetworkShape(len(TOKENS), 1, hidden=9, embedding=6, projection=6, cutoffs=(7, 20))
    save_random_model(folders["small"] / SMALL_FILE, shape, 0.5)
    return folders


@pytest.fixture(scope="module")
def models(folders):
    return {"lstm": LSTMLanguageModel.load(folders["lstm"]), "small": SmallLanguageModel.load(folders["small"])}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def log_softmax(x):
    return x - np.logaddexp.reduce(x)


def one_by_one(model, text):
    """The twin: the equations of the LSTM, one token at a time, in double precision."""
    w, shape = {name: as_floats(value).astype(np.float64) for name, value in model.weights.items()}, model.shape
    ids = [model.tokens.index(token) for token in model.token_logprobs([text])[0].pieces]
    h, c = np.zeros((shape.layers, shape.hidden)), np.zeros((shape.layers, shape.hidden))
    found = []
    for token, following in zip([1, *ids], [*ids, 2], strict=True):
        x = w["embedding"][token]
        for k, name in enumerate(("lstm", "lstm_1")[: shape.layers]):
            i, f, g, o = np.split(w[name] @ np.concatenate([x, h[k]]) + w[f"{name}_bias"], 4)
            c[k] = sigmoid(f) * c[k] + sigmoid(i) * np.tanh(g)
            x = h[k] = sigmoid(o) * np.tanh(c[k])
        x = w["projection"] @ x if shape.projection else x
        frequent = log_softmax(w["head"] @ x + w["head_bias"])
        cluster = sum(following >= cutoff for cutoff in shape.cutoffs)
        if cluster == 0:
            found.append(frequent[following])
        else:
            within = log_softmax(w[f"outer_{cluster - 1}"] @ (w[f"inner_{cluster - 1}"] @ x))
            found.append(frequent[shape.cutoffs[0] + cluster - 1] + within[following - shape.cutoffs[cluster - 1]])
    return found


TEXTS = st.lists(
    st.lists(st.sampled_from("cats see the moon . Dogs quux <s> </s> <unk>".split()), max_size=12).map(" ".join),
    max_size=8,
)


@pytest.mark.parametrize("kind", ["lstm", "small"])
@given(texts=TEXTS, seed=st.integers(0, 99))
@example(texts=[". cats <unk> moon"], seed=0)
def test_equals_twin_in_any_batch(models, kind, texts, seed):
    lm, order = models[kind], list(range(len(texts)))
    random.Random(seed).shuffle(order)
    results = lm.token_logprobs([*(texts[i] for i in order), "cats see " * 20])
    for i, result in zip(order, results, strict=False):
        assert_allclose([*result.logprobs, result.end_logprob], one_by_one(lm, texts[i]), atol=2e-4, rtol=0)


@pytest.mark.parametrize("kind", ["lstm", "small"])
def test_contract(models, kind):
    check_language_model(models[kind])


def test_metrics_read_it(folders, models):
    lm = models["small"]
    for name in (folders["small"], folders["small"] / SMALL_FILE, f"small:{folders['small']}"):
        assert load_language_model(name).signature == lm.signature
    assert load_language_model(f"lstm:{folders['lstm']}").signature == models["lstm"].signature
    result = SLOR(str(folders["small"]), unknown="score").predict(["cats see", "the moon."])
    batch = lm.batch_logprobs(["cats see", "the moon."])
    assert_allclose(result.values, np.add.reduceat(batch.log_odds, batch.offsets[:-1]) / np.diff(batch.offsets))
    assert lm.signature in result.signature


def test_what_is_no_model(folders, tmp_path):
    with refused(r"no file at .*lstm\.safetensors; expected one that holds an LSTM", FileNotFoundError):
        LSTMLanguageModel.load(tmp_path)
    (tmp_path / SMALL_FILE).write_bytes((folders["small"] / SMALL_FILE).read_bytes()[:-100])
    with refused("holds a small language model, but"):
        load_language_model(tmp_path)
