"""Limits of scores catch the shares that they say, rounded as they are, and are told with their intervals."""

import numpy as np
import pytest
from command_lines import as_json, typed
from numpy.random import default_rng
from text_files import write_table

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.judges.limits import Bad, limits_of
from referenceless_metrics.human_evaluation.scores.paired import wilson_interval


def rated(n=60, seed=0):
    """Ratings from 1 to 5, and scores that go with them."""
    draw = default_rng(seed)
    ratings = draw.integers(1, 6, n).astype(float)
    return ratings, ratings + draw.normal(0, 1, n)


@pytest.mark.parametrize("sign, turn", [("<=", 1), (">=", 1), ("<=", -1), (">=", -1)])
def test_shares_are_those_of_the_limit_as_it_is_printed(sign, turn):
    ratings, scores = rated()
    bad = Bad(sign, 2.0 if sign == "<=" else 4.0)
    found = limits_of(turn * scores, ratings, np.arange(60), bad, 0.95)
    is_bad = ratings <= 2 if sign == "<=" else ratings >= 4
    assert (found.n_bad, found.is_lower_bad) == (is_bad.sum(), (sign == "<=") == (turn == 1))
    for each, least in zip(found.limits, (0.1, 0.25, 0.5, 0.7, 0.8, 0.9, 0.95), strict=True):
        flags = turn * scores <= each.limit if found.is_lower_bad else turn * scores >= each.limit
        assert float(f"{each.limit:g}") == each.limit
        assert each.flagged == flags.mean()
        assert each.caught.value == flags[is_bad].mean() >= least
        assert each.false_alarms.value == flags[~is_bad].mean()
        assert each.bad_among_flagged.value == is_bad[flags].mean()
        assert each.caught[1:] == wilson_interval(int(flags[is_bad].sum()), int(is_bad.sum()), 0.95)


def test_few_bad_outputs_and_other_conditions_are_told():
    ratings, scores = rated()
    none = limits_of(scores, ratings, np.arange(60), Bad("<", 1.0), 0.95)
    assert none.lines() == [
        "No limits are told: 0 of 60 outputs are rated < 1, and count as bad; at least 5 bad and 5 other outputs are "
        "needed, with scores that differ."
    ]
    for text in ("2", "rating<=2", "<=x", ""):
        with pytest.raises(InputError, match='such as "<=2"'):
            Bad.parse(text)


def test_the_commands_tell_limits(folder):
    ratings, scores = rated()
    write_table("all.csv", ["item", "score", "rating"], list(zip(range(60), scores, ratings, strict=True)))
    line = "evaluate --scores all.csv --ratings all.csv --bad '<=2'"
    found = as_json(line)["limits"]
    expected = limits_of(scores, ratings, np.arange(60), Bad("<=", 2.0), 0.95)
    assert found["limits"][0]["caught"] == expected.limits[0].caught.value
    assert expected.lines()[1] in typed(line).out
    assert "Limits" not in typed("evaluate --scores all.csv --ratings all.csv").out
    assert "--bad" in typed("evaluate --scores all.csv --ratings all.csv --bad 2", 2).err
