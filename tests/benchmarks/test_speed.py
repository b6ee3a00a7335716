"""The speed of everything, beside packages that do the same: the figures of docs/guides/speed.md.

    pytest tests/benchmarks/test_speed.py --benchmark-only -k "kenlm or nltk"

Each case is timed in turn with its peer, by the clock and by CPU seconds, on the machine as it is and with another
process for each processor (`-k quiet`, `-k busy`). A figure includes all that lies between strings and estimates; that
of a pool includes fitting it. Sentences of English come from the corpus in `lm-corpus/`, or from the packaged example's
words if that is absent.
"""

import copy
import inspect
import random
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from measuring import (
    english_sentences,
    in_turn,
    nltk_bleu,
    rouge_l,
    sacrebleu,
    say,
    sentences_of_20_words,
    written_sentences,
)

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.pool import covering_threshold
from bleu_neighbors_metric.tuning.sweep import sweep
from quality_estimation_metric.estimator import QualityEstimator
from referenceless_metrics import MBR, ROUGELM, SLOR, WPSLOR, Fluency, FluencyNgram, build_service, rerank
from referenceless_metrics.core.support.computing import thread_count
from slor_metric.language_models import load_language_model
from slor_metric.language_models.ngram import packaged, train_ngram
from slor_metric.rouge.rouge_lm import rouge_l_mult
from tests.support import rated_sentences

N = 20_000
ROUNDS = 3


class Case(NamedTuple):
    """A call to time, its number of units, and a peer's call for the same."""

    ours: Callable[[], object]
    units: int
    peer: Callable[[], object] | None = None
    peer_units: int = 0


def pool(peer, n=N, lengths=(60, 100), peer_pairs=2000, **options):
    """Fitting and predicting n × n; the peer compares some pairs."""
    texts, ratings = english_sentences(2 * n, *lengths), np.random.default_rng(0).random(n)

    def ours():
        BLEUNeighbors(**options, n_jobs=2, progress=False).fit(texts[:n], ratings).predict(texts[n:])

    return Case(ours, n * n, peer(texts[:peer_pairs], texts[n : n + peer_pairs]), peer_pairs)


def matching(threshold):
    """After fitting: neighbours that count by their similarity, beside neighbours that count alike."""
    texts, ratings = english_sentences(2 * N), np.random.default_rng(0).random(N)
    pools = [BLEUNeighbors(threshold, weights=w, n_jobs=2).fit(texts[:N], ratings) for w in ("similarity", "uniform")]
    similarity, uniform = (partial(fitted.predict, texts[N:]) for fitted in pools)
    return Case(similarity, N * N, uniform, N * N)


def fitted(run, n=N, **options):
    """Something that a pool of n texts does, with fitting it."""
    texts, ratings = english_sentences(n), np.arange(n) % 7.0
    return Case(lambda: run(BLEUNeighbors(**options, n_jobs=2, progress=False).fit(texts, ratings)), n)


def threshold_of(metric):
    return covering_threshold(metric.pool_, metric.texts_, metric.min_neighbors, metric.max_fraction, 2)


def essays(n=2000, length=1000):
    """Texts of so many characters, n on either side."""
    rng, sentences = random.Random(1), english_sentences(N)
    texts = [" ".join(rng.choices(sentences, k=length // 75))[:length] for _ in range(2 * n)]

    def ours():
        BLEUNeighbors(n_jobs=2, progress=False).fit(texts[:n], np.zeros(n)).predict(texts[n:])

    return Case(ours, n * n)


def kenlm(make, name, data_dir, tmp_path):
    """Strings to scores, beside kenlm's `score` on the same n-grams and the same sentences, tokenised already."""
    library, texts = pytest.importorskip("kenlm"), sentences_of_20_words(data_dir, N)
    packaged(name).to_arpa(tmp_path / "model.arpa")
    model = library.Model(str(tmp_path / "model.arpa"))
    tokenised = [" ".join(text.pieces) for text in packaged(name).token_logprobs(texts)]
    return Case(partial(make().predict, texts), N, lambda: [model.score(text) for text in tokenised], N)


def threads(make):
    """Texts as people write them over two threads, beside one."""
    texts = english_sentences(N, 60, 140)
    beside = {"references": [[text] for text in [*texts[1:], texts[0]]]} if make is ROUGELM else {}
    two, one = (partial(make(n_jobs=n_jobs).predict, texts, **beside) for n_jobs in (2, 1))
    return Case(two, N, one, N)


def as_written(make, data_dir, n=N):
    """Cased sentences with names, asides, quotation marks and letters beyond ASCII."""
    texts = written_sentences(data_dir, n)
    return Case(partial(make().predict, texts), n)


def long_words(size=100_000):
    """Characters of letters in random words, which no model knows, beside those of sentences."""
    rng, known = random.Random(0), " ".join(english_sentences(2000))[:size]
    words = ("".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 10))) for _ in range(size))
    metric, unknown = FluencyNgram(), " ".join(words)[:size]
    return Case(lambda: metric.predict([unknown]), size, lambda: metric.predict([known]), size)


def of_corpus(run, n=N):
    """Texts as people write them, by one thread."""
    return Case(partial(run, english_sentences(n, 60, 140)), n)


def of_gug(make, data_dir):
    texts, ratings = rated_sentences.gug(data_dir, "train")
    metric = make(texts, ratings)
    return Case(partial(metric.predict, texts), len(texts))


def rouge(stem, data_dir):
    table = pd.read_csv(data_dir("fluency") / "simplicity_da_with_references.csv", keep_default_na=False)
    sides = table["output"].tolist(), table[[f"reference_{i}" for i in range(10)]].to_numpy().tolist()
    some = [side[::12] for side in sides]
    peer = rouge_l(*some, use_stemmer=stem)
    return Case(partial(rouge_l_mult, *sides, stem=stem), 10 * len(table), peer, 10 * len(some[0]))


def training(data_dir):
    texts = sentences_of_20_words(data_dir, N)
    options = {"order": 4, "tokenizer": "wordpiece", "prune": (0, 0, 1), "max_ngrams": 100_000, "progress": False}
    return Case(partial(train_ngram, texts, **options), 20 * N)


def hugging_face():
    """A model of SmolLM2's shape with random weights, at batch 32; units are tokens."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    scorer = pytest.importorskip("minicons.scorer")
    from tokenizers import Tokenizer, models, pre_tokenizers

    from slor_metric.language_models.hf.model import HuggingFaceLanguageModel

    words = [f"w{i}" for i in range(49_152)]
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="w0"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="w1", eos_token="w2", pad_token="w2"
    )
    config = transformers.LlamaConfig(
        vocab_size=49_152, hidden_size=576, intermediate_size=1536, num_hidden_layers=30, num_attention_heads=9,
        num_key_value_heads=3, max_position_embeddings=8192, tie_word_embeddings=True,
    )  # fmt: skip
    torch.set_num_threads(2)
    model = transformers.AutoModelForCausalLM.from_config(config).eval()
    rng = random.Random(0)
    lengths = [min(60, max(4, round(rng.lognormvariate(3.0, 0.45)))) for _ in range(96)]
    texts = [" ".join(rng.choices(words, k=length)) for length in lengths]
    ours = HuggingFaceLanguageModel(model, fast, batch_size=32, progress=False)
    theirs = scorer.IncrementalLMScorer(model, "cpu", tokenizer=copy.deepcopy(fast))

    def peer():
        for first in range(0, len(texts), 32):
            theirs.token_score(texts[first : first + 32], bos_token=True)

    return Case(partial(ours.token_logprobs, texts), sum(lengths), peer, sum(lengths))


def smollm2(texts_of, data_dir):
    """Sentences of 20 words by SmolLM2, beside one run of the whole model for each: every row and logit of its own."""
    torch = pytest.importorskip("torch")
    try:
        lm = load_language_model("smollm2", progress=False)
    except ImportError as error:
        pytest.skip(str(error))
    texts = texts_of(sentences_of_20_words(data_dir, 200))
    some = texts[::10]

    def peer():
        for text in some:
            ids = torch.tensor([[lm.bos_id, *lm.tokenizer(text)["input_ids"]]])
            with torch.inference_mode():
                lm.model(ids[:, :-1]).logits[0].log_softmax(1).gather(1, ids[0, 1:, None])

    return Case(partial(lm.token_logprobs, texts), len(texts), peer, len(some))


def one_word_changed(sentences):
    """Five sentences with another word in place of each of their own in turn."""
    split = [sentence.split() for sentence in sentences[:5]]
    return [" ".join([*words[:place], "of", *words[place + 1 :]]) for words in split for place in range(len(words))]


def reranking(make):
    """Lists of 100 sentences of about 80 characters that vary one sentence in three words; 10,000 lists make 10^6."""
    rng, sentences = random.Random(0), english_sentences(3000)
    vocabulary = [word for sentence in sentences for word in sentence.split()]

    def varied(words):
        places = rng.sample(range(len(words)), 3)
        return " ".join(rng.choice(vocabulary) if i in places else word for i, word in enumerate(words))

    lists = [[varied(sentence.split()) for _ in range(100)] for sentence in sentences[:500]]
    return Case(partial(rerank, lists, make(sentences[-1000:])), len(lists))


def service():
    """One sentence a request, of eight clients beside one."""
    from fastapi.testclient import TestClient

    client, texts = TestClient(build_service(Fluency())), english_sentences(400)
    client.__enter__()

    def sent_by(n_clients):
        with ThreadPoolExecutor(n_clients) as clients:
            list(clients.map(lambda text: client.post("/score", json={"texts": [text]}), texts))

    return Case(partial(sent_by, 8), len(texts), partial(sent_by, 1), len(texts))


WORDS = partial(sacrebleu, tokenize="13a")
CASES = {
    "pairs, characters, nltk": partial(pool, nltk_bleu),
    "pairs, published, nltk": partial(pool, nltk_bleu, threshold=0.08, weights="uniform"),
    "pairs, 13a, sacrebleu": partial(pool, WORDS, tokenize="13a"),
    "pairs, 13a, short, sacrebleu": partial(pool, WORDS, lengths=(20, 60), tokenize="13a"),
    "pairs, rouge_l, rouge-score": partial(
        pool, lambda x, s: rouge_l(x, [[text] for text in s]), 2000, peer_pairs=500, kernel="rouge_l", threshold=0.06
    ),
    "matching, .08, similarity beside uniform": partial(matching, 0.08),
    "matching, .15, similarity beside uniform": partial(matching, 0.15),
    "essays": essays,
    "finding the threshold": partial(fitted, threshold_of),
    "leaving one out": partial(fitted, BLEUNeighbors.leave_one_out),
    "sweep": partial(fitted, sweep, 1000, threshold=0.08, weights="uniform"),
    "SLOR, kenlm": partial(kenlm, SLOR, "word"),
    "WPSLOR, kenlm": partial(kenlm, WPSLOR, "wordpiece"),
    "Fluency": partial(of_gug, lambda *rated: Fluency()),
    "Fluency, ngram": partial(of_corpus, lambda texts: FluencyNgram().predict(texts)),
    "Fluency, ngram, sentences as written": partial(as_written, FluencyNgram),
    "likeliest faults": partial(of_corpus, lambda texts: Fluency().likeliest_faults(texts), 500),
    "quality estimation, fitting": partial(
        of_corpus, lambda texts: QualityEstimator().fit(texts, [place % 7 for place in range(len(texts))]), 2000
    ),
    "unknown words, known ones": long_words,
    **{f"two threads, {make.name}": partial(threads, make) for make in (FluencyNgram, SLOR, WPSLOR, ROUGELM)},
    "quality estimation": partial(of_gug, lambda texts, ratings: QualityEstimator().fit(texts[:500], ratings[:500])),
    "ROUGE-L-mult, rouge-score": partial(rouge, False),
    "ROUGE-L-mult, stems, rouge-score": partial(rouge, True),
    "training": training,
    "Hugging Face, minicons": hugging_face,
    "SmolLM2, a sentence at a time": partial(smollm2, list),
    "SmolLM2, one word changed, a sentence at a time": partial(smollm2, one_word_changed),
    "service, eight clients": service,
    "rerank, WPSLOR": partial(reranking, lambda rated: WPSLOR()),
    "rerank, Fluency, ngram": partial(reranking, lambda rated: FluencyNgram()),
    "rerank, BLEU Neighbors": partial(
        reranking, lambda rated: BLEUNeighbors(n_jobs=2).fit(rated, [len(text) % 7 for text in rated])
    ),
    "rerank, MBR bleu": partial(reranking, lambda rated: MBR(n_jobs=2)),
    "rerank, MBR bleu_star": partial(reranking, lambda rated: MBR("bleu_star", n_jobs=2)),
    "rerank, MBR rouge_l": partial(reranking, lambda rated: MBR("rouge_l", n_jobs=2)),
}


FILES = {"data_dir", "tmp_path"}
"""Fixtures that a case may ask for."""


def both_clocks():
    return np.array([time.perf_counter(), time.process_time()])


@pytest.fixture(params=["quiet", "busy"])
def machine(request):
    """The machine as it is, and with another process for each processor."""
    n_others = thread_count(-1) if request.param == "busy" else 0
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n_others)]
    yield request.param
    for other in others:
        other.kill()
        other.wait()


@pytest.mark.parametrize("name", CASES)
def test_speed(benchmark, capsys, request, machine, name):
    make = CASES[name]
    case = make(**{file: request.getfixturevalue(file) for file in FILES & inspect.signature(make).parameters.keys()})
    case.ours()  # loads models, and fills caches
    calls = [case.ours] if case.peer is None else [case.ours, case.peer]
    taken = benchmark.pedantic(in_turn, (ROUNDS, *calls), {"clock": both_clocks}, rounds=1)
    ours, *peers = np.median(taken, axis=1)
    line = f"{name}, {machine}: {case.units / ours[0]:,.0f} a second, {case.units / ours[1]:,.0f} a CPU second"
    for peer in peers:
        times = (peer / case.peer_units) / (ours / case.units)
        line += f"; {times[0]:,.2f} times the peer's, {times[1]:,.2f} a CPU second"
    say(capsys, line)
