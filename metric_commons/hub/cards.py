"""The cards that are published: where they lie, and what their front matter says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from metric_commons.registry import metric_spec
from metric_commons.support.installation import shipped
from metric_commons.support.validation import check_choice

CARD_KINDS = ("metrics", "datasets")
_OF_SPACES = ("emoji", "colorFrom", "colorTo", "sdk", "sdk_version", "app_file", "python_version")


def card_path(kind: str, name: str) -> Path:
    """Return the card's file, in the installed package or in a checkout.

    Args:
        kind: `metrics` or `datasets`.
        name: the metric's or the data set's name.

    Raises:
        ValueError: for an unknown kind.
        FileNotFoundError: where the installation lacks the card.
    """
    check_choice(kind, "kind", CARD_KINDS)
    path = shipped("hub_cards", kind, f"{name}.md")
    if path.is_file():
        return path
    raise FileNotFoundError(f"The installation holds no card {kind}/{name}.md; install the package again")


def metric_card(name: str) -> str:
    """Return a metric's card; of a metric that another distribution brings, one that says the least.

    Raises:
        ValueError: for an unknown metric.
    """
    spec = metric_spec(name)
    if shipped("hub_cards", "metrics", f"{name}.md").is_file():
        return card_path("metrics", name).read_text(encoding="utf-8")
    told = spec.description or f"{spec.title}, a metric for `evaluate`."
    of_ours = front_matter(card_path("metrics", "wpslor").read_text(encoding="utf-8"))
    kept = {key: of_ours[key] for key in _OF_SPACES}
    head = {"title": spec.title, **kept, "tags": ["evaluate", "metric"], "description": told}
    return f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---\n\n# {spec.title}\n\n{told}\n"


def front_matter(card: str) -> dict[str, Any]:
    r"""Return the YAML at a card's head.

    >>> front_matter("---\ntitle: SLOR\n---\n# SLOR\n")
    {'title': 'SLOR'}
    """
    metadata: dict[str, Any] = yaml.safe_load(card.split("---\n", 2)[1])
    return metadata
