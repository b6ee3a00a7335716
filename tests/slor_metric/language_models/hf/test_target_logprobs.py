"""The output layer on chosen tokens, a chunk of them at a time, beside the whole softmax."""

import pytest
from lazily import lazily

from slor_metric.language_models.hf import head
from slor_metric.language_models.hf.head import target_logprobs

torch = lazily("torch")


@pytest.mark.parametrize("tokens, words", [(0, 7), (12, 1), (40, 30), (6, 1000)])
def test_equal_to_the_whole_softmax(tokens, words, monkeypatch):
    monkeypatch.setattr(head, "CHUNK_ELEMENTS", 4000)  # so that the last case needs two chunks
    generator = torch.Generator().manual_seed(0)
    states, weights = torch.randn(tokens, 2, generator=generator), torch.randn(2, words, generator=generator)
    targets = torch.randint(0, words, (tokens,), generator=generator)
    expected = (states @ weights).double().log_softmax(dim=1)[torch.arange(tokens), targets]
    for layer, given in ((lambda part: part @ weights, states), (None, states @ weights)):
        logprobs = target_logprobs(given, targets, layer)
        torch.testing.assert_close(logprobs.double(), expected, atol=2e-5, rtol=1e-5)
        assert logprobs.shape == (tokens,)


def test_several_tokens_may_follow_one_state(monkeypatch):
    monkeypatch.setattr(head, "CHUNK_ELEMENTS", 90)  # three states a chunk
    generator = torch.Generator().manual_seed(0)
    states = torch.randn(8, 30, generator=generator)
    of_state, targets = torch.tensor([0, 0, 0, 3, 4, 4, 7]), torch.tensor([5, 6, 5, 29, 0, 1, 2])
    expected = states.double().log_softmax(dim=1)[of_state, targets]
    found = target_logprobs(states, targets, None, of_state)
    torch.testing.assert_close(found.double(), expected, atol=2e-5, rtol=1e-5)
