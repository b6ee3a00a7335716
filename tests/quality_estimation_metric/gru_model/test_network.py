from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from quality_estimation_metric.gru_model.inputs import GRUSettings  # noqa: E402
from quality_estimation_metric.gru_model.network import (  # noqa: E402
    encode,
    forward,
    gru_layer,
    initial_parameters,
)

SMALL = GRUSettings(embedding=5, units=4, layers=2, max_words=6, max_items=2)


def stack(seeds=(0, 1, 2)):
    return initial_parameters(SMALL, (9, 7), [3.0] * len(seeds), seeds)


def drawn(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


def symbols(stop, *shape):
    """Draw symbols, padding first."""
    return torch.randint(0, stop, shape, generator=torch.Generator().manual_seed(1)).sort(dim=2).values


def test_the_derivative_by_hand():
    gates, recurrent, bias = (drawn(2, 4, 3, 15), drawn(2, 5, 15), drawn(2, 15))
    padding = torch.tensor([[[1, 0, 1], [1, 0, 0], [0, 0, 0], [0, 0, 0]]] * 2, dtype=torch.bool)
    inputs = [each.requires_grad_() for each in (gates, recurrent, bias)]
    assert torch.autograd.gradcheck(gru_layer, (*inputs, None))
    assert torch.autograd.gradcheck(gru_layer, (*inputs, padding))


def test_a_layer_is_torchs_gru_of_each_network():
    models, steps, batch, units = 2, 5, 3, 4
    inputs, recurrent, bias = drawn(models, steps, batch, 3 * units), drawn(models, units, 3 * units), drawn(2, 12)
    states = gru_layer(inputs, recurrent, bias)
    for model in range(models):
        reference = torch.nn.GRU(3 * units, units).double()
        with torch.no_grad():
            reference.weight_ih_l0.copy_(torch.eye(3 * units))
            reference.bias_ih_l0.zero_()
            reference.weight_hh_l0.copy_(recurrent[model].T)
            reference.bias_hh_l0.copy_(bias[model])
            expected, _ = reference(inputs[model])
        torch.testing.assert_close(states[:, model], expected)


def test_padding_changes_nothing():
    parameters = stack()
    words = torch.randint(2, 9, (3, 4, 5), generator=torch.Generator().manual_seed(1))
    padded = torch.cat((torch.zeros(3, 4, 3, dtype=torch.int64), words), dim=2)
    torch.testing.assert_close(
        encode(parameters, SMALL, "words", padded), encode(parameters, SMALL, "words", words), atol=1e-6, rtol=0
    )
    read = replace(SMALL, padding="read")
    assert not torch.allclose(encode(parameters, read, "words", padded), encode(parameters, read, "words", words))


def test_networks_of_a_stack_are_those_of_single_stacks():
    words, meanings = symbols(9, 3, 4, 5), symbols(7, 3, 4, 6)
    together = forward(stack(), SMALL, words, meanings)
    assert together.shape == (3, 4)
    assert forward(stack(), SMALL, words, symbols(7, 3, 4, 0)).shape == (3, 4)  # without sources
    for place in range(3):
        alone = forward(stack((place,)), SMALL, words[place : place + 1], meanings[place : place + 1])
        torch.testing.assert_close(together[place : place + 1], alone, atol=1e-5, rtol=0)
