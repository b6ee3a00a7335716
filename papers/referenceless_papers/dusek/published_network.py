"""The settings of the networks: that of the paper, and the small one that the package trains."""

from __future__ import annotations

from dataclasses import asdict

from referenceless_papers.gru_estimator.inputs import GRUSettings

PUBLISHED = GRUSettings(
    embedding=300,
    units=300,
    layers=2,
    learning_rate=1e-4,
    passes=500,
    synthetic_passes=20,
    synthetic_batch_size=50,
    padding="read",
    mean_start=False,
)
"""2 × 300 units, 1,200-wide tanh layers, 500 passes (Dušek, Novikova & Rieser 2017, Section 2).

What the text leaves open is as in its authors' program: two GRU layers per encoder, a batch of 50.
"""


def network_settings(network: str) -> GRUSettings:
    """Return the settings of the `published` network, or of the `small` one."""
    return PUBLISHED if network == "published" else GRUSettings()


def network_signature(settings: GRUSettings) -> str:
    """Return the settings that determine a network besides its data, in sacrebleu's style."""
    return "gru|" + "|".join(f"{name}:{value}" for name, value in asdict(settings).items())
