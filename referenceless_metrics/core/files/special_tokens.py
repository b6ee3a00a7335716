"""Special tokens of tokenizers in texts, such as <unk>: they are no words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

_SPECIAL = re.compile(
    r"</?s>|<(?:unk|pad|bos|eos|mask|sep|cls)>|\[(?:unk|pad|cls|sep|mask)\]|<\|[a-z_]+\|>|@-@", re.IGNORECASE
)
"""Special tokens of usual tokenizers, and the mark of a split hyphen."""


def holds_special_token(text: str) -> bool:
    """Return whether a text holds a special token.

    >>> holds_special_token("It is <unk> ."), holds_special_token("It is [UNK]"), holds_special_token("a < b > c")
    (True, True, False)
    """
    return _SPECIAL.search(text) is not None


class SpecialTokens:
    """The special tokens of texts that pass by.

    Attributes:
        n_texts: number of texts.
        n_holding: number of texts that hold a special token.
        counts: number of texts that hold each.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.n_texts = self.n_holding = 0
        self.counts: Counter[str] = Counter()
        self.add(texts)

    def add(self, texts: Iterable[str]) -> None:
        """Count texts."""
        for text in texts:
            found = set(_SPECIAL.findall(text))
            self.n_texts += 1
            self.n_holding += bool(found)
            self.counts.update(found)

    @property
    def notes(self) -> list[str]:
        """A note on them; none without any.

        >>> SpecialTokens(["It is <unk> .", "a <unk> [UNK]", "plain"]).notes[0]
        '2 of 3 texts hold special tokens of a tokenizer (<unk> in 2, [UNK] in 1): these are no words'
        """
        if not self.n_holding:
            return []
        told = ", ".join(f"{token} in {n}" for token, n in sorted(self.counts.items(), key=lambda each: -each[1]))
        holding = f"{self.n_holding} of {self.n_texts} texts {'holds' if self.n_holding == 1 else 'hold'}"
        return [f"{holding} special tokens of a tokenizer ({told}): these are no words"]


def special_token_notes(systems: Sequence[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """Yield a note on each system whose outputs hold special tokens.

    Args:
        systems: each system's name and outputs.
    """
    for name, outputs in systems:
        for note in SpecialTokens(outputs).notes:
            yield f"{name}: {note}"
