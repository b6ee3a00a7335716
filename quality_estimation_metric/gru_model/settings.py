"""What determines a recurrent estimator besides its data: sizes, training, and how padding is read."""

from __future__ import annotations

from dataclasses import dataclass

from metric_commons.support.validation import check_choice, check_number

PADDINGS = ("skip", "read")


@dataclass(frozen=True)
class GRUSettings:
    """Sizes and training of a recurrent estimator.

    The defaults are a small network for a few thousand rated texts on a CPU, of the shape that the paper describes
    (Dušek, Novikova & Rieser 2017, Section 2), with what its text leaves open as its authors' program had it.

    Attributes:
        embedding: width of the embeddings of words and of a meaning representation's symbols.
        units: width of a GRU layer.
        layers: GRU layers of each of the two encoders.
        tanh_layers: fully connected layers after the encoders, each as wide as all final states,
            2 encoders × `layers` × `units`.
        dropout: share of the embedded inputs' elements that are set to 0 in training.
        learning_rate: of Adam.
        batch_size: rated texts a step.
        passes: passes over the rated texts, those with synthetic ones among them.
        synthetic_passes: how many of the passes also see the synthetic texts, where there are any.
        synthetic_batch_size: texts a step in these.
        padding: `skip`: what is shorter than the longest is not filled; `read`: texts are filled to `max_words` + 2
            and meaning representations to `max_items` items with symbols that the network reads, as published.
        max_words: words of a text that are read at most.
        max_items: items of a meaning representation that are read at most.
        mean_start: whether the output starts at the mean rating, and not at 0.
    """

    embedding: int = 64
    units: int = 64
    layers: int = 1
    tanh_layers: int = 2
    dropout: float = 0.5
    learning_rate: float = 3e-3
    batch_size: int = 50
    passes: int = 18
    synthetic_passes: int = 2
    synthetic_batch_size: int = 200
    padding: str = "skip"
    max_words: int = 50
    max_items: int = 10
    mean_start: bool = True

    def __post_init__(self) -> None:
        """Check all of them."""
        for name in ("embedding", "units", "layers", "batch_size", "passes", "synthetic_batch_size", "max_words"):
            check_number(getattr(self, name), name, minimum=1, integer=True)
        for name in ("tanh_layers", "synthetic_passes", "max_items"):
            check_number(getattr(self, name), name, minimum=0, integer=True)
        check_number(self.dropout, "dropout", minimum=0.0, maximum=0.95)
        check_number(self.learning_rate, "learning_rate", minimum=1e-8, maximum=1.0)
        check_choice(self.padding, "padding", PADDINGS)

    @property
    def width(self) -> int:
        """Width of all final states, and of the tanh layers."""
        return 2 * self.layers * self.units
