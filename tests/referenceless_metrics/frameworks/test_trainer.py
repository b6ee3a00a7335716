"""`compute_metrics` with Transformers' own trainers, on a tiny model built here."""

import math
from copy import copy
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from example_fits import RATED_POOL
from refusals import refusals, refused
from sacrebleu.metrics import BLEU
from small_metrics import FITTED, FLUENCY, POOL, LengthModel
from toy_metrics import Matches

from bleu_neighbors_metric import BLEUNeighbors
from referenceless_metrics.core.support.validation import NotFittedError
from referenceless_metrics.frameworks.trainer import GenerationMetrics
from referenceless_metrics.selection.mbr import MBR
from slor_metric.estimator import ROUGELM

WORDS = ["<pad>", "</s>", *sorted({word for text in POOL for word in text.split()}), "zzz"]
GOOD, BAD, STRANGE = "the cat sat on a mat", "mat mat", "zzz zzz zzz"
NAMES = {"bleu_neighbors", "bleu_neighbors_coverage", "slor", "slor_coverage", "bleu", "distinct_outputs"}


class Words:
    """A tokenizer of known words; ids below 2 are special."""

    def encode(self, text, length, padding=0):
        ids = [WORDS.index(word) for word in text.split()] + [1]
        return ids + [padding] * (length - len(ids))

    def batch_decode(self, rows, skip_special_tokens):
        assert skip_special_tokens
        return [" ".join(WORDS[i] for i in row if i > 1) for row in rows]


def ids_of(*texts, padding=0):
    return np.array([Words().encode(text, 10, padding) for text in texts])


def pair(*texts):
    """Return ids of texts, and of as many references."""
    return ids_of(*texts), ids_of(*[GOOD] * len(texts))


def metrics(*others):
    return GenerationMetrics(Words(), FITTED, FLUENCY, *others)


@pytest.mark.parametrize(
    "texts", [[GOOD, BAD, STRANGE], [GOOD, "", BAD, ""], ["", ""]], ids=["all", "half of them", "nothing"]
)
def test_names_and_values(texts):
    labels = [GOOD] * len(texts)
    result = metrics()(SimpleNamespace(predictions=ids_of(*texts), label_ids=ids_of(*labels, padding=-100)))
    assert set(result) == NAMES  # whatever is covered: a missing name would stop the training
    assert all(type(value) is float for value in result.values())
    for metric in (FITTED, FLUENCY):
        expected = metric.predict(texts)
        assert result[metric.name] == pytest.approx(expected.mean, nan_ok=True)
        assert result[f"{metric.name}_coverage"] == expected.coverage
    assert result["bleu"] == pytest.approx(BLEU().corpus_score(texts, [labels]).score)
    np.testing.assert_equal(metrics()(pair(*texts)), result)  # as in many examples


def test_later_evaluations_are_on_the_scale_of_the_first_as_is_told(caplog):
    compute = GenerationMetrics(Words(), ROUGELM(LengthModel()), bleu=False)
    (told,) = [record.getMessage() for record in caplog.records]
    assert "rouge_lm: values are relative to the texts that are scored together: the mean of the first set is 0" in told
    assert "Give statistics= of another system's texts for the same inputs: ROUGELM().predict(" in told
    assert math.isnan(compute(pair("", ""))["rouge_lm"])
    assert compute.metrics["rouge_lm"].statistics is None  # an evaluation without coverage fixes no scale
    found = compute(pair(GOOD, BAD, STRANGE))
    assert (found["rouge_lm"], found["rouge_lm_coverage"]) == (0.0, 1.0)  # exactly: noise would order checkpoints
    scale = ROUGELM(LengthModel()).predict([GOOD, BAD, STRANGE], references=[GOOD] * 3).statistics
    expected = ROUGELM(LengthModel(), statistics=scale).predict([BAD, BAD], references=[GOOD, GOOD])
    assert compute(pair(BAD, BAD))["rouge_lm"] == pytest.approx(expected.mean)
    assert expected.mean < -0.2
    caplog.clear()
    GenerationMetrics(Words(), ROUGELM(LengthModel(), statistics=scale), bleu=False)
    assert not caplog.records  # on a scale of its own


@pytest.mark.parametrize("n_different, told", [(1, True), (4, True), (5, False), (10, False)])
def test_few_different_texts_for_many_inputs_are_told_at_each_evaluation(caplog, n_different, told):
    references = [" ".join(words) for words in product(["the", "a"], WORDS[2:7])]
    texts = (references[:n_different] * 10)[:10]
    compute = GenerationMetrics(Words(), FLUENCY)
    for _ in range(2):
        found = compute((ids_of(*texts), ids_of(*references)))
    assert found["distinct_outputs"] == n_different / 10
    few = [record.getMessage() for record in caplog.records if "10 different references" in record.getMessage()]
    assert len(few) == (2 if told else 0)
    assert not told or few[0].startswith(f"{n_different} different output")


@pytest.mark.parametrize(
    "texts, least, covered",
    [
        ([GOOD, *[STRANGE] * 47], None, False),  # one good text and much that resembles nothing
        ([GOOD, *[STRANGE] * 47], 0.0, True),
        ([GOOD, BAD, STRANGE], None, True),
        ([GOOD, BAD, STRANGE], 0.9, False),
    ],
)
def test_a_checkpoint_with_little_coverage_has_no_value(caplog, texts, least, covered):
    compute = GenerationMetrics(Words(), FITTED, bleu=False, min_coverage=least)
    for _ in range(2):
        assert math.isnan(compute(pair(*texts))["bleu_neighbors"]) is not covered
    told = [record.getMessage() for record in caplog.records if "no mean" in record.getMessage()]
    assert len(told) == (not covered)  # said once
    assert covered or "too few neighbours" in told[0]


def test_the_worth_of_estimates_is_logged_once_as_a_warning_unless_they_are_useful(caplog):
    pool = BLEUNeighbors().fit(*RATED_POOL)  # without a calibration: it is measured here
    compute = GenerationMetrics(Words(), pool, FLUENCY, bleu=False)
    for _ in range(2):
        compute(pair(GOOD, BAD))
    told = [record for record in caplog.records if "left out" in record.getMessage()]
    assert [record.getMessage() for record in told] == [f"bleu_neighbors: {pool.verdict_.summary}"]
    assert told[0].levelname == "WARNING"
    unknown = copy(pool)
    unknown.texts_ = [*pool.texts_] * 1000  # more than are left out unasked
    unknown._verdict = None
    GenerationMetrics(Words(), unknown, bleu=False)
    assert caplog.records[-1].getMessage() == (
        "bleu_neighbors: What the estimates are worth is not known, since no rated texts were left out: "
        "`referenceless calibrate POOL` measures it."
    )


@pytest.mark.parametrize(
    "texts, inputs, told",
    [
        ([f"{BAD} {GOOD}"] * 2, [BAD] * 2, "begins with its input"),  # as of a decoder-only model, uncut
        ([f"{GOOD} {BAD}"] * 2, None, "holds its reference word for word"),  # as the usual causal data lets it
        ([GOOD, BAD], [BAD, BAD], None),
        (["", ""], ["", ""], None),
    ],
)
def test_texts_that_repeat_what_the_model_was_given_are_told_once(caplog, texts, inputs, told):
    compute = metrics()
    prediction = SimpleNamespace(predictions=ids_of(*texts), label_ids=ids_of(GOOD, GOOD))
    prediction.inputs = None if inputs is None else {"input_ids": ids_of(*inputs)}
    for _ in range(2):
        compute(prediction)
    found = [record.getMessage() for record in caplog.records if "decoder-only" in record.getMessage()]
    assert len(found) == (told is not None)
    assert told is None or f"every generated text {told}: " in found[0]


def evaluated(predictions, labels):
    return lambda: metrics()((predictions, labels))


test_bad_arguments = refusals(
    lambda call: call(),
    [
        (evaluated(np.zeros((2, 3, 5)), ids_of(GOOD, GOOD)), "Trainer with predict_with_generate", TypeError),
        (evaluated((np.zeros((2, 5, 9)), np.zeros(2)), None), "argmax of logits. makes no generated text", TypeError),
        (evaluated(ids_of(GOOD, BAD), ids_of(GOOD)), "one row of `label_ids` for each of 2"),
        (evaluated(ids_of(GOOD), None), "references, which bleu reads, but got neither them nor labels.*bleu=False"),
        (lambda: GenerationMetrics(Words(), FLUENCY).compute([GOOD]), "references, which bleu reads"),
        (lambda: GenerationMetrics(Words(), bleu=False), "at least one metric"),
        (lambda: GenerationMetrics(Words(), FITTED, min_coverage=1.5), "`min_coverage`"),
        (lambda: GenerationMetrics(Words(), "bleu"), "`metric`.*str 'bleu'", TypeError),
        (lambda: GenerationMetrics(Words(), BLEU(), BLEU()), "'bleu' is twice"),
        (lambda: GenerationMetrics(Words(), BLEUNeighbors()), "call `fit` first", NotFittedError),
        (lambda: GenerationMetrics(Words(), MBR()), "mbr_bleu compares the candidates of one input: `rerank`"),
    ],
)


# with the real trainer


def train(folder, script, patience=None):
    """Train a tiny model for one epoch per list of `script`, whose texts stand in for its output."""
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("accelerate")
    config = transformers.T5Config(
        vocab_size=len(WORDS), d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2, decoder_start_token_id=0
    )
    transformers.set_seed(0)
    model = transformers.T5ForConditionalGeneration(config)
    measure, epochs = metrics(), iter(script)

    def scripted(prediction):
        assert np.issubdtype(prediction.predictions.dtype, np.integer)  # the model did generate
        texts = next(epochs)
        return measure(transformers.EvalPrediction(ids_of(*texts, padding=-100), prediction.label_ids[: len(texts)]))

    data = [{"input_ids": Words().encode(GOOD, 10), "labels": Words().encode(GOOD, 10)} for _ in range(4)]
    trainer = transformers.Seq2SeqTrainer(
        model,
        transformers.Seq2SeqTrainingArguments(
            str(folder),
            num_train_epochs=len(script),
            predict_with_generate=True,
            generation_max_length=5,
            eval_strategy="epoch",
            save_strategy="epoch",
            save_total_limit=1,
            metric_for_best_model="bleu_neighbors",
            greater_is_better=True,
            load_best_model_at_end=True,
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
        ),
        train_dataset=data,
        eval_dataset=data,
        callbacks=[transformers.EarlyStoppingCallback(patience)] if patience else [],
        compute_metrics=scripted,
    )
    trainer.train()
    return trainer


def evaluations(trainer):
    return [entry for entry in trainer.state.log_history if "eval_loss" in entry]


@pytest.mark.parametrize(
    "script, patience, epochs, best",
    [
        ([BAD, "", "", GOOD, GOOD], 2, 3, 1),  # epochs without coverage count against early stopping
        pytest.param([BAD, "", GOOD, "", BAD, GOOD], 2, 5, 3, marks=pytest.mark.long),
        pytest.param(["", ""], None, 2, None, marks=pytest.mark.long),  # never covered: there is no best model
    ],
)
def test_epochs_without_coverage(tmp_path, script, patience, epochs, best):
    trainer = train(tmp_path, [[text] for text in script], patience=patience)
    assert (len(evaluations(trainer)), trainer.state.best_global_step) == (epochs, best)
    assert (best is None) == (trainer.state.best_metric == -math.inf)


def test_the_inputs_of_the_model_are_the_sources_as_is_told(caplog):
    ids = ids_of(GOOD, BAD)
    metrics = GenerationMetrics(Words(), Matches(references=False, sources=True), bleu=False)
    (told,) = [record.getMessage() for record in caplog.records]  # before the first step
    assert told.startswith("matches: reads sources, and takes the model's inputs for them, decoded")
    assert 'give sources= as the data set has them, or train with include_for_metrics=["inputs"]' in told

    def given(inputs):
        return metrics(SimpleNamespace(predictions=ids, label_ids=None, inputs=inputs))

    assert given(ids[[0, 0]]) == {"matches": 0.5, "matches_coverage": 1.0, "distinct_outputs": 1.0}
    with refused(r'give generation_metrics sources= .* or train with include_for_metrics=\["inputs"\]'):
        given(None)
    with refused("one row of `inputs` for each of 2 texts, but got 1"):
        given({"input_ids": ids[:1]})


def test_sources_as_the_data_set_has_them_take_the_place_of_decoded_inputs(caplog):
    of_sources = Matches(references=False, sources=True)
    compute = GenerationMetrics(Words(), of_sources, sources=["The cat-sat on a mat.", BAD], bleu=False)
    assert not caplog.records
    prediction = SimpleNamespace(predictions=ids_of(GOOD, BAD), label_ids=None, inputs=None)
    assert compute(prediction)["matches"] == 0.5  # the first is no longer the decoded one
    prediction.inputs = ids_of(GOOD, BAD)
    assert compute(prediction)["matches"] == 0.5
    prediction.inputs = ids_of(BAD, GOOD)
    with refused("`sources` to be in the order of the rows .* the inputs of 2 rows are the sources of other rows"):
        compute(prediction)
    with refused("`sources` to hold the source of each of the 2 rows that were evaluated, but got 1"):
        GenerationMetrics(Words(), of_sources, sources=[GOOD], bleu=False)(prediction)


RAW = ["The cat-sat on a mat.", "Mat, mat!"]


def test_references_as_the_data_set_has_them_take_the_place_of_decoded_labels():
    texts, labels = [GOOD, BAD], ["the cat sat on a mat", "mat mat"]
    prediction = SimpleNamespace(predictions=ids_of(*texts), label_ids=ids_of(*labels, padding=-100))
    given = GenerationMetrics(Words(), references=[f"{GOOD} !", BAD])(prediction)["bleu"]
    assert given == pytest.approx(BLEU().corpus_score(texts, [[f"{GOOD} !", BAD]]).score)
    assert given < GenerationMetrics(Words())(prediction)["bleu"]
    compute = GenerationMetrics(Words(), references=RAW)
    assert compute(prediction).keys() == {"bleu", "distinct_outputs"}
    cut = SimpleNamespace(predictions=prediction.predictions, label_ids=ids_of("the cat", "mat"))
    assert compute(cut) == compute(prediction)
    lossy = GenerationMetrics(Words(), references=[GOOD, BAD, "mat unknown mat"])  # whose label lacks a word
    assert lossy((ids_of(GOOD, BAD, BAD), ids_of(GOOD, BAD, BAD))).keys() == {"bleu", "distinct_outputs"}


@pytest.mark.parametrize("row", [[GOOD, BAD], (GOOD,)])
def test_several_references_of_a_row_are_refused_with_what_takes_them(row):
    with refused("one reference for each row, but got lists.* compare SYSTEMS --metric bleu --references", TypeError):
        GenerationMetrics(Words(), references=[GOOD, row])


def test_references_of_other_rows_are_refused():
    prediction = SimpleNamespace(predictions=ids_of(GOOD, BAD), label_ids=ids_of(GOOD, BAD, padding=-100))
    with refused("labels of 2 rows are the references of other rows; that of row 0 is not 'Mat, mat!'"):
        GenerationMetrics(Words(), references=["Mat, mat!", "The cat sat on a mat."])(prediction)
    another = (
        r"For another set put trainer.compute_metrics = generation_metrics\(…, references=…\).*"
        r"\(a dict as `eval_dataset`\), leave `references` out: the decoded labels of each set are taken"
    )
    with refused(f"the reference of each of the 2 rows that were evaluated, but got 1.*{another}"):
        GenerationMetrics(Words(), references=RAW[:1])(prediction)


def test_generated_texts_are_decoded_without_their_padding():
    assert metrics().decode(ids_of(GOOD, BAD, padding=-100)) == [GOOD, BAD]
    assert metrics().decode((ids_of(GOOD), None)) == [GOOD]


def test_the_texts_of_the_latest_evaluation_are_there_for_callbacks():
    compute = metrics()
    for text in (GOOD, BAD):
        compute(pair(text, text))
    assert compute.texts == [BAD, BAD]
