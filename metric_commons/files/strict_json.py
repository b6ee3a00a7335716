"""JSON of files that may come from anyone: no constants beyond the standard, no name twice, no depth without end."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

Fields = Mapping[str, "type | tuple[type, ...]"]
"""Names in an object, with the types of their values; `object` for any."""


def parse_json(text: bytes | str) -> Any:
    """Return what a JSON text holds.

    Raises:
        ValueError: for anything but one JSON value in UTF-8: NaN and infinities, a name that stands twice in an object,
            nesting or numbers beyond what can be read.

    >>> parse_json(b'{"a": [1, 2.5, null]}')
    {'a': [1, 2.5, None]}
    """
    try:
        return json.loads(
            text if isinstance(text, str) else text.decode("utf-8"),
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except RecursionError:
        raise ValueError("its JSON is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"its JSON cannot be read ({error.msg})") from None
    except UnicodeDecodeError:
        raise ValueError("its JSON is not UTF-8") from None


def check_fields(where: str, found: Any, required: Fields, optional: Fields | None = None) -> None:
    """Check that an object of JSON has the names that it should, and no others, with values of the right types.

    Raises:
        ValueError: where it has not; the message begins with `where`.
    """
    if not isinstance(found, dict):
        raise ValueError(f"{where} should be an object, but is {type(found).__name__}")
    known = {**required, **(optional or {})}
    missing, unknown = sorted(set(required) - set(found)), sorted(set(found) - set(known))
    if missing or unknown:
        raise ValueError(f"in {where}, {(missing or unknown)[0]!r:.60} is {'missing' if missing else 'not known'}")
    for name, value in found.items():
        wanted = known[name]
        types = wanted if isinstance(wanted, tuple) else (wanted,)
        # A whole number may stand where a fraction may.
        right = type(value) in types or object in types or (type(value) is int and float in types)
        if not right or (type(value) is float and not math.isfinite(value)):
            told = " or ".join(each.__name__ for each in types)
            raise ValueError(f"in {where}, {name!r} should be of type {told}, but is {value!r:.40}")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"its JSON holds {name}, which is no JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("its JSON holds a name twice")
    return found
