"""Texts that share rows: every text once, no more in a row or a batch than fit, and none that sees another."""

from hypothesis import given
from hypothesis import strategies as st
from lazily import lazily

from slor_metric.language_models.hf.torch_support import (
    PADDING,
    SHARED_WIDTH,
    row_batches,
    within_texts,
)

torch = lazily("torch")


@given(st.lists(st.integers(1, 2 * SHARED_WIDTH), max_size=80), st.integers(1, 40), st.integers(1, 1000))
def test_every_text_stands_in_one_row(lengths, batch_size, max_tokens):
    batches = list(row_batches(lengths, batch_size, max_tokens, SHARED_WIDTH))
    assert sorted(i for batch in batches for row in batch for i in row) == list(range(len(lengths)))
    for batch in batches:
        widths = [1 + sum(lengths[i] for i in row) for row in batch]
        assert len(batch) <= batch_size
        assert len(batch) * max(widths) <= max_tokens or len(batch) == 1
        assert all(width <= SHARED_WIDTH or len(row) == 1 for width, row in zip(widths, batch, strict=True))


@given(st.lists(st.integers(1, 5), min_size=1, max_size=5), st.integers(0, 2), st.integers(0, 3))
def test_a_token_sees_the_context_and_its_own_text(sizes, n_context, padding):
    text_of = [-1] * n_context + [text for text, size in enumerate(sizes) for _ in range(size)]
    mask, positions = within_texts(torch.tensor([text_of + [PADDING] * padding]), torch.float32)
    for i, text in enumerate(text_of):
        assert positions[0, i] == sum(other in (-1, text) for other in text_of[:i])
        for j, other in enumerate(text_of):
            sees = other in (-1, text) and j <= i
            assert mask[0, 0, i, j] == (0 if sees else torch.finfo(torch.float32).min)
