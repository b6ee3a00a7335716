"""The command `compile`: all functions ahead of time, for images whose processes should not wait for it."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product

import click


@click.command("compile", epilog="Example: referenceless compile, as the last line of a Dockerfile")
def compile_command() -> None:
    """Compile all functions now, so that nobody waits later.

    The machine code goes beside the package where that can be written, as when an image is built; processes read it
    there also where it cannot, or as another user. It holds for the kind of processor that it was compiled on:
    set NUMBA_CPU_NAME=generic, here and later, for machines that differ.
    """
    for folder, count in sorted(compile_all().items()):
        click.echo(f"{count:>3} functions in {folder}")


def compile_all() -> Counter[str]:
    """Compile the functions of all metrics for the types with which they are called.

    Functions compile as they are called; so every metric and kernel whose extra and data are installed scores a few
    texts, short and long. Code that was compiled earlier is read, and not compiled again.

    Returns:
        How many functions have machine code in each folder.
    """
    from metric_commons.support.compiled import COMPILED

    for task in _tasks():
        # What is not installed cannot be called, and need not be compiled.
        with warnings.catch_warnings(), suppress(ImportError, OSError, RuntimeError, ValueError):
            warnings.simplefilter("ignore")
            task()
    return Counter(str(one._cache.cache_path) for one in COMPILED if one.signatures)


def _tasks() -> Iterator[Callable[[], object]]:
    from bleu_neighbors_metric import BLEUNeighbors
    from bleu_neighbors_metric.example import example_candidates, example_pool
    from bleu_neighbors_metric.kernels.kernel import KERNELS
    from referenceless_metrics.selection.mbr import MBR
    from slor_metric import ROUGELM, SLOR, WPSLOR

    pool, candidates = example_pool(), example_candidates()
    everything = " ".join(candidates)
    long = [everything[:400], everything[:300]]

    def neighbors(*more: str, **parameters: object) -> Callable[[], object]:
        def task() -> None:
            texts, ratings = [*pool.texts, *more], [*pool.ratings.tolist(), *[0.5] * len(more)]
            metric = BLEUNeighbors(progress=False, **parameters).fit(texts, ratings)  # type: ignore[arg-type]
            metric.predict([*candidates, *long, *more])
            metric.leave_one_out()
            metric.kneighbors(candidates[0])

        return task

    yield neighbors(everything * 100)  # counts beyond 16 bits
    for kernel, weights in product(KERNELS, ("uniform", "similarity")):
        yield neighbors(kernel=kernel, threshold=0.1, weights=weights)
    for smoothing in ("floor", "add-k", "exp"):
        yield neighbors(tokenize="13a", smooth_method=smoothing)
    yield neighbors(clip=False)
    yield neighbors(threshold="auto")
    for utility in ("bleu", "bleu_star"):
        yield lambda utility=utility: MBR(utility).predict(candidates)  # type: ignore[misc]
    for metric in (SLOR, WPSLOR):
        yield lambda metric=metric: metric().score([*candidates, *long])  # type: ignore[misc]
    yield lambda: ROUGELM().score(candidates, [[text, candidates[0]] for text in candidates])
