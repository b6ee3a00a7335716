"""Rewards by themselves; an example trains with them under trl."""

import math
import pickle
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusals, refused
from small_metrics import LengthModel
from toy_metrics import Given, Lengths, Matches

from referenceless_metrics import MBR, Reward
from referenceless_metrics.selection.reward import text_of
from slor_metric.estimator import SLOR


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1, max_size=8), st.floats(-1e30, 1e30))
def test_no_abstention_is_rewarded_above_a_value_in_any_batch(values, floor):
    rewards = np.array(Reward(Given(), floor=floor)(None, [str(value) for value in values]))
    as_trainers_hold_them = rewards.astype(np.float32)
    assert np.isfinite(as_trainers_hold_them).all()
    absent = np.isnan(values)
    assert (rewards[absent] == floor).all()
    if absent.any():
        assert as_trainers_hold_them[absent].max() <= as_trainers_hold_them.min()
    ordered = sorted(zip([v for v in values if v == v], rewards[~absent], strict=True))
    assert all(one[1] <= other[1] for one, other in pairwise(ordered))


def test_conversations_are_scored_by_what_the_assistant_said_last():
    reward = Reward(Lengths(), floor=-1.0)
    tool = [
        {"role": "assistant", "content": "wait", "tool_calls": []},
        {"role": "tool", "content": "a long result"},
        {"role": "assistant", "content": "done!"},
    ]
    prompt = [{"role": "user", "content": "Go."}]
    assert reward([prompt] * 3, [tool, [{"role": "assistant", "content": None}], []]) == [5.0, -1.0, -1.0]
    assert reward([prompt], [[{"content": "Hi"}]]) == [2.0]
    for wrong in (7, None, {"role": "assistant"}, ["a text"]):
        with refused(r"Expected `completions\[0\]` to be a text or a list of messages", TypeError):
            reward([prompt], [wrong])
    with refused("to be a text, but got int 3", TypeError):
        text_of([{"role": "assistant", "content": 3}], "c")


def test_columns_are_sources_and_references():
    by_source = Reward(Matches(references=False, sources=True), floor=0.0, sources="mr")
    assert by_source(["p", "p"], ["a", "b"], mr=["a", "a"], completion_ids=[[1], [2]]) == [1.0, 0.0]
    for columns, told in (
        ({"other": ["a"]}, "Expected a column `mr` beside the completions, but got `other`"),
        ({"mr": ["a", "b"]}, "the column `mr` to have 1 entries, but got 2"),
    ):
        with refused(told):
            by_source(["p"], ["a"], **columns)
    from_prompts = Reward(Matches(references=False, sources=True), floor=0.0)
    assert from_prompts(["a", [{"role": "user", "content": "b"}]], ["a", "b"]) == [1.0, 1.0]
    assert Reward(Matches(), floor=0.0, references="answers")(["p"], ["a"], answers=[["a"]]) == [1.0]


def test_the_coverage_is_logged():
    told = {}
    Reward(Given(), floor=0.0)(None, ["1", ""], log_metric=lambda name, value: told.update({name: value}))
    assert told == {"Given_coverage": 0.5}


test_what_cannot_be_a_reward_is_refused = refusals(
    lambda metric, arguments: Reward(metric, **arguments),
    [
        (Lengths(), {"floor": math.nan}, "`floor` to be a finite number"),
        (Lengths(), {"floor": "low"}, "`floor` to be a number", TypeError),
        (Lengths(), {"floor": 0.0, "sources": ["mr"]}, "`sources` to name a column", TypeError),
        (Matches(), {"floor": 0.0}, "`references` to name the column that matches reads"),
        (
            MBR(),
            {"floor": 0.0},
            "mbr_bleu compares the texts that are scored together, .* Take a metric that scores each",
        ),
        (len, {"floor": 0.0}, "Expected argument `metric` to be a metric", TypeError),
    ],
)


def test_a_reward_has_a_name_and_pickles():
    reward = pickle.loads(pickle.dumps(Reward(SLOR(LengthModel()), floor=-3.0)))
    assert reward.__name__ == "slor"
    assert repr(reward) == "Reward(slor, floor=-3)"
