"""JSON of files that may come from anyone."""

import json

from hypothesis import given
from hypothesis import strategies as st
from refusals import refusals

from metric_commons.support.validation import parse_json

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(values)
def test_what_is_json_comes_back(value):
    assert parse_json(json.dumps(value)) == value
    assert parse_json(json.dumps(value).encode()) == value


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
