"""METEOR (Lavie & Agarwal 2007) by nltk, with WordNet's synonyms; the best reference counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metric_commons.integrations.sacrebleu import Streams
from metric_commons.support.installation import import_extra
from metric_commons.support.wordnet import load_wordnet
from referenceless_papers.baselines.base import Baseline


class Meteor(Baseline):
    """METEOR on the words that sacrebleu's tokeniser 13a makes, lower-cased.

    Args:
        wordnet: a folder of WordNet's files; None for nltk's data, or else the system's.
        references: reference streams to keep.

    Raises:
        ImportError: without nltk; the message names the extra.
        InputError: without WordNet's files; the message says how to get them.
    """

    name: ClassVar[str] = "METEOR"
    key: ClassVar[str] = "meteor"

    def __init__(self, *, wordnet: str | None = None, references: Streams | None = None) -> None:
        self.wordnet = wordnet
        self._load()
        super().__init__(references)

    def _load(self) -> None:
        self._score: Any = import_extra("nltk.translate.meteor_score", "meteor", "METEOR").meteor_score
        self._synonyms: Any = load_wordnet(self.wordnet, "METEOR", "Meteor(wordnet=…)")

    def __getstate__(self) -> dict[str, Any]:
        """Leave WordNet's open files behind."""
        return {name: value for name, value in super().__getstate__().items() if name not in ("_synonyms", "_score")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Open them again."""
        super().__setstate__(state)
        self._load()

    def segment_values(self, texts: Sequence[str], references: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return METEOR of each text, shape (n,)."""
        from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

        split = Tokenizer13a()

        def words(text: str) -> list[str]:
            return str(split(text.lower())).split()

        return np.array(
            [
                self._score([words(reference) for reference in own], words(text), wordnet=self._synonyms)
                for text, own in zip(texts, references, strict=True)
            ]
        )

    def _signature_parts(self) -> dict[str, tuple[str, object]]:
        return {"tokenizer": ("tok", "13a"), "synonyms": ("syn", "wordnet")}
