"""Comparisons of systems, made without texts."""

from sacrebleu.significance import Result

from referenceless_metrics.comparison.comparison import Comparison, SystemRow


def comparison(figures, *, metric="M", **options):
    """Return a comparison by a metric, from the systems' means and p."""
    rows = [SystemRow(name, {metric: Result(mean, p, mean, 0.1)}, 9, 0.9) for name, (mean, p) in figures.items()]
    return Comparison(metric, tuple(rows), 10, 9, 1000, {metric: "pool:`3`|tau:0.1"}, **options)
