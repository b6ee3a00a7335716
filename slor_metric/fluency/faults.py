"""The likeliest fault of a text: the word at which one small edit raises its fluency most.

Of 480 held-out sentences of Wikipedia and textbooks with one made fault each (a verb or an article left out, another
preposition, number or spelling, two words swapped, one doubled or added), 40 in 100 are said to have one, and then the
edit is at the right place in 92 in 100. The word with the lowest contribution is the faulty one in 48, one of the three
lowest in 72, and a word drawn by chance in 7 (`referenceless reproduce named-faults`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from slor_metric.fluency.metric import Fluency, FluencyNgram
from slor_metric.fluency.words import FREQUENT, edits
from slor_metric.language_models.classes import WordClasses, packaged_classes

_ARTICLES, _PREPOSITIONS = ("a", "an", "the"), ("of", "in", "to", "for", "with", "on", "at")
#: Kinds of fault, and words that are taken for one another. No kind is claimed of articles and prepositions: where a
#: change of one helps most, the made fault is another in two of three.
_CONFUSED = (
    ("", _ARTICLES),
    ("", (*_PREPOSITIONS, "from", "by", "about", "into", "as")),
    *(("agreement", tuple(row.split())) for row in ("is are was were be been am", "has have had", "do does did")),
)
_LEFT_OUT = (
    ("", _ARTICLES),
    ("", _PREPOSITIONS),
    ("missing verb", ("is", "are", "was", "were", "be", "has", "have", "had")),
)
#: Endings that take one another's place.
_ENDINGS = (("", "s", "es", "ed", "d", "ing", "e"), ("y", "ies", "ied"))
_MARKS = ".,;:!?"
#: So much must a sentence gain, in the score's unit, for a fault to be named.
_LEAST_GAIN = 1.0
#: So many edits are scored by the metric itself, the best by the n-grams alone.
_SHORTLIST = 14
_MOST_WORDS = 60


class Fault(NamedTuple):
    """What one edit says of a text.

    Attributes:
        word: the word at which the edit is made, as it stands in the text; of one left out, the word after it.
        kind: what kind of fault that mends; "" where its kind is not told well enough.
        better: the text after the edit.
        gain: how much higher its score is.
    """

    word: str
    kind: str
    better: str
    gain: float


def likeliest_fault(metric: Fluency, text: str) -> Fault | None:
    """Return the likeliest fault of a text in English; None where no edit gains enough, or the text has no score.

    Args:
        metric: the score to raise.
        text: one text of at most 60 words, on one line.
    """
    words = text.split()
    if metric.models is not None or not words or len(words) > _MOST_WORDS or "\n" in text.strip():
        return None
    plain = metric.predict([" ".join(words)])
    if not plain.n_covered:
        return None
    places, kinds, edited = zip(*_edits(words, packaged_classes()), strict=True)
    texts = list(map(" ".join, edited))
    gains = np.nan_to_num(FluencyNgram().predict(texts).values, nan=-np.inf)
    best = np.argsort(-gains, kind="stable")[:_SHORTLIST].tolist()
    values = np.nan_to_num(metric.predict([texts[i] for i in best]).values, nan=-np.inf)
    gain, i = float(values.max() - plain.values[0]), best[int(values.argmax())]
    if gain * plain.n_sentences[0] < _LEAST_GAIN:  # a text's score is the mean of its sentences
        return None
    return Fault(words[places[i]], kinds[i], texts[i], gain)


def _edits(words: Sequence[str], classes: WordClasses) -> Iterator[tuple[int, str, list[str]]]:
    """Yield edits of a text: the place of the word, what kind of fault each mends, and the words after it."""
    frequent = frozenset(classes.words[:FREQUENT])
    stems = [word.rstrip(_MARKS) for word in words]
    lower = [stem.lower() for stem in stems]
    for i, (word, low) in enumerate(zip(words, lower, strict=True)):
        before, marks, after = words[:i], word[len(stems[i]) :], words[i + 1 :]
        confused = [(kind, row) for kind, row in _CONFUSED if low in row]
        again = lower[max(i - 1, 0) : i + 2].count(low) > 1
        if again or confused or low in ("that", "it", "and"):
            yield i, "repetition" if again else "extra word", [*before, *([marks] if marks else []), *after]
        changes = [(kind, f"{new} {word}") for kind, row in _LEFT_OUT for new in row]
        changes += [(kind, new + marks) for kind, row in confused for new in row if new != low]
        if low.isalpha() and len(low) > 2 and "agreement" not in (kind for kind, _ in confused):
            known = low in classes.ids
            changes += [
                ("agreement" if known else "spelling", form + marks) for form in _forms(low) & classes.ids.keys()
            ]
            changes += [("spelling", new + marks) for new in frequent.intersection(() if known else edits(low))]
        yield from ((i, kind, [*before, new, *after]) for kind, new in sorted(changes))
        if after:
            yield i, "order", [*before, stems[i + 1], stems[i] + after[0][len(stems[i + 1]) :], *after[1:]]


def _forms(word: str) -> set[str]:
    """Return strings that differ from a word in their ending.

    >>> sorted(_forms("tries"))[:4]
    ['tri', 'trid', 'trie', 'tried']
    """
    return {word.removesuffix(old) + new for row in _ENDINGS for old in row if word.endswith(old) for new in row} - {
        word
    }
