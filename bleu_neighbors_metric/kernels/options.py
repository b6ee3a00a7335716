"""A kernel's own options: checked, told in a signature, written to a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

import numpy as np

from metric_commons.support.validation import describe

_RUNTIME = ("batch_size", "device")  # how to run, not what to compute

_LONGEST_LIST = 4


def describe_options(options: Mapping[str, Any]) -> str:
    """Return options as a signature tells them: in the order of their names, without those that change no score.

    >>> describe_options({"idf": True, "encoder": "models/minilm", "device": "cuda"})
    'encoder=models/minilm,idf=yes'
    """
    return ",".join(f"{name}={_told(options[name])}" for name in sorted(options) if name not in _RUNTIME)


def _told(value: Any) -> str:
    if value is None or isinstance(value, (bool, np.bool_)):
        return "none" if value is None else "yes" if value else "no"
    if isinstance(value, (int, float, np.number)):
        return f"{value:g}"
    if isinstance(value, (str, PurePath)):
        return "/".join(PurePath(value).parts[-2:]).replace(
            "|", "/"
        )  # of a folder's path no more than tells models apart
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(map(_told, value)) if isinstance(value, (set, frozenset)) else list(map(_told, value))
        if len(items) <= _LONGEST_LIST:
            return "+".join(items)
        import hashlib

        return f"{len(items)}.{hashlib.sha256(chr(0).join(items).encode()).hexdigest()[:8]}"
    return str(getattr(value, "__name__", type(value).__name__))


def json_options(options: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return options as an index file can hold them.

    Raises:
        TypeError: for one that JSON cannot hold, such as a model or a function; the message names it.
    """
    if options is None:
        return None
    written = {}
    for name, value in options.items():
        plain = value.item() if isinstance(value, np.generic) else str(value) if isinstance(value, PurePath) else value
        try:
            written[str(name)] = json.loads(json.dumps(plain, allow_nan=False))
        except (TypeError, ValueError):
            raise TypeError(
                f"Expected `kernel_options[{name!r}]` to be what JSON can hold (text, numbers, lists), so that an "
                f"index file can keep it, but got {describe(value)}; name it instead of handing it over"
            ) from None
    return written


def check_flag(value: object, kernel: str, name: str) -> bool:
    """Return an option that is True or False.

    Raises:
        TypeError: for anything else.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(
            f"Expected `kernel_options[{name!r}]` of {kernel} to be True or False, but got {describe(value)}"
        )
    return bool(value)


def check_words(value: object, kernel: str, name: str) -> list[str]:
    """Return an option that is a list of words.

    Raises:
        TypeError: for anything else.
    """
    if isinstance(value, (str, bytes)) or not isinstance(value, (Sequence, set, frozenset)):
        raise TypeError(
            f"Expected `kernel_options[{name!r}]` of {kernel} to be a list of words, but got {describe(value)}"
        )
    words = list(value)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"Expected `kernel_options[{name!r}]` of {kernel} to hold words, but got {describe(word)}")
    return words
