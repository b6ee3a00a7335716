"""The cards that are published: where they lie, what their front matter says, and whether the Hub will take it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from metric_commons.registry import metric_spec
from metric_commons.support.errors import InputError
from metric_commons.support.installation import shipped
from metric_commons.support.validation import check_choice

CARD_KINDS = ("metrics", "datasets")

#: The Hub's colours of a Space's thumbnail.
COLORS = ("red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray")
_SPACE_KEYS = ("title", "emoji", "colorFrom", "colorTo", "sdk", "sdk_version", "app_file", "tags", "description")
_DATASET_KEYS = ("pretty_name", "language", "license", "tags", "configs", "dataset_info")
_SHORT_DESCRIPTION = 60  # characters that the Hub allows


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
    kept = {key: of_ours[key] for key in ("emoji", "colorFrom", "colorTo", "sdk", "sdk_version", "app_file")}
    head = {"title": spec.title, **kept, "tags": ["evaluate", "metric"], "description": told}
    return f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---\n\n# {spec.title}\n\n{told}\n"


def front_matter(card: str) -> dict[str, Any]:
    r"""Return the YAML at a card's head.

    >>> front_matter("---\ntitle: SLOR\n---\n# SLOR\n")
    {'title': 'SLOR'}

    Raises:
        InputError: where there is none, or it is no mapping.
    """
    parts = card.split("---\n", 2)
    if len(parts) != 3 or parts[0]:
        raise InputError("Expected a card to begin with front matter between two lines of ---, but got none")
    try:
        metadata = yaml.safe_load(parts[1])
    except yaml.YAMLError as error:
        raise InputError(f"The card's front matter is not YAML: {error}") from None
    if not isinstance(metadata, dict):
        raise InputError(f"Expected a card's front matter to be a mapping, but got {type(metadata).__name__}")
    return metadata


def check_space_card(metadata: Mapping[str, Any]) -> None:
    """Check what the Hub's reference of Spaces demands of a front matter, without a network.

    The Hub checks more when a card is uploaded; this finds what it is known to refuse, before anything is sent.

    Raises:
        InputError: naming the key, what is expected and what came.
    """
    _check_present(metadata, _SPACE_KEYS)
    for key in ("colorFrom", "colorTo"):
        if metadata[key] not in COLORS:
            raise InputError(f"Expected the card's `{key}` to be one of {', '.join(COLORS)}, but got {metadata[key]!r}")
    if metadata["sdk"] != "gradio":
        raise InputError(f"Expected the card's `sdk` to be gradio, but got {metadata['sdk']!r}")
    if not re.fullmatch(r"\d+\.\d+\.\d+", str(metadata["sdk_version"])):
        raise InputError(f"Expected the card's `sdk_version` as 1.2.3, but got {metadata['sdk_version']!r}")
    if not {"evaluate", "metric"} <= set(metadata["tags"]):
        raise InputError(f"Expected the card's `tags` to hold evaluate and metric, but got {metadata['tags']!r}")
    if len(str(metadata.get("short_description", ""))) > _SHORT_DESCRIPTION:
        raise InputError(f"Expected the card's `short_description` to have at most {_SHORT_DESCRIPTION} characters")


def check_dataset_card(metadata: Mapping[str, Any]) -> None:
    """Check that an exported data set's front matter says what the Hub and `datasets` read.

    Raises:
        InputError: naming the key that is missing, or the configuration that is listed once only.
    """
    _check_present(metadata, _DATASET_KEYS)
    configs = [entry["config_name"] for entry in metadata["configs"]]
    infos = [entry["config_name"] for entry in metadata["dataset_info"]]
    if configs != infos:
        raise InputError(f"Expected the card's `configs` and `dataset_info` to agree, but got {configs} and {infos}")


def _check_present(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    missing = [key for key in keys if not metadata.get(key)]
    if missing:
        raise InputError(f"The card's front matter lacks {', '.join(missing)}")
