"""The parameters of BLEU Neighbors: their names, defaults and checks."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from bleu_neighbors_metric.kernels.kernel import (
    KERNELS,
    TextOptions,
    check_kernel,
    describe_options,
    named_models,
)
from referenceless_metrics.assessment.rating_estimator import check_fill
from referenceless_metrics.core.support.computing import thread_count
from referenceless_metrics.core.support.installation import project_version
from referenceless_metrics.core.support.validation import (
    Options,
    Record,
    check_choice,
    check_flag,
    check_number,
    check_whole,
    describe,
)

AUTO = "auto"
"""Value of `threshold` for the choice by `pool.covering_threshold`."""

WEIGHT_METHODS = ("uniform", "similarity")
"""Weights of neighbours: equal (Eq. 3), or their similarity."""

AUTOMATIC: Options = {"weights": "similarity", "threshold": AUTO}
"""Default settings: the greatest coverage of the pool, by the nearest neighbours."""

_PUBLISHED: Options = {
    "threshold": 0.08,
    "min_neighbors": 5,
    "max_fraction": 0.66,
    "tokenize": "char",
    "ngram_orders": (2, 3, 4),
    "smooth_method": "none",
    "smooth_value": None,
    "clip": True,
    "kernel": "bleu_star",
    "kernel_options": None,
    "weights": "uniform",
}

PRESETS: Mapping[str, Options] = {"published": _PUBLISHED}
"""Named settings, as parameters of `BLEUNeighbors`: those of Ethayarajh & Sadigh (2020), section 4."""

RUNTIME_PARAMETERS = ("exclude_rated", "fill", "n_jobs", "progress")
"""Parameters of a run, which are no part of a saved estimator: they change no estimate."""


def check_parameters(parameters: Options) -> None:
    """Check the parameters of `BLEUNeighbors`, by name; `RUNTIME_PARAMETERS` may be missing.

    Raises:
        TypeError: for a parameter of the wrong kind.
        ValueError: for one outside its range.
    """
    if parameters["threshold"] != AUTO:
        check_number(parameters["threshold"], "threshold", 0, 1)
    check_whole(parameters["min_neighbors"], "min_neighbors", 1)
    check_number(parameters["max_fraction"], "max_fraction", 0, 1)
    text_options(parameters)
    check_kernel(parameters["kernel"], parameters["kernel_options"])
    check_choice(parameters["weights"], "weights", WEIGHT_METHODS)
    thread_count(parameters.get("n_jobs"))
    progress = parameters.get("progress")
    if progress is not None and not isinstance(progress, (bool, np.bool_)):
        raise TypeError(f"Expected argument `progress` to be None, True or False, but got {describe(progress)}")
    check_flag(parameters.get("exclude_rated", False), "exclude_rated")
    check_fill(parameters.get("fill"))


def text_options(parameters: Options) -> TextOptions:
    """Return the options of reading texts among the parameters of `BLEUNeighbors`.

    Raises:
        TypeError: for a parameter of the wrong kind.
        ValueError: for one outside its range.
    """
    return TextOptions(
        *(parameters[name] for name in ("tokenize", "ngram_orders", "smooth_method", "smooth_value", "clip"))
    )


def with_preset(parameters: Options) -> Record:
    """Return parameters of `BLEUNeighbors` with a `preset` among them replaced by its own parameters.

    Parameters beside it override those of the preset.

    Raises:
        ValueError: for an unknown preset.
    """
    others = dict(parameters)
    preset = others.pop("preset", None)
    if preset is None:
        return others
    check_choice(preset, "preset", tuple(PRESETS))
    return {**PRESETS[preset], **others}


def is_published(parameters: Options) -> bool:
    """Return whether parameters of `BLEUNeighbors` are the settings of the paper."""
    return preset_of(parameters) == "published"


def preset_of(parameters: Options) -> str:
    """Return the name of the settings among parameters of `BLEUNeighbors`: `default`, `published`, or `own`."""
    orders = tuple(sorted(parameters["ngram_orders"]))
    settings = {**parameters, "ngram_orders": orders, "kernel_options": parameters["kernel_options"] or None}
    named = {"default": {**_PUBLISHED, **AUTOMATIC}, **PRESETS}
    for name, values in named.items():
        if all(settings[key] == value for key, value in values.items()):
            return name
    return "own"


def signature_of(parameters: Options, threshold: float | None = None, pool: str | None = None) -> str:
    """Return the settings behind estimates, in sacrebleu's style; of the options of texts, those that the kernel reads.

    The part `preset` is the result of `preset_of`.

    Args:
        parameters: the parameters of `BLEUNeighbors`.
        threshold: τ in use; None before there is a pool.
        pool: the size and the hash of the pool, if there is one.
    """
    kernel, smoothing, value = (parameters[name] for name in ("kernel", "smooth_method", "smooth_value"))
    orders = tuple(sorted(parameters["ngram_orders"]))
    of_texts = {
        "tokenize": f"tok:{parameters['tokenize']}",
        "ngram_orders": f"orders:{','.join(map(str, orders))}",
        "smooth_method": f"smooth:{smoothing}"
        + (f"[{value:.12g}]" if value is not None and smoothing in ("floor", "add-k") else ""),
        "clip": f"clip:{'yes' if parameters['clip'] else 'no'}",
    }
    reads = KERNELS[kernel].text_options if kernel in KERNELS else ()
    parts = [f"kernel:{kernel}", *(part for name, part in of_texts.items() if name in reads)]
    if parameters["kernel_options"]:
        parts.append(f"options:{describe_options(parameters['kernel_options'])}")
    parts += [
        f"tau:{parameters['threshold'] if threshold is None else f'{threshold:.12g}'}",
        f"a:{parameters['min_neighbors']}",
        f"b:{parameters['max_fraction']:.12g}",
        f"weights:{parameters['weights']}",
        f"preset:{preset_of(parameters)}",
    ]
    if pool is not None:
        parts.append(f"pool:{pool}")
    if parameters["exclude_rated"]:
        parts.append("exclude:rated")
    if parameters["fill"] is not None:
        parts.append(f"fill:{parameters['fill']}")
    return "|".join((*parts, f"version:{project_version()}"))


def saved_parameters(parameters: Options) -> Record:
    """Return the parameters of `BLEUNeighbors` as an index file holds them.

    Raises:
        TypeError: for a kernel's option that a file cannot hold, such as a model.
    """
    saved = {name: value for name, value in parameters.items() if name not in RUNTIME_PARAMETERS}
    saved["ngram_orders"] = [int(order) for order in parameters["ngram_orders"]]
    saved["kernel_options"] = json_options(parameters["kernel_options"])
    return saved


def loaded_parameters(saved: Options, allow_models: bool) -> Record:
    """Return the parameters of `BLEUNeighbors` that an index file holds, whoever wrote it.

    Raises:
        TypeError: for a parameter of the wrong kind.
        ValueError: for one outside its range, or one that names a model without `allow_models`.
    """
    check_parameters(saved)
    named = named_models(saved["kernel"], saved["kernel_options"], saved["tokenize"])
    if named and not allow_models:
        raise ValueError(
            f"it names {named}, which reading it would load; where you trust its source, load it with "
            "allow_models=True (on a command line: --allow-models)"
        )
    return {**saved, "ngram_orders": tuple(saved["ngram_orders"])}


def json_options(options: Options | None) -> Record | None:
    """Return options as an index file can hold them.

    Raises:
        TypeError: for one that JSON cannot hold, such as a model or a function; the message names it.
    """
    if options is None:
        return None
    written = {}
    for name, value in options.items():
        try:
            written[str(name)] = json.loads(json.dumps(value, allow_nan=False, default=_plain))
        except (TypeError, ValueError):
            raise TypeError(
                f"Expected `kernel_options[{name!r}]` to be what JSON can hold (text, numbers, lists), so that an "
                f"index file can keep it, but got {describe(value)}; name it instead of handing it over"
            ) from None
    return written


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else os.fspath(value)
