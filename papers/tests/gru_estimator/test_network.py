from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from referenceless_papers.gru_estimator.inputs import GRUSettings  # noqa: E402
from referenceless_papers.gru_estimator.network import Encoder  # noqa: E402

SMALL = GRUSettings(embedding=5, units=4, layers=2, max_words=6, max_items=2)
ROWS = torch.tensor([[0, 0, 3, 4, 5], [2, 2, 3, 6, 7], [0, 0, 0, 0, 8]])


def encoder(settings=SMALL):
    torch.manual_seed(0)
    return Encoder(9, settings).eval()


def states_one_by_one(cells, embedded):
    """The twin: the equations of Cho et al. (2014), the reset gate after the recurrent product, a step at a time."""
    weights = {name: value.detach().double().numpy() for name, value in cells.named_parameters()}
    inputs, final = embedded.detach().double().numpy(), []
    for layer in range(cells.num_layers):
        by_input, by_state, input_bias, state_bias = (
            weights[f"{kind}_l{layer}"] for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        h, states = np.zeros(cells.hidden_size), []
        for x in inputs:
            (a_r, a_z, a_n), (u_r, u_z, u_n) = (
                np.split(values, 3) for values in (by_input @ x + input_bias, by_state @ h + state_bias)
            )
            r, z = 1 / (1 + np.exp(-a_r - u_r)), 1 / (1 + np.exp(-a_z - u_z))
            n = np.tanh(a_n + r * u_n)
            h = n + z * (h - n)
            states.append(h)
        final, inputs = [*final, h], np.array(states)
    return np.concatenate(final)


def test_states_are_those_of_the_equations_and_padding_changes_none():
    network = encoder()
    expected = [states_one_by_one(network.cells, network.embedding(row[row > 0])) for row in ROWS]
    np.testing.assert_allclose(network(ROWS).detach().numpy(), expected, atol=1e-6)


def test_first_values_are_those_of_the_program():
    cells = encoder(replace(SMALL, embedding=60, units=50)).cells
    for name, limits in {"weight_ih_l0": (210, 160), "weight_hh_l0": (210, 160), "weight_ih_l1": (200, 150)}.items():
        gates, new = getattr(cells, name).split([100, 50])
        for rows, total in zip((gates, new), limits, strict=True):
            assert float(rows.detach().abs().max()) == pytest.approx((6 / total) ** 0.5, rel=0.02)
    assert cells.bias_ih_l0.tolist() == [1.0] * 100 + [0.0] * 50
    assert not cells.bias_hh_l1.any()
