"""JSON of files that may come from anyone: no constants beyond the standard, no name twice, no depth without end."""

from __future__ import annotations

import json
from typing import Any


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


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"its JSON holds {name}, which is no JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("its JSON holds a name twice")
    return found
