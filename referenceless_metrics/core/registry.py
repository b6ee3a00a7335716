"""Which metrics there are: this project's, and those of anyone who declares an entry point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referenceless_metrics.core.support.installation import (
    DISTRIBUTION,
    METRICS_GROUP,
    imported,
    plugged_in,
    project_version,
)
from referenceless_metrics.core.support.validation import check_choice

if TYPE_CHECKING:
    from referenceless_metrics.core.metric import Metric

_SOFTWARE = """@software{%s,
  title = {%s: text quality without references},
  author = {{The %s developers}},
  version = {%s},
}
"""


@dataclass(frozen=True)
class MetricSpec:
    """A metric: where its parts are, and how it is described. A name, a title and `make` are enough.

    A part is `module:attribute`, imported when it is used, "" where there is none.

    Attributes:
        name: as results, modules, cards and commands name it, such as `wpslor`.
        title: as people read it, such as `WPSLOR`.
        make: makes the metric from keyword arguments: a class, or a function that binds a pool or a model.
        options: a subclass of `MetricOptions` (`command_line/metric_options.py`); "" for an option for each parameter
            of `make`.
        sacrebleu: its class for sacrebleu; "" for the general one.
        explain: the `Explainer` (`pages/app/explainer.py`) of its web page; "" for one that shows its values alone.
        fit: its command for `fit`; "" for a metric that learns from no ratings.
        evaluate: its command for `evaluate`, which says how well it does on ratings that it has not seen.
        plot: draws what texts' values are made of, from the metric, the texts and a path.
        report: returns what it adds to the page on systems as HTML, from a `Measure` and the systems; "" for nothing.
        implied_by: options of commands that mean this metric where none is named, such as `--pool`.
        in_bulk: parameters that make it fast enough for a corpus: engines over large data take them unless told
            otherwise, and `score` names them where a file is large.
        needs_references: whether it reads references.
        needs_sources: whether it reads, or can be made to read, the inputs that texts were made from.
        description: what it measures, in a sentence; "" for the first paragraph of the docstring of its class.
        results: what results hold beside the values, a line each, in the style of a docstring.
        paper: what the metric is after, as a text says it: the authors and the year of its paper.
        citation: BibTeX of the paper.
        urls: where to read more.
        example: doctests for `evaluate`, which begin with `evaluate.load`.
    """

    name: str
    title: str
    make: str
    options: str = ""
    sacrebleu: str = ""
    explain: str = ""
    fit: str = ""
    evaluate: str = ""
    plot: str = ""
    report: str = ""
    implied_by: tuple[str, ...] = ()
    in_bulk: Mapping[str, str] = field(default_factory=dict, hash=False)
    needs_references: bool = False
    needs_sources: bool = False
    description: str = ""
    results: str = ""
    paper: str = ""
    citation: str = ""
    urls: tuple[str, ...] = ()
    example: str = ""

    def load(self, part: str) -> Any:
        """Import and return one of the parts: `make`, `sacrebleu`, `explain`, `fit`, `evaluate`, `plot` or `report`.

        Raises:
            ValueError: for a part that the metric does not have.
        """
        place = getattr(self, part)
        if not place:
            raise ValueError(f"{self.title} has no {part}")
        return imported(place)


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


def distribution_of(name: str) -> tuple[str, str]:
    """Return the distribution that brings a metric, and its version; this one where none is known."""
    from importlib.metadata import entry_points

    for entry in entry_points(group=METRICS_GROUP):
        if entry.name == name and entry.dist is not None:
            return entry.dist.name, entry.dist.version
    return DISTRIBUTION, project_version()


def cite(metric: Metric) -> str:
    """Return a metric's signature, a sentence for the methods section of a paper, and BibTeX of what it names.

    Raises:
        ValueError: for a metric that is not installed.
    """
    spec, version = metric_spec(metric.name), project_version()
    paper = f" ({spec.paper})" if spec.paper else ""
    sentence = f"We scored texts with {spec.title}{paper}, as implemented in {DISTRIBUTION} {version}; signature:"
    lines = f"{metric.signature}\n\n{sentence} {metric.signature}.\n\n{spec.citation.strip()}"
    return f"{lines.rstrip()}\n\n{_SOFTWARE % (*[DISTRIBUTION] * 3, version)}"


def load_metric(name: str, *pool: Any, **arguments: Any) -> Metric:
    """Return a metric by name with its models or its pool bound.

    Args:
        name: such as `wpslor`.
        pool: rated texts and their ratings, for a metric that learns from them.
        arguments: what the metric is made with: `pool=`, or `rated_texts=` with `ratings=`, for BLEU Neighbors,
            `lm=` for the SLOR family.

    Raises:
        ValueError: for an unknown name, and as the metric itself raises.
    """
    metric: Metric = metric_spec(name).load("make")(*pool, **arguments)
    return metric
