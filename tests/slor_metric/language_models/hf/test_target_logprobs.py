"""The output layer on chosen tokens, cut along its words or not, beside the whole softmax."""

import pytest

torch = pytest.importorskip("torch")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from slor_metric.language_models.hf import head as module  # noqa: E402
from slor_metric.language_models.hf.head import target_logprobs  # noqa: E402


def twin(hidden, targets, layer):
    return layer(hidden).double().log_softmax(dim=1)[torch.arange(len(targets)), targets]


def drawn(seed, tokens, width, words, *, bias=True):
    generator = torch.Generator().manual_seed(seed)
    layer = torch.nn.Linear(width, words, bias=bias)
    with torch.no_grad():
        for part in layer.parameters():
            part.copy_(torch.randn(part.shape, generator=generator))
    targets = torch.randint(0, words, (tokens,), generator=generator)
    return torch.randn(tokens, width, generator=generator), targets, layer


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(module, "BLOCK_WORDS", 7)
    monkeypatch.setattr(module, "BLOCK_TOKENS", 5)
    monkeypatch.setattr(module, "CHUNK_ELEMENTS", 64)


@given(
    seed=st.integers(0, 99),
    tokens=st.integers(0, 12),
    width=st.integers(1, 4),
    words=st.integers(1, 30),
    bias=st.booleans(),
    cut=st.booleans(),
)
def test_equal_to_the_whole_softmax(seed, tokens, width, words, bias, cut):
    hidden, targets, layer = drawn(seed, tokens, width, words, bias=bias)
    with torch.inference_mode():
        given_layer = layer if cut else lambda states: layer(states)
        found = target_logprobs(hidden, targets, given_layer, words)
        torch.testing.assert_close(found.double(), twin(hidden, targets, layer), atol=2e-5, rtol=1e-5)
    assert found.shape == (tokens,)


def test_a_layer_with_something_hooked_on_to_it_runs_whole():
    hidden, targets, layer = drawn(0, 4, 3, 20)
    layer.register_forward_hook(lambda _layer, _given, logits: logits * 0.5)
    with torch.inference_mode():
        expected = twin(hidden, targets, layer)
        torch.testing.assert_close(target_logprobs(hidden, targets, layer, 20).double(), expected, atol=2e-5, rtol=1e-5)
