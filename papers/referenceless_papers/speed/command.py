"""The command `reproduce speed`: the costs of a million lines, for every metric."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from referenceless_metrics.core.files.output import write
from referenceless_metrics.core.support.computing import thread_count
from referenceless_metrics.core.support.validation import InputError

METRICS = {
    "slor": "SLOR",
    "wpslor": "WPSLOR",
    "rouge_lm": "ROUGE-LM, one reference",
    "fluency_ngram": "Fluency, n-grams alone",
    "fluency": "Fluency",
    "bleu_neighbors": "BLEU Neighbors, packaged pool of 96",
    "quality_estimator": "quality estimator, fitted to 2,000 texts",
}
"""The name in the table of each metric of `process.MAKERS`."""

SINGLE = ("quality_estimator",)
"""Metrics that have one thread, whatever option is given."""

LENGTHS = 60, 140
"""Fewest and most characters of a line."""

MILLION = 1_000_000


@dataclass(frozen=True)
class Cost:
    """The cost of a million lines by one metric.

    Attributes:
        metric: its name.
        n_jobs: threads.
        processor: CPU seconds of a million lines, user and system, of all threads.
        clock: seconds by the clock.
        peak: peak memory of the process, in MB, start and models included.
    """

    metric: str
    n_jobs: int
    processor: float
    clock: float
    peak: float


@click.command(epilog="Example: referenceless reproduce speed --data-dir data --metric slor --metric wpslor")
@click.option("--data-dir", required=True, type=click.Path(), help="Folder that holds lm-corpus/.")
@click.option(
    "--metric", "metrics", type=click.Choice(tuple(METRICS)), multiple=True, help="May be repeated  [default: all]"
)
@click.option(
    "-n", "--texts", "n", type=click.IntRange(min=10), default=20_000, show_default=True, help="Lines to score."
)
@click.option(
    "--n-jobs", type=click.IntRange(min=1), multiple=True, default=(1, 2), show_default=True, help="May be repeated."
)
@click.option(
    "--rounds", type=click.IntRange(min=1), default=3, show_default=True, help="Of which the median is taken."
)
@click.option(
    "--format", type=click.Choice(("markdown", "json")), default="markdown", show_default=True, help="Output format."
)
@click.option("-o", "--output", type=click.Path(), help="File to write  [default: standard output]")
def speed(
    data_dir: str,
    metrics: tuple[str, ...],
    n: int,
    n_jobs: tuple[int, ...],
    rounds: int,
    format: str,
    output: str | None,
) -> None:
    """Measure the costs of a million lines: CPU seconds, seconds by the clock, and memory.

    Each metric scores lines of 60 to 140 characters in a process of its own, 8,192 at a time, and the seconds are
    scaled to a million. The start of the process, loading models and fitting are not in them.
    """
    lines = corpus_lines(data_dir, n)
    found = [
        cost(metric, threads, rounds, lines)
        for metric in metrics or tuple(METRICS)
        for threads in ((1,) if metric in SINGLE else n_jobs)
    ]
    text = (
        json.dumps([asdict(one) for one in found], indent=2) if format == "json" else speed_markdown(found, n, rounds)
    )
    write(text + "\n", output)


def corpus_lines(data_dir: str, n: int) -> list[str]:
    """Return the first n different lines of the corpus that have 60 to 140 characters.

    Raises:
        InputError: the corpus is missing or too small.
    """
    from slor_metric.language_models.unigram import read_lines

    path = Path(data_dir) / "lm-corpus" / "english.txt.xz"
    if not path.is_file():
        raise InputError(f"{data_dir}: it holds no lm-corpus/english.txt.xz")
    least, most = LENGTHS
    found: dict[str, None] = {}
    for line in map(str.strip, read_lines(path)):
        if least <= len(line) <= most:
            found[" ".join(line.split())] = None
        if len(found) == n:
            return list(found)
    raise InputError(
        f"{path}: it holds {len(found):,} different lines of {least} to {most} characters; give `--texts {len(found)}`"
    )


def cost(metric: str, n_jobs: int, rounds: int, lines: Sequence[str]) -> Cost:
    """Return the costs of a million lines by a metric, measured on some lines in a process of its own."""
    command = [sys.executable, "-m", "referenceless_papers.speed.process", metric, str(n_jobs), str(rounds)]
    run = subprocess.run(command, input="\n".join(lines), check=True, stdout=subprocess.PIPE, encoding="utf-8")
    taken = json.loads(run.stdout)
    scale = MILLION / len(lines)
    return Cost(metric, n_jobs, taken["processor"] * scale, taken["clock"] * scale, taken["peak"])


def speed_markdown(costs: Sequence[Cost], n: int, rounds: int) -> str:
    """Return the costs as a table, and below it how they were measured.

    Args:
        costs: one row each.
        n: lines that were scored.
        rounds: number of rounds.
    """
    heads = (
        "a million lines",
        "`n_jobs`",
        "CPU seconds",
        "seconds by the clock",
        "lines a CPU second",
        "peak memory, MB",
    )
    rows = [
        (
            METRICS[one.metric],
            str(one.n_jobs),
            _rounded(one.processor),
            _rounded(one.clock),
            f"{float(f'{MILLION / one.processor:.2g}'):,.0f}",
            f"{one.peak:,.0f}",
        )
        for one in costs
    ]
    table = [f"| {' | '.join(cells)} |" for cells in (heads, *rows)]
    table.insert(1, "|---" * len(heads) + "|")
    said = (
        f"Measured on {n:,} lines of {LENGTHS[0]} to {LENGTHS[1]} characters (median of {rounds}) and scaled; "
        f"processors: {thread_count(-1)}."
    )
    return "\n".join([*table, "", said])


def _rounded(seconds: float) -> str:
    """Return two significant digits."""
    return f"{float(f'{seconds:.2g}'):,.{0 if seconds >= 9.95 else 1}f}"
