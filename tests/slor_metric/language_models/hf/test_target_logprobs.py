"""The output layer on chosen tokens, cut along its words or not, beside the whole softmax."""

import pytest

torch = pytest.importorskip("torch")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from slor_metric.language_models.hf import head as module  # noqa: E402
from slor_metric.language_models.hf.head import target_logprobs  # noqa: E402


def twin(hidden, targets, layer, finish=None):
    logits = layer(hidden).double()
    return (logits if finish is None else finish(logits)).log_softmax(dim=1)[torch.arange(len(targets)), targets]


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
    capped=st.booleans(),
    cut=st.booleans(),
)
def test_equal_to_the_whole_softmax(seed, tokens, width, words, bias, capped, cut):
    hidden, targets, layer = drawn(seed, tokens, width, words, bias=bias)
    finish = (lambda logits: 3 * torch.tanh(logits / 3)) if capped else None
    with torch.inference_mode():
        given_layer = layer if cut else lambda states: layer(states)
        found = target_logprobs(hidden, targets, given_layer, words, finish)
        torch.testing.assert_close(found.double(), twin(hidden, targets, layer, finish), atol=2e-5, rtol=1e-5)
    assert found.shape == (tokens,)


def test_a_layer_with_something_hooked_on_to_it_runs_whole():
    hidden, targets, layer = drawn(0, 4, 3, 20)
    layer.register_forward_hook(lambda _layer, _given, logits: logits * 0.5)
    with torch.inference_mode():
        expected = twin(hidden, targets, layer)
        torch.testing.assert_close(target_logprobs(hidden, targets, layer, 20).double(), expected, atol=2e-5, rtol=1e-5)


@pytest.mark.parametrize("precision", [torch.bfloat16, torch.float64])
def test_other_precisions(precision):
    hidden, targets, layer = drawn(1, 9, 3, 20)
    hidden, layer = hidden.to(precision), layer.to(precision)
    with torch.inference_mode():
        found = target_logprobs(hidden, targets, layer, 20)
        torch.testing.assert_close(found.double(), twin(hidden, targets, layer), atol=1e-5, rtol=1e-5)
    assert found.dtype == (torch.float64 if precision == torch.float64 else torch.float32)
