"""Progress bars: tqdm on stderr, on a terminal, for work that takes a while."""

from __future__ import annotations

from typing import Any


def progress_bar(total: int | None, description: str, progress: bool | None, unit: str = "text") -> Any:
    """Return a tqdm bar.

    Args:
        total: how many units there are to do, where known.
        description: what is being done.
        progress: False for none, True for one in any case, None for one where stderr is a terminal and the work
            has taken over a second.
        unit: what is counted.
    """
    from tqdm import tqdm

    disable = None if progress is None else not progress  # tqdm reads None as "unless a terminal"
    return tqdm(total=total, desc=description, unit=unit, disable=disable, delay=0 if progress else 1.0)
