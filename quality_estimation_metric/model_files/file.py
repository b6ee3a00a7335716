"""File of a fitted estimator: a model, with or without the rated texts (see `core/files/archive.py`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np

from quality_estimation_metric.kernel_model.features import feature_names
from quality_estimation_metric.kernel_model.model import KernelModel, Parts
from quality_estimation_metric.kernel_model.vectors import TERMS, Vectoriser
from quality_estimation_metric.models import KERNEL, TrainedModel, trained_model
from quality_estimation_metric.rated_inputs import check_parameters
from quality_estimation_metric.sources import Triple, Triples
from quality_estimation_metric.sources.slot_errors import SCOPES
from referenceless_metrics.assessment.agreement import read_verdict
from referenceless_metrics.assessment.conformal import ErrorScale
from referenceless_metrics.core.files.archive import (
    STRINGS,
    Array,
    Schema,
    pack_strings,
    read_archive,
    reading,
    unpack_strings,
    write_archive,
)
from referenceless_metrics.core.support.validation import Arrays, Options, PathName, Record, check_fields, check_path
from slor_metric.language_models.base import packaged_digest

_LARGEST = 1e200
_DECIMALS = 9  # of figures in the header
_KERNEL_FIELDS = {
    **dict.fromkeys(("kinds", "names", "bounds"), list),
    **dict.fromkeys(("intercept", "scale_mean", "penalty"), float),
    "parts": dict,
}
_PARAMETERS = ("model", "delexicalise", "augment", "seed", "level")
_OF_FEATURES = ("centre", "spread", "feature_weights")
_NETWORK = "network."
_OPTIONAL_STRINGS = STRINGS._replace(optional=True)
_numbers = partial(Array, "<f8", least=-_LARGEST, most=_LARGEST)
_strings = partial(unpack_strings, surrogates=True)


FITTED = (
    *("model_", "scope_", "has_sources_", "slots_", "n_texts_", "mean_rating_", "digest_", "verdict_", "domain_"),
    *("texts_", "ratings_", "triples_"),
)
"""The attributes of a fitted estimator that a file holds; the last three only if the rated texts go with it."""


@dataclass(frozen=True)
class Domain:
    """Domain of a model's rated texts, beyond which it gives no estimates.

    Attributes:
        name: subject of the rated texts, such as `restaurants and hotels`.
        max_unknown: the largest share of n-grams of words, out of a text's own, that no rated text had.
    """

    name: str
    max_unknown: float

    @property
    def reason(self) -> str:
        """Reason why a text of another domain has no estimate."""
        return f"not about {self.name}: over {self.max_unknown:.0%} of its word n-grams are unknown"


def _array_rules(header: Record) -> dict[str, Array]:
    """Return the rules for the arrays of a file, from its header."""
    rules = {
        "texts": _OPTIONAL_STRINGS,
        "sources": _OPTIONAL_STRINGS,
        "ratings": _numbers((header["n_texts"],), optional=True),
    }
    if header["parameters"]["model"] != KERNEL:
        return {**rules, "errors": _numbers((None,), least=0), f"{_NETWORK}*": Array("", ())}
    details = header["model"]
    check_fields("its model", details, _KERNEL_FIELDS, {"language_models": str})
    check_fields("its parts", details["parts"], get_type_hints(Parts), {"references": float})  # before 0.1
    names, kinds = details["names"], details["kinds"]
    has_sources = header["has_sources"]
    features = {*feature_names(sources=has_sources, delexicalised=header["scope"] != "none")}
    for names_in_file, known in ((names, features), (kinds, TERMS.keys() - (() if has_sources else {"source"}))):
        if not set(names_in_file) <= known or len(set(names_in_file)) != len(names_in_file):
            raise ValueError("a feature or a kind of n-grams is not known here; upgrade the package")
    for name in (*_OF_FEATURES, "scale_weights"):
        rules[name] = _numbers((len(names),))
    rules |= {"spread": _numbers((len(names),), least=1e-12), "quotients": _numbers((None,), least=0)}
    for kind in kinds:
        rules[f"{kind}.terms"] = STRINGS
        rules[f"{kind}.idf"] = _numbers((kind,), least=0, most=100)
        rules[f"{kind}.weights"] = Array("<f4", (kind,), least=-1e38, most=1e38)
    return rules


SCHEMA = Schema(
    "quality estimator",
    1,
    "a quality estimator (write one with `QualityEstimator.save` or `referenceless fit --metric quality_estimation`)",
    arrays=_array_rules,
    fields={
        **dict.fromkeys(("parameters", "model"), dict),
        **{"scope": str, "has_sources": bool, "slots": list, "n_texts": int, "mean_rating": float, "hash": str},
    },
    optional_fields={"calibration": dict, "domain": dict},
)


def packaged_path() -> Path:
    """Return the path of the packaged model."""
    return Path(__file__).resolve().parent.parent / "data" / "default.safetensors"


def as_rated(texts: Sequence[str]) -> list[str]:
    """Return texts with single spaces, as a file holds the rated ones."""
    return [" ".join(text.split()) for text in texts]


def write_model(path: PathName, parameters: Options, fitted: Record) -> None:
    """Write a fitted estimator, whole or not at all; equal estimators give equal bytes.

    Args:
        path: the file.
        parameters: the estimator's, of which a file keeps some.
        fitted: its fitted state: the attributes that `FITTED` names.

    Raises:
        OSError: if the file cannot be written.
    """
    model = fitted["model_"]
    if isinstance(model, KernelModel):
        details, arrays = _kernel_arrays(model)
        details["language_models"] = packaged_digest()
    else:
        details = {"bounds": list(model.bounds)}
        arrays = {f"{_NETWORK}{name}": array for name, array in model.state().items()}
        arrays["errors"] = model.errors
    if fitted["texts_"] is not None:
        arrays["texts"] = pack_strings(as_rated(fitted["texts_"]))
        arrays["ratings"] = fitted["ratings_"]
        if fitted["has_sources_"]:
            arrays["sources"] = pack_strings([json.dumps(item) for item in fitted["triples_"]])
    header = {name: fitted[f"{name}_"] for name in ("scope", "has_sources", "n_texts", "mean_rating")}
    header["hash"] = fitted["digest_"]
    header |= {"slots": sorted(fitted["slots_"]), "model": details}
    header["parameters"] = {name: parameters[name] for name in _PARAMETERS}
    if fitted["domain_"] is not None:
        header["domain"] = asdict(fitted["domain_"])
    if fitted["verdict_"] is not None:
        figures = fitted["verdict_"].header().items()  # rounded, so that another machine's last bits make no other file
        header["calibration"] = {
            name: round(value, _DECIMALS) if isinstance(value, float) else value for name, value in figures
        }
    write_archive(path, SCHEMA, header, arrays)


def read_model(path: PathName) -> tuple[Record, Record]:
    """Read the parameters and the fitted state of an estimator, as for `write_model`; `"default"` is the packaged one.

    Raises:
        FileNotFoundError: if there is no such file.
        ImportError: for a recurrent model if it is not installed; the message names what to install.
        ValueError: for a file that is no estimator, is damaged, or was written by another version.
    """
    place = packaged_path() if isinstance(path, str) and path == "default" else check_path(path)
    header, arrays = read_archive(place, SCHEMA)
    with reading(place, SCHEMA):
        parameters, details = header.pop("parameters"), header.pop("model")
        check_fields("its parameters", parameters, dict.fromkeys(_PARAMETERS, object))
        check_parameters(parameters)
        if header["scope"] not in SCOPES or not all(type(slot) is str for slot in header["slots"]):
            raise ValueError("what it says of its texts is not known here")
        name = parameters["model"]
        model = _kernel_model(details, arrays) if name == KERNEL else _trained_model(name, details, arrays)
        fitted: Record = dict.fromkeys(FITTED) | {"model_": model}
        if "calibration" in header:
            fitted["verdict_"] = read_verdict(header.pop("calibration"))
        if "domain" in header:
            about = header.pop("domain")
            check_fields("its domain", about, get_type_hints(Domain))
            if "words" not in getattr(fitted["model_"], "vectorisers", ()) or not 0 < about["max_unknown"] < 1:
                raise ValueError("its domain cannot be told by its words")
            fitted["domain_"] = Domain(**about)
        fitted["digest_"] = header.pop("hash")
        fitted |= {f"{name}_": value for name, value in header.items()}
        fitted["slots_"] = frozenset(header["slots"])
        if "texts" in arrays:
            texts, ratings = _strings(arrays["texts"]), arrays["ratings"]
            triples = None
            if header["has_sources"]:
                triples = [_triples(json.loads(line)) for line in _strings(arrays["sources"])]
            if len(texts) != header["n_texts"] or len(triples or texts) != len(texts):
                raise ValueError("its texts and sources do not fit together")
            fitted |= {"texts_": texts, "ratings_": ratings, "triples_": triples}
        return parameters, fitted


def _kernel_arrays(model: KernelModel) -> tuple[Record, Arrays]:
    """Return the description of a model, and its arrays."""
    details = {name: getattr(model, name) for name in ("names", "intercept", "bounds", "penalty")}
    details |= {"kinds": list(model.vectorisers), "scale_mean": model.scale.mean, "parts": asdict(model.parts)}
    arrays = {name: getattr(model, name) for name in _OF_FEATURES}
    arrays |= {"scale_weights": model.scale.weights, "quotients": model.quotients}
    for kind, vectoriser in model.vectorisers.items():
        arrays[f"{kind}.terms"] = pack_strings(vectoriser.terms)
        arrays[f"{kind}.idf"] = vectoriser.idf
        arrays[f"{kind}.weights"] = model.weights[kind].astype("<f4")
    return details, arrays


def _kernel_model(details: Record, arrays: Arrays) -> KernelModel:
    """Return the model of `_kernel_arrays`, whose arrays keep to `_array_rules`.

    Raises:
        ValueError: for values that no fitted model has.
    """
    if details.get("language_models") != packaged_digest():
        raise ValueError(
            "it was fitted on features of other language models than this version's: fit it anew "
            "(`QualityEstimator.fit` or `referenceless fit --metric quality_estimation`)"
        )
    vectorisers, weights = {}, {}
    for kind in details["kinds"]:
        terms, idf = _strings(arrays[f"{kind}.terms"]), arrays[f"{kind}.idf"]
        if len(terms) != len(idf) or terms != sorted(set(terms)):
            raise ValueError("a vocabulary is not in order")
        if not {len(TERMS[kind].split(term)) for term in terms} <= set(TERMS[kind].orders):
            raise ValueError(f"its terms are no {kind}")
        vectorisers[kind] = Vectoriser(kind, terms, idf)
        weights[kind] = arrays[f"{kind}.weights"].astype(float)
    quotients = arrays["quotients"]
    if (np.diff(quotients) < 0).any():
        raise ValueError("its errors are not in order")
    if min(details["penalty"], details["scale_mean"]) < 0:
        raise ValueError("its penalty or its mean error is below 0")
    return KernelModel(
        vectorisers=vectorisers,
        weights=weights,
        names=tuple(details["names"]),
        intercept=details["intercept"],
        bounds=_bounds(details),
        scale=ErrorScale(arrays["scale_weights"], details["scale_mean"]),
        penalty=details["penalty"],
        parts=Parts(**{name: details["parts"][name] for name in get_type_hints(Parts)}),
        quotients=quotients,
        **{name: arrays[name] for name in _OF_FEATURES},
    )


def _trained_model(name: str, details: Record, arrays: Arrays) -> TrainedModel:
    state = {name.removeprefix(_NETWORK): array for name, array in arrays.items() if name.startswith(_NETWORK)}
    if not len(arrays["errors"]):
        raise ValueError("it has no errors to make intervals of")
    return trained_model(name).from_state(state, np.sort(arrays["errors"]), _bounds(details))


def _bounds(details: Record) -> tuple[float, float]:
    low, high = map(float, details["bounds"])
    if not -_LARGEST <= low < high <= _LARGEST:
        raise ValueError("the range of its ratings is empty")
    return low, high


def _triples(row: Any) -> Triples:
    triples = tuple(Triple(*item) for item in row)
    for triple in triples:
        if not isinstance(triple.act, str) or not all(part is None or isinstance(part, str) for part in triple[1:]):
            raise ValueError("a source holds what is no text")
    return triples
