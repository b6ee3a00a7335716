"""JSON of files that may come from anyone."""

import json

from hypothesis import given
from hypothesis import strategies as st
from refusals import refusals

from referenceless_metrics.core.support.validation import parse_json


@given(st.binary(max_size=30) | st.text(alphabet='[]{}",:1e-.nulNaI\\u0d', max_size=30))
def test_anything_else_is_a_value_error(content):
    try:
        parse_json(content)
    except ValueError:
        return
    json.loads(content)


test_refusals = refusals(
    parse_json,
    [
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a": 1, "a": 2}', "a name twice"),
        (b"NaN", "holds NaN"),
        (b"[-Infinity]", "holds -Infinity"),
        (b"\xff", "not UTF-8"),
        (b"{} {}", "cannot be read"),
        (b"", "cannot be read"),
    ],
)
