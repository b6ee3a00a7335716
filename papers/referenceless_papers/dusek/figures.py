"""The figure of the reproduction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referenceless_papers.common.figures import new_figure, save
from referenceless_papers.common.published import published
from referenceless_papers.dusek.training_sets import SETUPS

_SERIES = (
    ("published", "#333333", "D"),
    ("measured, small network", "#4878a8", "o"),
    ("measured, paper's network", "#d98841", "s"),
    ("equal outputs kept together", "#9a4c8c", "v"),
)
_KERNEL = (
    ("pair", "#4878a8", "default estimator"),
    ("text", "#9a4c8c", "default estimator, equal outputs together"),
)


def correlations_figure(small: Mapping[str, Any], large: Mapping[str, Any], path: Path) -> None:
    """Draw Pearson's r of S1 to S6.

    Args:
        small: summaries of the small networks by key.
        large: summaries of the paper's networks.
        path: the PNG to write.

    Raises:
        ImportError: without matplotlib; the message names the extra.
    """
    figure, (axes,) = new_figure(8.0, 3.6)
    columns: tuple[Mapping[str, Any], ...] = (
        {setup: published("dusek", f"Table 3, {setup}", "pearson") for setup in SETUPS},
        _pearson(small, "pair"),
        _pearson(large, "pair"),
        _pearson(small, "text"),
    )
    for (label, colour, marker), values in zip(_SERIES, columns, strict=True):
        places = [place for place, setup in enumerate(SETUPS) if values.get(setup) is not None]
        if not places:
            continue
        axes.plot(
            places, [values[SETUPS[place]] for place in places], marker=marker, color=colour, label=label, lw=1, ms=5
        )
    for family, colour, label in _KERNEL:
        value = _pearson(small, family, ("kernel",))["kernel"]
        if value is not None:
            axes.axhline(value, color=colour, lw=1, ls="--", label=label)
    axes.set_xticks(range(len(SETUPS)), SETUPS)
    axes.set_ylabel("Pearson's r, rounded, pooled")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    save(figure, path)


def _pearson(summaries: Mapping[str, Any], family: str, setups: Sequence[str] = SETUPS) -> dict[str, float | None]:
    found = {setup: summaries.get(f"{family}/{setup}") for setup in setups}
    return {setup: None if each is None else each["rounded"]["pooled"]["pearson"] for setup, each in found.items()}
