"""Cards of metrics and data sets: their paths, and their front matter."""

from __future__ import annotations

from pathlib import Path

import yaml  # type: ignore[import-untyped]

from referenceless_metrics.core.registry import default_metric, metric_spec
from referenceless_metrics.core.support.installation import shipped
from referenceless_metrics.core.support.validation import Record

_OF_SPACES = ("emoji", "colorFrom", "colorTo", "sdk", "sdk_version", "app_file", "python_version")


def card_path(kind: str, name: str) -> Path:
    """Return the path of the card of a metric or a data set, in the installed package or in a checkout.

    Args:
        kind: `metrics` or `datasets`.
        name: the metric's or the data set's name.
    """
    return shipped("hub_cards", kind, f"{name}.md")


def metric_card(name: str) -> str:
    """Return a metric's card; of a metric that another distribution brings, one that says the least.

    Raises:
        ValueError: for an unknown metric.
    """
    spec = metric_spec(name)
    if (path := card_path("metrics", name)).is_file():
        return path.read_text(encoding="utf-8")
    description = spec.description or f"{spec.title}, a metric for `evaluate`."
    of_ours = front_matter(card_path("metrics", default_metric().name).read_text(encoding="utf-8"))
    kept = {key: of_ours[key] for key in _OF_SPACES}
    head = {"title": spec.title, **kept, "tags": ["evaluate", "metric"], "description": description}
    return f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---\n\n# {spec.title}\n\n{description}\n"


def front_matter(card: str) -> Record:
    r"""Return the YAML at a card's head.

    >>> front_matter("---\ntitle: SLOR\n---\n# SLOR\n")
    {'title': 'SLOR'}
    """
    metadata: Record = yaml.safe_load(card.split("---\n", 2)[1])
    return metadata
