"""Sentences of the corpus with faults put in: those that learners and generators make, drawn by chance.

A word is left out, added, doubled, misspelt, put in another form or in another one's place, or a part of the sentence
is cut off. Closed-class words, which carry the grammar, are hit more often than others.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Mapping

Words = list[str]

#: Words that are taken for one another.
_CONFUSED = (
    "of in to for with on at from by about as into over after under between through during without within against",
    "a an the this that these those some any every each another",
    "is are was were be been being am",
    "has have had having",
    "do does did done doing",
    "will would can could should may might must shall",
    "he him his himself",
    "she her hers herself",
    "they them their theirs themselves",
    "i me my mine",
    "we us our ours",
    "it its itself",
    "you your yours",
    "he she it they we i you",
    "him her it them us me",
    "his her its their our my your",
    "who which whose whom what that where when",
    "there their they",
    "then than",
    "too to two",
    "and but or so because although if while since though",
    "much many more most",
    "little few less fewer",
    "other another others",
    "not no nor never",
    "very much too so",
)
_ADDED = "the a of to in is that it and for on with was be have as at by do not he they"
_BEFORE_A_CLAUSE = "if because although when while unless since that which who whether until before after though as"
_FREQUENT = 40_000
#: Shares of the faults, in hundredths, for the small model's twins.
SHARES = {
    "closed-class word left out": 18,
    "word left out": 8,
    "word added": 9,
    "word confused": 19,
    "word in another form": 20,
    "word in the next one's place": 9,
    "word doubled": 2,
    "word misspelt": 6,
    "part cut off": 5,
    "clause alone": 2,
    "word as frequent": 2,
}
#: The same for learners' texts, near the counts of error types in the development set of Write & Improve and
#: LOCNESS (Bryant et al. 2019, the shared task of BEA). Of 100 edits that are no matter of punctuation or capitals, 16
#: add a missing word (12 of them a closed-class word) and 12 remove one; a word is replaced by one of the same closed
#: class in 14, by another form in 21, by its right spelling in 7 and by another word in 28; two are matters of order.
LEARNERS = {
    "closed-class word left out": 15,
    "word left out": 5,
    "word added": 14,
    "word confused": 21,
    "word in another form": 26,
    "word in the next one's place": 4,
    "word misspelt": 9,
    "word as frequent": 6,
}
#: The same for generators' texts: they say things again, leave words out, and end too early.
GENERATORS = {
    "closed-class word left out": 15,
    "word left out": 15,
    "word added": 8,
    "word confused": 10,
    "word in another form": 10,
    "word in the next one's place": 10,
    "word doubled": 6,
    "phrase doubled": 6,
    "part cut off": 12,
    "clause alone": 4,
    "word as frequent": 4,
}
#: Shares of sentences with one fault, two and three, in tenths.
_FAULTS = (7, 2, 1)
_TRIES = 12  # a fault needs a word that it can befall


class Damage:
    """Puts faults into sentences.

    Args:
        counts: count of each word in the corpus.
        seed: seed of all random draws.
        shares: share of each fault, relative to the others.

    Attributes:
        drawn: the faults that the last sentence got.
    """

    def __init__(self, counts: Mapping[str, int], seed: int = 0, shares: Mapping[str, int] = SHARES) -> None:
        from nltk.stem.snowball import EnglishStemmer

        self.random, self.counts, self.shares = random.Random(seed), counts, shares
        self.drawn: list[str] = []
        self.confused: dict[str, Words] = defaultdict(list)
        for row in map(str.split, _CONFUSED):
            for word in row:
                self.confused[word] += [other for other in row if other != word]
        self.frequent = sorted((word for word in counts if word.isalpha()), key=lambda word: (-counts[word], word))
        self.frequent = self.frequent[:_FREQUENT]
        self.rank = {word: i for i, word in enumerate(self.frequent)}
        by_stem: dict[str, Words] = defaultdict(list)
        stem = EnglishStemmer().stem
        for word in self.frequent:
            if len(word) > 3 and word not in self.confused:
                by_stem[stem(word)].append(word)
        families = [row for row in by_stem.values() if len(row) > 1]
        self.forms = {word: [other for other in row if other != word] for row in families for word in row}

    def __call__(self, words: Words) -> Words | None:
        """Return a sentence with one fault to three; None if none could be put in."""
        wanted, found = self.random.choices((1, 2, 3), _FAULTS)[0], words
        self.drawn = []
        for _ in range(_TRIES):
            (fault,) = self.random.choices(list(self.shares), list(self.shares.values()))
            changed = self._changed(found, fault)
            if changed != found and sum(word[0].isalpha() for word in changed) > 1:
                found = changed
                self.drawn.append(fault)
                if len(self.drawn) == wanted:
                    break
        return found if found != words else None

    def _changed(self, words: Words, fault: str) -> Words:
        """Return a sentence with a fault; as it is if no word of it can have this one."""
        draw, usable = self.random, self._usable(fault)
        places = [i for i, word in enumerate(words) if word[0].isalpha() and (usable is None or word in usable)]
        if not places:
            return words
        at, short = draw.choice(places), draw.randrange(1, max(2, len(words) // 2))
        before, word, after = words[:at], words[at], words[at + 1 :]
        match fault:
            case "clause alone":
                return [draw.choice(_BEFORE_A_CLAUSE.split()), *words]
            case "part cut off":
                end = draw.choice((short, at + short, len(words) - 1))
                return words[: max(0, end - short)] + words[end:]
            case "word in the next one's place":
                return [*before, *after[:1], word, *after[1:]]
            case "closed-class word left out" | "word left out":
                return before + after
            case "word added":
                return [*before, draw.choice(_ADDED.split()), word, *after]
            case "word confused":
                return [*before, draw.choice(self.confused[word]), *after]
            case "word in another form":
                forms = self.forms[word]
                weights = [self.counts[form] ** 0.5 for form in forms]
                return [*before, *draw.choices(forms, weights), *after]
            case "word doubled":
                return [*before, word, word, *after]
            case "phrase doubled":
                end = at + draw.randrange(2, 7)
                phrase = words[at:end]
                return [*words[:end], *phrase, *words[end:]] if all(map(str.isalpha, phrase)) else words
            case "word as frequent":
                near = self.rank[word] + draw.randrange(-50, 51)
                return [*before, self.frequent[min(max(near, 0), len(self.frequent) - 1)], *after]
        return [*before, self._misspelt(word), *after]

    def _usable(self, fault: str) -> Collection[str] | None:
        """Return the words that a fault can befall; None for all."""
        if fault in ("closed-class word left out", "word confused"):
            return self.confused
        if fault == "word in another form":
            return self.forms
        return self.rank if fault == "word as frequent" else None

    def _misspelt(self, word: str) -> str:
        """Return a word with a letter left out, doubled, swapped with the next or in another's place."""
        if len(word) < 4:
            return word
        k = self.random.randrange(1, len(word) - 1)
        letters = "aeiou" if word[k] in "aeiou" else "bcdfghklmnprstvwy"
        before, letter, after = word[:k], word[k], word[k + 1 :]
        others = (
            before + after,
            before + 2 * letter + after,
            before + after[0] + letter + after[1:],
            before + self.random.choice(letters) + after,
        )
        return self.random.choices(others, (7, 5, 3, 5))[0]
