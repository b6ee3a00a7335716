"""Texts cut into sentences, each as the language models read it.

Parts that are no prose are left out first (`markup`). A text of several sentences is scored by sentence (`sentencex`
finds them). A sentence is read without quotation marks and without text in brackets, which break the n-grams of the
words beside them; and one without a final mark is read with a full stop, so that the cost of its end is separate from
that of its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from referenceless_metrics.core.support.validation import Booleans, Integers
from slor_metric.fluency.markup import NAME, Prose, prose_beside_names, prose_of, prose_of_suspect
from slor_metric.fluency.plain_texts import (
    ANY_SENTENCE,
    ASIDE_SENTENCE,
    MARKS_INSIDE,
    NAMES_ALONE,
    PROSE_ALONE,
    QUOTED_SENTENCE,
    scan,
)
from slor_metric.language_models.classes import packaged_classes
from slor_metric.tokenizers.words import replace_surrogates

LIST_ITEM, TITLE, NO_FULL_STOP = "list item", "title or headline", "no final full stop"

_ENDS = ".!?…。！？"
#: A label before a sentence, the speaker or the topic: "Anna:", "Q:", "Speaker 2:".
_LABELLED = r"[A-Z][\w.'-]{0,15}(?: [A-Z\d][\w.'-]{0,15})?:\s+(?=[A-Z\"“])"
_LABEL = re.compile(_LABELLED)
#: One sentence with its final mark, and nothing in it that is read in another way.
_PLAIN = re.compile(rf"(?!{_LABELLED})[A-Za-z][^\n{_ENDS}\"“”„«»`()\[\]]{{2,}}[{_ENDS}]")
_MARKER = re.compile(r"\s*(?:[-*•·–—]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s+(?=\S)")
_MARKER_ALONE = re.compile(r"\s*(?:\(?(?:\d{1,3}|[A-Za-z])[.)]|[-*•·–—])\s*")
#: A line break ends a sentence if the next line begins like one.
_LINE = re.compile(r"(?<!\s)\s*\n\s*(?=\n|[-*•·–—\dA-Z\"“(])|\n\s*\n")
# From the last of several marks on: a row of them is looked through once.
_SEVERAL = re.compile(rf"[{_ENDS}][^\w{_ENDS}]*\w")
#: Characters of a line beyond which it is cut after the full stops of Chinese, Japanese and Hindi, which always end a
#: sentence, before sentencex reads it: its time grows with the square of a line that holds many.
_LONGEST_LINE = 10_000
_AFTER_SURE_STOP = re.compile("(?<=[。！？।])")
#: Runs of characters without white space, within which such lines are cut, too: no prose, but many marks may stand
#: there.
_LONG_RUN = re.compile(r"(\S{1000})")
_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_QUOTE = re.compile(r"[\"“”„«»`]|''")
_IN_SINGLE_QUOTES = re.compile(r"\s*['‘](?!\w+['’]\w)(.*)['’]\s*", re.DOTALL)
_SINGLE_QUOTES = ("'", "‘")
_CLOSING = "\"'’)]”»* \t\n"
#: Characters that a sentence may end with beside full stops and their like.
_FINAL = frozenset(f"{_ENDS}:;")
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_LABEL = 34
#: As many words as must remain for text in brackets to be left out.
_LEAST_WORDS = re.compile(r"(?:[\W\d_]*+[^\W\d_]++){4}")
#: Fewest letters of a word that titles capitalise; shorter ones are often in lower case.
_LONG = 4
_MOST_CAPITALS = 2 / 3
_VERBS = (
    "am is are was were be been being 's 're 'm has have had do does did can could will would shall should may "
    "might must said made went came took thought left built cut found heard hid hit let put read saw set told "
    "understood know think see go come like need live"
)
#: Verbs: a class of words that holds two of them is a class of verbs.
_OF_VERBS = (
    "turned sat ran walked gave takes shows finds got knew felt wrote became includes contains uses asked says stood "
    "lived plays held brought led began comes goes looks leaves remains opened closed stands falls returned wanted "
    "want seem give keep send tell ask help call received won done seen used expected believes writes visits arrest"
)


@dataclass(frozen=True)
class Sentences:
    """The m sentences of n texts.

    Attributes:
        read: each sentence as the models read it.
        counts: number of sentences of each text, at least one, shape (n,).
        stopped: True for sentences that are read with a full stop that they do not have, shape (m,).
        notes: note on each sentence: `LIST_ITEM`, `TITLE`, `NO_FULL_STOP` or "".
        prose: the n texts without their other parts and without parts that are read as a name.
        has_prose: True for texts that hold prose, shape (n,).
        read_over: the kinds of other parts in each of n texts.
        names: the text that each `markup.NAME` of a text stands in for, n of them.
    """

    read: list[str]
    counts: Integers
    stopped: Booleans
    notes: list[str]
    prose: list[str]
    has_prose: Booleans
    read_over: list[str]
    names: list[tuple[str, ...]]

    @property
    def of_text(self) -> Integers:
        """The text that each is of, shape (m,), never falling."""
        return np.repeat(np.arange(len(self.counts), dtype=np.int64), self.counts)


def read_sentences(texts: Sequence[str], language: str = "en") -> Sentences:
    """Cut texts into sentences.

    Args:
        texts: n texts.
        language: its code; titles without a capital are recognised in English alone.

    >>> found = read_sentences(["Dr. Smith (a vet) came at 5 p.m. on Friday. He left", "2. A Brief History of Time"])
    >>> found.read
    ['Dr. Smith came at 5 p.m. on Friday.', 'He left .', 'A Brief History of Time .']
    >>> found.of_text.tolist(), found.notes
    ([0, 0, 1], ['', 'no final full stop', 'list item'])
    """
    marks = scan(texts)
    prose, read_over = list(texts), [""] * len(texts)
    names: list[tuple[str, ...]] = [()] * len(texts)
    has_prose = np.ones(len(texts), dtype=bool)
    whole = list(texts)  # the prose with its names; of texts of one sentence, that sentence as it is read
    suspects = np.flatnonzero(marks & PROSE_ALONE == 0)
    parts = [_prose_of(texts[i], marks[i]) for i in suspects.tolist()]
    marks[suspects] = scan([part.text for part in parts])
    for i, part in zip(suspects.tolist(), parts, strict=True):
        whole[i] = part.text
        prose[i] = part.text.replace(NAME, " ") if part.names else part.text
        read_over[i], names[i] = ", ".join(part.read_over), part.names
    kinds = marks & ANY_SENTENCE
    kinds[[i for i in np.flatnonzero(marks & MARKS_INSIDE).tolist() if not _is_one(whole[i], language)]] = 0
    for i in np.flatnonzero(kinds == QUOTED_SENTENCE).tolist():
        whole[i] = whole[i].replace('"', " ").replace("`", " ").strip()
    for i in np.flatnonzero(kinds == ASIDE_SENTENCE).tolist():
        whole[i] = _without_quotes(_without_asides(whole[i])).strip()
    counts = np.ones(len(texts), dtype=np.int64)
    by_rule = {i: _sentences_of(whole[i], texts[i], language) for i in np.flatnonzero(kinds == 0).tolist()}
    for i, own in by_rule.items():
        counts[i], has_prose[i] = len(own), bool(prose[i].strip())
    starts = np.cumsum(counts) - counts
    read = np.repeat(np.array(whole, dtype=object), counts).tolist()
    stopped, notes = np.zeros(len(read), dtype=bool), [""] * len(read)
    for start, own in zip(starts[list(by_rule)].tolist(), by_rule.values(), strict=True):
        for place, sentence in enumerate(own, start):
            read[place], stopped[place], notes[place] = sentence
    return Sentences(read, counts, stopped, notes, prose, has_prose, read_over, names)


def _prose_of(text: str, marks: int) -> Prose:
    """Return the prose of a text that a scan did not find to be prose alone."""
    if marks & NAMES_ALONE:
        return prose_beside_names(text)
    return prose_of_suspect(text) if text.isascii() else prose_of(text)  # the scan is sure of ASCII


def _is_one(text: str, language: str) -> bool:
    """Tell whether a text in one line is one sentence, whatever marks it holds."""
    return len(text) <= _LONGEST_LINE and len(_segmenter()(language, text)) == 1


class _AsRead(NamedTuple):
    """A sentence as the models read it, whether that adds a full stop, and the note on it."""

    text: str
    stopped: bool = False
    note: str = ""


def _sentences_of(prose: str, text: str, language: str) -> list[_AsRead]:
    """Return the sentences of a text, given its prose; a text without prose is read as it is."""
    if not prose.strip():
        return [_AsRead(text)]
    if _PLAIN.fullmatch(prose):
        return [_AsRead(prose.strip())]
    return [_as_read(sentence, language) for sentence in split_sentences(prose, language)]


def split_sentences(text: str, language: str = "en") -> list[str]:
    r"""Cut a text into sentences; a part without letters joins the sentence after it, at the end the last one.

    >>> split_sentences("It cost $3.50. Wow! 3. Mix the eggs.\n- Milk")
    ['It cost $3.50.', 'Wow!', '3. Mix the eggs.', '- Milk']
    """
    sentences: list[str] = []
    held: list[str] = []
    is_lettered = False
    for line in _LINE.split(text) if "\n" in text else (text,):
        parts: Sequence[str] = (line,)
        if _SEVERAL.search(line):
            segment = _segmenter()
            parts = [part for piece in _pieces(replace_surrogates(line)) for part in segment(language, piece)]
        for part in filter(None, map(str.strip, parts)):
            is_marker = not held and len(part) <= _LONG and _MARKER_ALONE.fullmatch(part)
            is_lettered = is_lettered or _WORD.search(part) is not None
            held.append(part)
            if is_lettered and not is_marker:
                sentences.append(" ".join(held))
                held, is_lettered = [], False
    if held:
        sentences[-1:] = [" ".join([*sentences[-1:], *held])]
    return sentences


@cache
def _segmenter() -> Callable[[str, str], list[str]]:
    """Return the function that cuts a text into sentences; its package is not imported before it is needed."""
    from sentencex import segment

    segmenter: Callable[[str, str], list[str]] = segment
    return segmenter


def _pieces(line: str) -> list[str]:
    """Return a line in pieces, none of which sentencex reads in time by the square of the line."""
    if len(line) <= _LONGEST_LINE:
        return [line]
    pieces = [part for piece in _AFTER_SURE_STOP.split(line) for part in _LONG_RUN.split(piece)]
    return [piece for piece in pieces if piece]


def _as_read(sentence: str, language: str) -> _AsRead:
    marker = None if sentence[:2].isalpha() else _MARKER.match(sentence)
    body = sentence[marker.end() :] if marker else sentence
    if ":" in body[:_LONGEST_LABEL] and (label := _LABEL.match(body)):
        body = body[label.end() :]
    body = _without_asides(body)
    if body.lstrip()[:1] in _SINGLE_QUOTES and (in_quotes := _IN_SINGLE_QUOTES.fullmatch(body)):
        body = in_quotes[1]
    body = _without_quotes(body)
    body = body.strip()
    stopped = body.rstrip(_CLOSING)[-1:] not in _FINAL
    note = LIST_ITEM if marker else "" if not stopped else TITLE if _is_title(body, language) else NO_FULL_STOP
    return _AsRead(f"{body} ." if stopped else body, stopped, note)


def _without_asides(sentence: str) -> str:
    """Return a sentence without what stands in brackets, if enough words remain."""
    if "(" not in sentence and "[" not in sentence:
        return sentence
    *before, last = _BRACKETS.split(sentence)
    bare = "".join([*map(str.rstrip, before), last])
    return bare if _LEAST_WORDS.match(bare) else sentence


def _without_quotes(sentence: str) -> str:
    """Return a sentence with spaces in place of double quotation marks and backticks."""
    if sentence.isascii():  # faster than the pattern
        return sentence.replace('"', " ").replace("`", " ").replace("''", " ")
    return _QUOTE.sub(" ", sentence)


def _is_title(sentence: str, language: str) -> bool:
    """Tell whether a sentence without a final mark is written in title case, or has no verb."""
    words = _WORD.findall(sentence)
    long = [word for word in words[1:] if len(word) >= _LONG]
    if long and sum(map(str.istitle, long)) >= _MOST_CAPITALS * len(long):
        return True
    return language == "en" and _verbs().isdisjoint(map(str.lower, words))


@cache
def _verbs() -> frozenset[str]:
    """Return auxiliary verbs, and the words of the classes in which verbs are found."""
    classes = packaged_classes()
    of_seeds = classes.classes[[classes.ids[word] for word in _OF_VERBS.split() if word in classes.ids]]
    numbers, counts = np.unique(of_seeds, return_counts=True)
    known = np.isin(classes.classes, numbers[counts > 1])
    return frozenset([*_VERBS.split(), *(classes.words[i] for i in np.flatnonzero(known))])
