"""Registry of metrics: those of this project, and of any distribution that declares an entry point."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referenceless_metrics.core.support.installation import (
    DISTRIBUTION,
    METRICS_GROUP,
    entry_points_of,
    plugged_in,
    project_version,
)
from referenceless_metrics.core.support.validation import check_choice

if TYPE_CHECKING:
    from referenceless_metrics.core.metric import Metric

YEAR = 2026
"""Year of this version, for its citation."""

_SOFTWARE = """@misc{{{name},
  title = {{{name}: text quality without references}},
  author = {{{{The {name} developers}}}},
  year = {{{year}}},
  howpublished = {{Python package, version {version}}},
}}
"""

_OF_COMPARISONS = (
    'If systems are compared, take the sentence that `compare` prints after "For the paper": its signatures name the '
    "metric and the test. `referenceless cite --methods` prints BibTeX of tests and coefficients that outputs name."
)


Part = Callable[[], Any]
"""Function that imports a part of a metric and returns it, so that heavy parts are imported when they are used."""


@dataclass(frozen=True)
class MetricSpec:
    """A metric: its parts and its description. A name, a title and `maker` are enough.

    A distribution declares it in a registration module, which is imported whenever a metric is looked for. That module
    should import little at its top: each part is a function that imports the part and returns it.

    Attributes:
        name: the name in results, modules, cards and commands, such as `wpslor`.
        title: the name for readers, such as `WPSLOR`.
        maker: returns the class of the metric, or a function that makes it, from keyword arguments.
        options: returns a subclass of `MetricOptions` (`command_line/metric_options.py`); None for one option per
            parameter of the class or function.
        sacrebleu: returns its class for sacrebleu; None for the general one.
        explainer: returns the `Explainer` (`pages/app/explainer.py`) of its web page; None for one that shows its
            values alone.
        fit: returns its command for `fit`; None for a metric that learns from no ratings.
        evaluate: returns its command for `evaluate`, which measures it on ratings that it has not seen.
        plot: returns a function of the metric, the texts and a path, which draws the parts of texts' values.
        report: returns a function of a `Measure` and the systems, which returns HTML for the page on systems.
        is_default: whether commands take it if no metric is named or implied.
        implied_by: options of commands that imply this metric, such as `--pool`.
        in_bulk: the name of a metric that is fast enough for a corpus, if this one is not. `filter` and engines for
            large data take it if no metric is named.
        needs_references: whether it reads references.
        needs_sources: whether it reads sources, or can be made to read them.
        description: a sentence on it; "" for the first paragraph of the docstring of its class.
        results: one line for each further column or detail of results, in the style of a docstring.
        paper: authors and year of its paper.
        citation: BibTeX of the paper.
        urls: addresses to read more.
        example: doctests for `evaluate`, which begin with `evaluate.load`.
    """

    name: str
    title: str
    maker: Part
    options: Part | None = None
    sacrebleu: Part | None = None
    explainer: Part | None = None
    fit: Part | None = None
    evaluate: Part | None = None
    plot: Part | None = None
    report: Part | None = None
    is_default: bool = False
    implied_by: tuple[str, ...] = ()
    in_bulk: str = ""
    needs_references: bool = False
    needs_sources: bool = False
    description: str = ""
    results: str = ""
    paper: str = ""
    citation: str = ""
    urls: tuple[str, ...] = ()
    example: str = ""


def metric_names() -> tuple[str, ...]:
    """Return the names of the metrics that are installed."""
    return tuple(plugged_in(METRICS_GROUP))


def metric_spec(name: str) -> MetricSpec:
    """Return a metric's entry.

    Raises:
        ValueError: for an unknown name.
        TypeError: for an entry point that is no `MetricSpec`.
    """
    known = plugged_in(METRICS_GROUP)
    check_choice(name, "name", tuple(known))
    spec = known[name]()
    if not isinstance(spec, MetricSpec):
        raise TypeError(f"Expected the entry point {name!r} of {METRICS_GROUP} to be a MetricSpec, but got {spec!r}")
    return spec


def metric_specs() -> tuple[MetricSpec, ...]:
    """Return all entries."""
    return tuple(map(metric_spec, metric_names()))


def default_metric() -> MetricSpec:
    """Return the entry of the metric that commands take if none is named or implied.

    Raises:
        ValueError: if no metric that is installed is the default one.
    """
    for spec in metric_specs():
        if spec.is_default:
            return spec
    raise ValueError("Expected a metric that commands take by default, but none of those installed is: name one")


def distribution_of(name: str) -> tuple[str, str]:
    """Return the distribution that brings a metric, and its version; this project's if it is unknown."""
    for entry in entry_points_of(METRICS_GROUP):
        if entry.name == name and entry.dist is not None:
            return entry.dist.name, entry.dist.version
    return DISTRIBUTION, project_version()


def cite(*metrics: Metric) -> str:
    """Return metrics' signatures, a sentence for the methods section of a paper, and BibTeX of their sources.

    A further sentence names the method to take for a comparison of systems.

    Raises:
        ValueError: for a metric that is not installed.
    """
    specs = [metric_spec(metric.name) for metric in metrics]
    signatures = [metric.signature for metric in metrics]
    *names, last = map(described, metrics)
    scored = f"{', '.join(names)} and {last}" if names else last
    told = f"signature{'s' if names else ''}: {'; '.join(signatures)}"
    sentence = f"We scored texts with {scored}, as implemented in {implementation()}; {told}."
    sources = dict.fromkeys(spec.citation.strip() for spec in specs if spec.citation)
    blocks = ["\n".join(signatures), sentence, _OF_COMPARISONS, *sources]
    return "\n\n".join([*blocks, _SOFTWARE.format(name=DISTRIBUTION, year=YEAR, version=project_version())])


def described(metric: Metric) -> str:
    """Return a metric's title, with its source, as a sentence of a paper names it.

    A metric that is not installed has its name. An attribute `methods` of the metric tells more than its entry.
    """
    if metric.name not in metric_names():
        return metric.name
    spec = metric_spec(metric.name)
    methods = getattr(metric, "methods", "") or spec.paper
    return f"{spec.title} ({methods})" if methods else spec.title


def implementation() -> str:
    """Return the distribution with its version, as a sentence of a paper names it."""
    return f"{DISTRIBUTION} {project_version()}"


def load_metric(name: str, *pool: Any, **arguments: Any) -> Metric:
    """Return a metric by name, with its models or its pool.

    Args:
        name: such as `wpslor`.
        pool: rated texts and their ratings, for a metric that learns from them.
        arguments: further arguments of the metric, such as `lm=` for the SLOR family.

    Raises:
        ValueError: for an unknown name, and from the metric itself.
    """
    make = metric_spec(name).maker()
    metric: Metric = make(*pool, **arguments)
    return metric
