from dataclasses import replace

import pytest
from lazily import lazily

from referenceless_papers.gru_estimator.inputs import GRUSettings

torch = lazily("torch")
network = lazily("referenceless_papers.gru_estimator.network")


SMALL = GRUSettings(embedding=5, units=4, layers=2, max_words=6, max_items=2)


def encoder(settings=SMALL):
    torch.manual_seed(0)
    return network.Encoder(9, settings).eval()


def test_final_states_of_all_layers_and_padding_changes_none():
    encode = encoder()
    rows = torch.tensor([[0, 0, 3, 4, 5], [2, 2, 3, 6, 7], [0, 0, 0, 0, 8]])
    alone = [encode.cells(encode.embedding(row[row > 0][None]))[1].flatten() for row in rows]
    torch.testing.assert_close(encode(rows), torch.stack(alone))


def test_first_values_are_those_of_the_program():
    cells = encoder(replace(SMALL, embedding=60, units=50)).cells
    for name, limits in {"weight_ih_l0": (210, 160), "weight_hh_l0": (210, 160), "weight_ih_l1": (200, 150)}.items():
        gates, new = getattr(cells, name).split([100, 50])
        for rows, total in zip((gates, new), limits, strict=True):
            assert float(rows.detach().abs().max()) == pytest.approx((6 / total) ** 0.5, rel=0.02)
    assert cells.bias_ih_l0.tolist() == [1.0] * 100 + [0.0] * 50
    assert not cells.bias_hh_l1.any()
