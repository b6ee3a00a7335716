"""Items of earlier studies among those from which a further study is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.studies.design import Design

_Outputs = Sequence[tuple[str, Sequence[str]]]


def items_of_studies(folders: Sequence[str | Path], outputs: _Outputs, sources: Sequence[str] | None) -> frozenset[int]:
    """Return the places of the items of earlier studies.

    Args:
        folders: the studies' folders.
        outputs: each system's name and outputs, from which a further study is drawn.
        sources: the sources of the outputs; None if there are none.

    Raises:
        InputError: for a folder without a study, and a study of other items.
    """
    places: set[int] = set()
    for folder in folders:
        found = items_of_study(Design.read(folder), outputs, sources)
        if found is None:
            raise InputError(
                f"{folder}: its items are not those of these outputs (--without-study): no system has the same output "
                "of each of them at its place, and sources do not tell them either; draw from the files that it was "
                "drawn from, in their order"
            )
        places |= found
    return frozenset(places)


def items_of_study(earlier: Design, outputs: _Outputs, sources: Sequence[str] | None) -> frozenset[int] | None:
    """Return the places of a study's items; None if the outputs are not known to be of the same items.

    They are if sources are the same, or if a system has the same outputs.

    Args:
        earlier: the study's design.
        outputs: see `items_of_studies`.
        sources: likewise.
    """
    places = [item.item for item in earlier.items]
    known = dict(outputs)
    before = [[item.outputs[number] for item in earlier.items] for number in range(len(earlier.systems))]
    pairs = [(known[name], texts) for name, texts in zip(earlier.systems, before, strict=True) if name in known]
    told = [item.source for item in earlier.items if item.source is not None]
    if sources is not None and len(told) == len(places):
        pairs.append((sources, told))
    is_same = any(_are_at(places, texts, here) for here, texts in pairs)
    return frozenset(places) if is_same else None


def _are_at(places: Sequence[int], texts: Sequence[str], of_all: Sequence[str]) -> bool:
    """Say whether texts stand at their places among all."""
    return max(places) < len(of_all) and all(of_all[place] == text for place, text in zip(places, texts, strict=True))
