"""Texts with each token on the colour of what it adds to the score: where a text is fluent, and where it is not."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.plots import MARK, new_figure, save
from slor_metric.contributions import token_contributions
from slor_metric.estimator import SLOR
from slor_metric.fluency.metric import Fluency

#: So many texts are drawn at most, the least fluent first.
MOST_TEXTS = 12
#: So many characters stand on a line; a longer text goes on below.
_LINE = 78
#: Contributions from this one (in nats) on have the lightest colour, from its negative on the darkest.
_FULL = 6.0


@dataclass(frozen=True)
class _Text:
    """One text: its value, its tokens as they stand there, and what each adds."""

    value: float
    tokens: tuple[str, ...]
    contributions: NDArray[np.float64]


def plot_tokens(metric: SLOR | Fluency, texts: Sequence[str], path: str | os.PathLike[str]) -> None:
    """Draw texts token by token: the darker a token's ground, the more it takes from the score; the worst is framed.

    Args:
        metric: `SLOR`, `WPSLOR` or `Fluency`.
        texts: n texts; the `MOST_TEXTS` with the lowest scores are drawn, those without a score are not.
        path: the PNG or SVG to write.

    Raises:
        ImportError: without matplotlib.
        ValueError: where no text has a score.
        OSError: where the file cannot be written.
    """
    values = metric.score(texts).values
    order = [int(i) for i in np.argsort(values, kind="stable") if not np.isnan(values[i])][:MOST_TEXTS]
    if not order:
        raise ValueError("Expected argument `texts` to hold a text with a score, but no text has one")
    shown = _texts(metric, [texts[i] for i in order], [float(values[i]) for i in order])
    n_lines = sum(len(_broken(each.tokens)) for each in shown)
    figure, (axes,) = new_figure(width=9.6, height=0.9 + 0.3 * n_lines)
    axes.axis("off")
    axes.set_xlim(-8, _LINE + 2)
    axes.set_ylim(-n_lines, 1)
    row = 0
    for each in shown:
        worst = int(np.argmin(each.contributions))
        for number, line in enumerate(_broken(each.tokens)):
            if number == 0:
                axes.text(-1.5, -row, f"{each.value:.2f}", ha="right", va="center", family="monospace", fontsize=9)
            for token, start, width in line:
                light = float(np.clip((each.contributions[token] + _FULL) / (2 * _FULL), 0.0, 1.0))
                ground = (1.0, 0.55 + 0.45 * light, 0.30 + 0.70 * light)
                framed = token == worst
                axes.add_patch(_patch((start - 0.35, -row - 0.42), width + 0.2, ground, MARK if framed else ground))
                axes.text(start, -row, each.tokens[token], va="center", family="monospace", fontsize=9)
            row += 1
    axes.set_title(
        f"{metric.name}: value and tokens. The darker, the more a token takes; the worst is framed.", fontsize=10
    )
    lowest = f"the lowest, {shown[0].value:.2f}: {texts[order[0]]}"
    save(figure, path, f"Tokens of {len(shown)} texts by {metric.name}; {lowest}")


def _texts(metric: SLOR | Fluency, texts: Sequence[str], values: Sequence[float]) -> list[_Text]:
    if isinstance(metric, Fluency):
        words = metric.contributions(texts)
        return [_Text(value, each.words, each.contributions) for value, each in zip(values, words, strict=True)]
    tokens = token_contributions(metric, texts)
    return [_Text(value, each.surfaces, each.contributions) for value, each in zip(values, tokens, strict=True)]


def _patch(corner: tuple[float, float], width: float, ground: tuple[float, float, float], edge: object) -> object:
    from matplotlib.patches import Rectangle

    return Rectangle(corner, width, 0.84, facecolor=ground, edgecolor=edge, linewidth=1.2)


def _broken(tokens: Sequence[str]) -> list[list[tuple[int, int, int]]]:
    """Return lines of (token, first column, width), each token with a column beside it."""
    lines: list[list[tuple[int, int, int]]] = [[]]
    column = 0
    for token, surface in enumerate(tokens):
        width = len(surface)
        if column and column + width > _LINE:
            lines.append([])
            column = 0
        lines[-1].append((token, column, width))
        column += width + 1
    return lines
