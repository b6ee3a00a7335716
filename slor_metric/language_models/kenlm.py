"""n-gram models of KenLM, as ARPA text or as its binaries, through the `kenlm` package."""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import subprocess
import sys
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

import numpy as np

from metric_commons.support.installation import import_extra
from metric_commons.support.validation import PathName, check_choice, check_texts, describe
from slor_metric.language_models.base import TokenLogprobs
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.tokenizers.words import (
    OOV_RULES,
    SPECIALS,
    UNKNOWN,
    Tokeniser,
    get_tokeniser,
    replace_surrogates,
    tokenise,
)

_LN_10 = math.log(10.0)

_TRIAL_SECONDS = 60

_TRIAL = r"""
import random
import sys
import kenlm
path = sys.argv[1]
config = kenlm.Config()
config.load_method = kenlm.LoadMethod.LAZY
try:
    model = kenlm.Model(path, config)
except (OSError, RuntimeError, UnicodeDecodeError):
    sys.exit()  # who loads it next says what is wrong
with open(path, "rb") as file:
    file.seek(max(0, file.seek(0, 2) - 2**22))  # the vocabulary stands at the end
    words = file.read().decode("utf-8", "replace").split("\0")
words += random.Random(0).choices(words, k=20_000)  # n-grams that a model lacks are sought without end in a full table
for first in range(0, len(words), 1000):
    for _ in model.full_scores(" ".join(words[first : first + 1000])):
        pass
"""
"""Reads a binary, and scores its vocabulary in order and at random, in a process that may end over it."""


class KenLMLanguageModel:
    """A back-off n-gram model that KenLM reads (a `LanguageModel`).

    A text is one sentence: its first token is conditioned on `<s>`, and `end_logprob` is that of `</s>`. KenLM gives
    log10; what this class gives are natural logarithms. KenLM stores single precision.

    KenLM checks the header of a binary and not what follows: a damaged one can end the process, or hold it up for ever.
    So another process first scores the words of a binary's vocabulary (the last 4 MB of them) and random rows of them,
    which takes a tenth of a second for a small file and refuses the damaged; what somebody forged can still pass. Read
    an ARPA file where you do not trust who made it: all its lines are checked.

    Args:
        path: an ARPA file (may be gzipped where KenLM was built for that) or a KenLM binary.
        tokenizer: how text is cut into the tokens of the model: `"whitespace"` for text that is tokenised already,
            `"words"`, or a tokeniser object. KenLM files do not say how their corpus was tokenised.
        oov: what happens to a token outside the vocabulary. `"unk"`: it counts as `<unk>`, with the probability
            that the model has for it. `"skip"`: it is left out of the text's tokens; KenLM takes it as `<unk>` in the
            context.
        unigram: the unigram model to carry, for `SLOR`: token counts of the same corpus under the same tokenisation.

    Raises:
        FileNotFoundError: where there is no such file.
        ImportError: without kenlm (extra `kenlm`).
        ValueError: for a file that KenLM cannot read, or a binary over which its process ends.
    """

    def __init__(
        self,
        path: PathName,
        *,
        tokenizer: str | Tokeniser = "whitespace",
        oov: str = "unk",
        unigram: UnigramTable | None = None,
    ) -> None:
        kenlm = import_extra("kenlm", "kenlm", "This language model")
        check_choice(oov, "oov", OOV_RULES)
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"Expected argument `path` to be a path, but got {describe(path)}")
        self.path = Path(path)
        if not self.path.is_file():
            raise FileNotFoundError(f"There is no KenLM model at {self.path}")
        self.tokenizer: Tokeniser = get_tokeniser(tokenizer) if isinstance(tokenizer, str) else tokenizer
        self.tokenizer_name = self.tokenizer.name
        self.oov = oov
        self.unigram = unigram
        self._try_binary()
        config = kenlm.Config()
        config.show_progress = False
        with contextlib.suppress(AttributeError):  # a message on stderr about ARPA files being slow to load
            config.arpa_complain = kenlm.ARPALoadComplain.NONE
        try:
            self.model = kenlm.Model(str(self.path), config)
        except (OSError, RuntimeError, UnicodeDecodeError) as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise ValueError(f"Expected {self.path} to be an ARPA file or a KenLM binary, but {reason}") from None

    def _try_binary(self) -> None:
        """See that a binary, if this is one, ends no process that reads it."""
        with self.path.open("rb") as file:
            if file.read(7) != b"mmap lm":
                return
        command = [sys.executable, "-c", _TRIAL, str(self.path)]
        try:
            ended = subprocess.run(command, capture_output=True, timeout=_TRIAL_SECONDS).returncode
        except subprocess.TimeoutExpired:
            ended = -1
        if ended < 0 or ended > 2**16:  # by a signal; Windows numbers exceptions from 3 * 2**30 on
            raise ValueError(
                f"Expected {self.path} to be a KenLM binary that is whole, but reading it ends the process"
            )

    def __repr__(self) -> str:
        return f"KenLMLanguageModel({self.path.name!r}, order={self.order}, {self.tokenizer_name}, oov={self.oov!r})"

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return int(self.model.order)

    @cached_property
    def signature(self) -> str:
        """Kind, order, tokenisation, OOV rule and a hash of the file."""
        with self.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()[:8]
        return f"kenlm-{self.order}gram-{self.tokenizer_name}-{self.oov}-{digest}"

    def token_logprobs(self, texts: Iterable[str]) -> list[TokenLogprobs]:
        """Return the tokens of each text with their natural-log probabilities.

        Args:
            texts: n texts, not a bare string. An empty one has no tokens.

        Raises:
            TypeError: for a bare string or an item that is no string.
        """
        return [self._score(text) for text in check_texts(texts, "texts")]

    def _score(self, text: str) -> TokenLogprobs:
        # Markers cannot be written in a text: KenLM takes any token that it does not know as <unk>.
        tokens = [
            UNKNOWN if token in SPECIALS else token for token in tokenise(self.tokenizer, replace_surrogates(text))
        ]
        scores = list(self.model.full_scores(" ".join(tokens), bos=True, eos=True))
        if len(scores) != len(tokens) + 1:
            raise ValueError(f"Expected tokens without whitespace from the tokeniser, but got some in {describe(text)}")
        if not all(-math.inf < log10 <= 0 for log10, _, _ in scores):
            raise ValueError(f"Expected {self.path} to hold log-probabilities of at most 0, but got others: damaged")
        scored = [
            (UNKNOWN if unknown else token, log10 * _LN_10)
            for token, (log10, _, unknown) in zip(tokens, scores, strict=False)
            if not unknown or self.oov == "unk"
        ]
        logprobs = np.array([logprob for _, logprob in scored], dtype=float)
        return TokenLogprobs(tuple(piece for piece, _ in scored), logprobs, scores[-1][0] * _LN_10)
