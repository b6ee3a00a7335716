"""The demonstration on the packaged example."""

from __future__ import annotations

import click


@click.command(epilog="Example: bleu-neighbors demo")
def demo() -> None:
    """Score a dozen candidates with a packaged example pool, and calibrate the pool. Needs no network."""
    from bleu_neighbors_metric.cli.calibrate import calibration_lines
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from bleu_neighbors_metric.example import NOTICE, example_candidates, example_pool
    from bleu_neighbors_metric.tuning.calibration import calibrate
    from metric_commons.cli.score import result_lines, table_rows
    from metric_commons.files.output import render

    pool, candidates = example_pool(), example_candidates()
    click.echo(f"{NOTICE} ({len(pool)} texts)\n")
    click.echo("(The first use after installation compiles the kernel, which takes some seconds.)\n", err=True)
    metric = BLEUNeighbors(n_jobs=-1).fit(pool.texts, pool.quality)
    result = metric.predict(candidates)
    click.echo(render(table_rows(candidates, result), {}, "table", lines=["", *result_lines(result)]))
    click.echo("\n".join(calibration_lines(calibrate(metric))[:-2]))
