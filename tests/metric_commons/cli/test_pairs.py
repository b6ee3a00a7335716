"""NAME=VALUE pairs of a command line."""

from __future__ import annotations

import click
import pytest

from metric_commons.cli.pairs import parse_pairs


def test_values_are_read_as_json_or_else_as_text():
    pairs = ['a=["x", "y"]', "b=true", "c=null", "d=0.5", "e=some/folder", "f=x=y", "g=", "batch-size=64"]
    assert parse_pairs(pairs) == {
        "a": ["x", "y"], "b": True, "c": None, "d": 0.5, "e": "some/folder", "f": "x=y", "g": "", "batch_size": 64,
    }  # fmt: skip
    assert parse_pairs([]) == {}


@pytest.mark.parametrize("bad", ["stem", "=true", ""])
def test_a_pair_without_a_name_or_a_value_is_refused(bad):
    with pytest.raises(click.BadParameter, match="expected NAME=VALUE"):
        parse_pairs([bad])
