"""The command `demo`: advice on the packaged example, and what follows from it."""

from __future__ import annotations

import click


@click.command(epilog="Example: bleu-neighbors demo")
def demo() -> None:
    """Estimate a dozen candidates from a packaged pool of rated texts, as `advise` says. Needs no network."""
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from bleu_neighbors_metric.example import NOTICE, example_candidates, example_pool
    from bleu_neighbors_metric.tuning.calibration import AUTOMATIC, calibrate, keep
    from metric_commons.cli.score import result_lines, result_rows
    from metric_commons.files.output import render
    from metric_commons.metric import verdict_of
    from referenceless_metrics.advice.advise import advise
    from referenceless_metrics.advice.page import advice_rows

    pool, candidates = example_pool(), example_candidates()
    click.echo(f"{NOTICE} ({len(pool)} texts)\n")
    click.echo("(The first use after installation compiles the kernel, which takes some seconds.)\n", err=True)
    advice = advise(pool, candidates)
    findings = [line for line in advice.findings if "human-score" not in line]
    click.echo(render(advice_rows(advice), {}, "table", lines=["", *findings]))
    neighbors = BLEUNeighbors(**AUTOMATIC, n_jobs=-1, progress=False).fit(pool.texts, pool.quality)
    keep(neighbors, calibrate(neighbors, n_resamples=1000))
    for title, metric in ((advice.chosen.name, advice.metric), ("similarity weights", neighbors)):
        result = metric.predict(candidates)
        click.echo(f"{title}:\n")
        verdict = [told for told in [verdict_of(metric)] if told is not None]
        lines = ["", *result_lines(result), *verdict]
        click.echo(render(result_rows(candidates, result, "table"), {}, "table", lines=lines))
    click.echo(
        "These order texts; they do not tell whether people rate one system higher than another (`human-score`)."
    )
