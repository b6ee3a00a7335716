"""Texts that SmolLM2 scores, for the small model to learn its order: sentences, faulty ones, and continued ones.

Of four sentences of the corpora one stays as it is, one gets faults (`damage`), and the small model continues two from
a place of chance: it takes its own continuations for sound, and SmolLM2 does not.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import torch

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.support.validation import Record
from referenceless_papers.packaged_models.pairs import written
from referenceless_papers.training.lstm import parted, read_start
from referenceless_papers.training.lstm_network import AdaptiveOutput, LSTMNetwork, load_network
from referenceless_papers.training.packages import has_bfloat16
from referenceless_papers.training.twins import Row, Twins, Words, words_of
from slor_metric.fluency.neural import NeuralReader
from slor_metric.fluency.words import WordReader
from slor_metric.formulas import sum_by_text
from slor_metric.language_models.classes import packaged_classes
from slor_metric.language_models.hf.torch_support import evaluating
from slor_metric.language_models.lstm.model import LSTMLanguageModel
from slor_metric.language_models.unigram import read_lines
from slor_metric.tokenizers.words import BOS, EOS, UNK, WordTokeniser, tokenise

LABELS_FILE = "labels.jsonl"
_LENGTHS = range(6, 25)
_COMMON = 20_000  # SmolLM2 takes rare names for faults
_COUNTED = 1_000_000  # sentences whose words and capitals are counted
_IN_PAIRS = set("\"'()[]")  # marks that `written` does not know
_WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")
_AT_ONCE = 256  # texts that SmolLM2 reads between writing
_LONGEST = 40  # pieces of a continued text
_SHARPENED = 1 / 0.85  # exponent of p before a piece is drawn


def read_corpora(corpora: Sequence[str], training: Record) -> tuple[list[str], list[str]]:
    """Return the sentences that a small model was trained on, as they stand in the files, and those it held out."""
    kept: list[str] = []
    held_out: list[str] = []
    for corpus in corpora:
        lines = [line for line in read_lines(corpus) if line.split()]
        of_file = parted(len(lines), training["settings"]["validation"], training["settings"]["seed"])
        for part, rows in zip((held_out, kept), of_file, strict=True):
            part += [lines[row] for row in rows]
    return kept, held_out


def write_labels(start: Path, corpora: Sequence[str], out: Path, size: int = 93_000) -> None:
    """Draw texts, let SmolLM2 read them, and write its scores.

    The score is the part of SmolLM2 in `Fluency`. A line of `out` is a JSON object with `text` and `score`; if the file
    is there, the run continues it.

    Args:
        start: the folder of `train small`, or a `small.safetensors`.
        corpora: corpora that it was trained on; no sentence that it held out is read.
        out: the file.
        size: most lines of the file.
    """
    found = out.read_text(encoding="utf-8") if out.exists() else ""
    if found.count("\n") >= size:
        return
    narrow = has_bfloat16(torch.device("cpu"))  # three times as fast; scores correlate at 0.996 with those in float32
    reader, words = NeuralReader({"dtype": "bfloat16" if narrow else "float32"}), WordReader(packaged_classes())
    draw = _Texts(start, corpora)
    lines = draw.drawn(size)
    for first in range(found.count("\n"), len(lines), _AT_ONCE):
        texts = draw.texts(lines[first : first + _AT_ONCE], first)
        offsets = words.read(texts)[-1]
        scores = sum_by_text(reader.read(texts, words.split_chunk), offsets)
        for text, score in zip(texts, scores.tolist(), strict=True):
            found += json.dumps({"text": text, "score": score}) + "\n"
        with atomic_write(out) as file:
            file.write(found.encode())


def continued(network: LSTMNetwork, rows: Sequence[Row], kept: Sequence[int], seed: int) -> list[Row]:
    """Return sentences that a network continues by chance; as they are if it has not ended within 40 pieces.

    Args:
        network: the network.
        rows: n sentences as the model reads them, ``<s> … </s>``.
        kept: number of tokens of each that are kept, ``<s>`` among them.
        seed: seed of the random draws.
    """
    random, state = torch.Generator().manual_seed(seed), None
    ids, begins = torch.full((len(rows), _LONGEST), EOS), torch.tensor(kept)
    for i, row in enumerate(rows):
        part = row[: kept[i]][:_LONGEST]
        ids[i, : len(part)] = torch.from_numpy(part)
    with evaluating(network):
        for at in range(1, _LONGEST):
            states, state = network.lstm(network.embedding(ids[:, at - 1 : at]), state)
            shares = _probabilities(network, states[:, 0]) ** _SHARPENED
            shares[:, [UNK, BOS]] = 0
            drawn = torch.multinomial(shares, 1, generator=random)[:, 0]
            ids[:, at] = torch.where((at >= begins) & (ids[:, at - 1] != EOS), drawn, ids[:, at])
    return [
        new[: new.tolist().index(EOS) + 1] if new[-1] == EOS else row
        for row, new in zip(rows, ids.numpy(), strict=True)
    ]


def _probabilities(network: LSTMNetwork, states: torch.Tensor) -> torch.Tensor:
    """Return p of every token after the LSTM's states, shape (n, vocabulary)."""
    if network.shape.projection:
        states = network.projection(states)
    output = network.output
    if not isinstance(output, AdaptiveOutput):
        return torch.softmax(output(states), 1)
    head, first = torch.softmax(output.head(states), 1), network.shape.cutoffs[0]
    tails = [head[:, first + i, None] * torch.softmax(tail(states), 1) for i, tail in enumerate(output.tails)]
    return torch.cat([head[:, :first], *tails], 1)


class _Texts:
    """Draws texts from the sentences of corpora, as people would write them."""

    def __init__(self, start: Path, corpora: Sequence[str]) -> None:
        shape, weights, tokens, counts, tokenizer, training = read_start(start)
        self.model = LSTMLanguageModel(shape, weights, tokens, counts, tokenizer)
        self.network = load_network(shape, weights)
        lines, _ = read_corpora(corpora, training)
        self._lines = [lines[i] for i in np.random.default_rng(0).permutation(len(lines))]
        words: Counter[str] = Counter()
        forms: dict[str, Counter[str]] = defaultdict(Counter)
        for line in self._lines[:_COUNTED]:
            words.update(_words(line))
            for form in _cased(line):
                forms[form.lower()][form] += 1
        self._usual = {word: found.most_common(1)[0][0] for word, found in forms.items()}
        self._common = {word for word, _ in words.most_common(_COMMON)}
        self._twins = Twins(self.model, words)

    def drawn(self, size: int) -> list[str]:
        """Return the first sentences that are of use."""
        return list(islice(filter(self._usable, self._lines), size))

    def _usable(self, line: str) -> bool:
        words = _words(line)
        rare = sum(word.isalpha() and word not in self._common for word in words)
        return len(words) in _LENGTHS and words[-1] in ".?!" and rare <= 1 and not _IN_PAIRS & {*words}

    def texts(self, lines: Sequence[str], seed: int) -> list[str]:
        """Return a text of each sentence."""
        words, draw = [*map(_words, lines)], np.random.default_rng(seed)
        self._twins.damage.random.seed(seed)
        words[1::4] = [self._twins.damage(each) or each for each in words[1::4]]
        rows = self._twins.rows(map(" ".join, words))
        known = [i for i, row in enumerate(rows) if i % 4 > 1 and UNK not in row]
        kept = [int(draw.integers(3, max(4, len(rows[i]) - 3))) for i in known]
        for i, row in zip(known, continued(self.network, [rows[i] for i in known], kept, seed), strict=True):
            words[i] = words_of(row, self.model.tokens)
        return [self._written(each, line) for each, line in zip(words, lines, strict=True)]

    def _written(self, words: Words, line: str) -> str:
        """Return words with the capitals that they have in the sentence they come from, or mostly in the corpora."""
        forms = {form.lower(): form for form in _cased(line)}
        return written([forms.get(word, self._usual.get(word, word)) for word in words])


def _words(line: str) -> Words:
    return tokenise(WordTokeniser(), line)


def _cased(line: str) -> list[str]:
    """Return the words within a sentence that has kept its capitals; of another none."""
    return [] if line == line.lower() else [word for chunk in line.split()[1:] for word in _WORD.findall(chunk)]
