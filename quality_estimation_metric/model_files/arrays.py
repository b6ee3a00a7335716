"""Models as arrays of numbers, and back, with every value checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.assessment.conformal import ErrorScale
from metric_commons.support.errors import InputError
from quality_estimation_metric.gru_model.model import GRUModel
from quality_estimation_metric.kernel_model.features import feature_names
from quality_estimation_metric.kernel_model.model import KernelModel, Parts
from quality_estimation_metric.kernel_model.reference_model import FEATURES as REFERENCE_FEATURES
from quality_estimation_metric.kernel_model.reference_model import ORDER, ReferenceModel
from quality_estimation_metric.kernel_model.vectors import TERMS, Vectoriser

Arrays = dict[str, NDArray[Any]]
_KNOWN = frozenset(feature_names(sources=True, delexicalised=True)) | set(REFERENCE_FEATURES)
_LARGEST = 1e200


def pack_texts(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Return texts without line ends as UTF-8 bytes, a line each."""
    return np.frombuffer("".join(f"{text}\n" for text in texts).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def unpack_texts(array: NDArray[Any]) -> list[str]:
    """Return the texts of `pack_texts`.

    Raises:
        InputError: for another kind of array, or bytes that are no text.
    """
    if array.dtype != np.uint8 or array.ndim != 1:
        raise InputError("a list of texts is not stored as bytes")
    try:
        lines = array.tobytes().decode("utf-8", "surrogatepass").split("\n")
    except UnicodeDecodeError:
        raise InputError("a list of texts is no UTF-8") from None
    if lines.pop():
        raise InputError("a list of texts is cut short")
    return lines


def kernel_arrays(model: KernelModel) -> tuple[dict[str, Any], Arrays]:
    """Return what describes a model, and its arrays."""
    details: dict[str, Any] = {
        "kinds": list(model.vectorisers),
        "names": list(model.names),
        "intercept": model.intercept,
        "bounds": list(model.bounds),
        "scale_mean": model.scale.mean,
        "penalty": model.penalty,
        "parts": asdict(model.parts),
    }
    arrays: Arrays = {
        "centre": model.centre,
        "spread": model.spread,
        "feature_weights": model.feature_weights,
        "scale_weights": model.scale.weights,
        "quotients": model.quotients,
    }
    for kind, vectoriser in model.vectorisers.items():
        arrays[f"{kind}.terms"] = pack_texts(vectoriser.terms)
        arrays[f"{kind}.idf"] = vectoriser.idf
        arrays[f"{kind}.weights"] = model.weights[kind].astype(np.float32)
    if model.references is not None:
        ngrams = sorted(model.references.counts)
        arrays["references.ngrams"] = pack_texts([" ".join(ngram) for ngram in ngrams])
        arrays["references.counts"] = np.array([model.references.counts[ngram] for ngram in ngrams], dtype=np.int64)
    return details, arrays


def kernel_model(details: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> KernelModel:
    """Return the model of `kernel_arrays`.

    Raises:
        InputError: for values that no fitted model has.
        KeyError: for arrays that are missing.
    """
    names = tuple(details["names"])
    if not set(names) <= _KNOWN or len(set(names)) != len(names):
        raise InputError("a feature is not known here; upgrade the package")
    kinds = list(details["kinds"])
    if not set(kinds) <= set(TERMS) or len(set(kinds)) != len(kinds):
        raise InputError("a kind of n-grams is not known here; upgrade the package")
    vectorisers, weights = {}, {}
    for kind in kinds:
        terms = unpack_texts(arrays[f"{kind}.terms"])
        if any(one >= other for one, other in pairwise(terms)):
            raise InputError("a vocabulary is not in order")
        idf = vector(arrays, f"{kind}.idf", len(terms), least=0.0, most=100.0)
        vectorisers[kind] = Vectoriser(terms, idf)
        weights[kind] = vector(arrays, f"{kind}.weights", len(terms))
    parts = Parts(**details["parts"])
    low, high = (number(value) for value in details["bounds"])
    if not low < high:
        raise InputError("the range of its ratings is empty")
    quotients = vector(arrays, "quotients", None, least=0.0)
    if not len(quotients) or (np.diff(quotients) < 0).any():
        raise InputError("its errors are not in order")
    references = _reference_model(arrays) if "references.ngrams" in arrays else None
    tail = names[-len(REFERENCE_FEATURES) :]
    if (references is not None) != (tail == REFERENCE_FEATURES):
        raise InputError("its features do not fit its references")
    return KernelModel(
        vectorisers=vectorisers,
        weights=weights,
        names=names,
        centre=vector(arrays, "centre", len(names)),
        spread=vector(arrays, "spread", len(names), least=1e-12),
        feature_weights=vector(arrays, "feature_weights", len(names)),
        intercept=number(details["intercept"]),
        bounds=(low, high),
        scale=ErrorScale(vector(arrays, "scale_weights", len(names)), number(details["scale_mean"], least=0.0)),
        quotients=quotients,
        penalty=number(details["penalty"], least=0.0),
        parts=Parts(
            words=number(parts.words), source=number(parts.source), features=number(parts.features),
            errors=parts.errors is True, references=number(parts.references),
        ),
        references=references,
    )  # fmt: skip


def recurrent_arrays(model: GRUModel) -> tuple[dict[str, Any], Arrays]:
    """Return what describes a recurrent model, and its arrays."""
    state = {f"network.{name}": array for name, array in model.state().items()}
    return {"bounds": list(model.bounds)}, {"errors": model.errors, **state}


def recurrent_model(details: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> GRUModel:
    """Return the model of `recurrent_arrays`.

    Raises:
        ImportError: where torch is missing; the message names the extra.
        InputError: for values that no fitted model has.
    """
    prefix = "network."
    state = {name[len(prefix) :]: array for name, array in arrays.items() if name.startswith(prefix)}
    errors = vector(arrays, "errors", None, least=0.0)
    low, high = (number(value) for value in details["bounds"])
    if not len(errors) or not low < high:
        raise InputError("it has no errors to make intervals of, or an empty range of ratings")
    return GRUModel.from_state(state, np.sort(errors), (low, high))


def vector(
    arrays: Mapping[str, NDArray[Any]], name: str, length: int | None, least: float = -_LARGEST, most: float = _LARGEST
) -> NDArray[np.float64]:
    """Return an array of finite numbers, shape (length,).

    Raises:
        InputError: for another shape, kind or range.
    """
    values = arrays[name]
    if values.ndim != 1 or values.dtype.kind != "f" or (length is not None and len(values) != length):
        raise InputError(f"array {name!r} is {values.dtype} of shape {values.shape}, which no estimator has")
    numbers = values.astype(np.float64)
    if len(numbers) and not (least <= numbers.min() and numbers.max() <= most):  # NaN fails both
        raise InputError(f"array {name!r} holds values that no estimator has")
    return numbers


def number(value: Any, least: float = -_LARGEST) -> float:
    """Return a finite number.

    Raises:
        InputError: for anything else.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= _LARGEST:
        raise InputError(f"{value!r} stands where a number belongs")
    return float(value)


def _reference_model(arrays: Mapping[str, NDArray[Any]]) -> ReferenceModel:
    ngrams = [tuple(line.split(" ")) for line in unpack_texts(arrays["references.ngrams"])]
    counts = arrays["references.counts"]
    if counts.dtype.kind != "i" or counts.shape != (len(ngrams),) or (len(counts) and counts.min() < 1):
        raise InputError("the counts of its references do not fit")
    if len(set(ngrams)) != len(ngrams) or any(not 1 <= len(ngram) <= ORDER for ngram in ngrams):
        raise InputError("the n-grams of its references do not fit")
    return ReferenceModel(dict(zip(ngrams, counts.tolist(), strict=True)))
