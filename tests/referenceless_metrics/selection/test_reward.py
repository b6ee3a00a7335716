"""Rewards by themselves and under trl's own trainer, where it is installed."""

import math
import pickle
from itertools import pairwise

import numpy as np
import pytest
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
        (MBR(), {"floor": 0.0}, "relative to the set"),
        (len, {"floor": 0.0}, "Expected argument `metric` to be a metric", TypeError),
    ],
)


def test_a_reward_has_a_name_and_pickles():
    reward = pickle.loads(pickle.dumps(Reward(SLOR(LengthModel()), floor=-3.0)))
    assert reward.__name__ == "slor"
    assert repr(reward) == "Reward(slor, floor=-3)"


@pytest.mark.long
@pytest.mark.parametrize("conversational", [False, True])
def test_trl_trains_with_it(conversational, tmp_path):
    trl = pytest.importorskip("trl")
    import datasets
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    transformers.set_seed(0)
    words = {word: at for at, word in enumerate(["<pad>", "</s>", "<unk>", "the", "cat", "sat", "zzzzzzzz"])}
    own = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    own.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=own, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    messages = "{% for m in messages %}{{ m['content'] + ' ' }}{% endfor %}"
    tokenizer.chat_template = messages + "{% if add_generation_prompt %}{{ 'the ' }}{% endif %}"
    config = transformers.GPT2Config(
        vocab_size=len(words), n_embd=16, n_layer=1, n_head=2, n_positions=64, bos_token_id=1, eos_token_id=1
    )
    prompt = [{"role": "user", "content": "the cat"}] if conversational else "the cat"
    data = datasets.Dataset.from_list([{"prompt": prompt, "mr": "sat"}] * 8)

    class Recorded(Reward):
        def __call__(self, prompts=None, completions=(), **columns):
            rewards = super().__call__(prompts, completions, **columns)
            calls.append((completions, columns["mr"], rewards))
            return rewards

    calls = []
    trainer = trl.GRPOTrainer(
        transformers.GPT2LMHeadModel(config),
        Recorded(SLOR(LengthModel()), floor=-2.0),
        args=trl.GRPOConfig(
            str(tmp_path),
            per_device_train_batch_size=8,
            num_generations=4,
            max_completion_length=4,
            max_steps=2,
            logging_steps=1,
            use_cpu=True,
            bf16=False,
            report_to="none",
            save_strategy="no",
        ),
        train_dataset=data,
        processing_class=tokenizer,
    )
    trainer.train()
    assert len(calls) == 2
    for completions, column, rewards in calls:
        assert column == ["sat"] * len(completions)
        texts = [text_of(completion, "completion") or "" for completion in completions]
        assert isinstance(completions[0], list) == conversational
        assert len(rewards) == 8
        assert all(reward == -2.0 for text, reward in zip(texts, rewards, strict=True) if not text.strip())
        assert min(rewards) >= -2.0
    logged = [row for row in trainer.state.log_history if "rewards/slor/mean" in row or "rewards/Recorded/mean" in row]
    assert len(logged) == 2
    assert all("slor_coverage" in row for row in logged)
