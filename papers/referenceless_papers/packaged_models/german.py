"""Fluency for German, from a corpus that comes with Debian: its share of faulty sentences told from sound ones.

The corpus is the German documentation in the packages of `SOURCES`, which `dpkg-deb -x` unpacks, each into a folder of
its name.
"""

from __future__ import annotations

import gzip
import html
import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from referenceless_metrics.core.support.validation import InputError
from referenceless_papers.training.word_classes import train_class_model, train_ngrams
from slor_metric.estimator import SLOR
from slor_metric.fluency.metric import FluencyNgram

#: Debian packages, and a part of the path of their German files.
SOURCES = {
    "libreoffice-help-de": "",
    "gimp-help-de": "",
    "manpages-de": "",
    "manpages-de-dev": "",
    "fortunes-de": "",
    "gnome-user-docs": "/help/de/",
    "debian-handbook": "de-DE",
    "installation-guide-amd64": "/de/",
}
#: The sources whose sentences are judged by models that were trained without them.
OTHERS = ("debian-handbook", "installation-guide-amd64")
#: Number of sentences of all sources that are held out from training.
HELD_OUT = 4000

_BLOCK = re.compile(r"</?(?:p|div|li|td|th|h\d|dt|dd|br|title|table|tr|ul|ol|pre|page|item|section|note)\b[^>]*>", re.I)
_TAG = re.compile(r"<[^>]+>")
_FREQUENT = "der die das und ist sie nicht ein eine zu in den mit auf für werden wird von des dem kann"
_VERBS = {"ist": "sind", "hat": "haben", "wird": "werden", "kann": "können", "muss": "müssen", "war": "waren"}
_VERBS = _VERBS | {plural: one for one, plural in _VERBS.items()} | {"soll": "sollen", "darf": "dürfen"}
_DETERMINERS = {
    "der": ["die", "das"],
    "die": ["der", "das"],
    "das": ["der", "die"],
    "dem": ["den", "der"],
    "den": ["dem", "das"],
    "einen": ["eine", "einem"],
    "eine": ["einen", "einem"],
    "einem": ["einen", "eine"],
    "einer": ["einem", "eines"],
    "des": ["dem", "den"],
}
_PLAIN = re.compile(r"[A-ZÄÖÜ][\w ,;:äöüßÄÖÜ„“\"()'\-]+[.!?]")
_SIZE = 500


def read_corpus(folder: Path) -> list[tuple[str, str]]:
    """Return the distinct German sentences of unpacked packages, each after the package that it is of.

    Raises:
        InputError: if a package is missing.
    """
    from sentencex import segment

    found: dict[str, str] = {}
    for source, part in SOURCES.items():
        if not (folder / source).is_dir():
            raise InputError(f"{folder} holds no {source}: unpack the package with dpkg-deb -x FILE {folder / source}")
        for path in sorted((folder / source).rglob("*")):
            place = f"/{path.relative_to(folder)}"
            if path.is_file() and not path.is_symlink() and part in place:
                for block in _blocks(path, place):
                    flat = " ".join(block.split())
                    if len(flat) >= 20 and "\\" not in flat:
                        for sentence in map(str.strip, segment("de", flat)):
                            if _is_german(sentence):
                                found.setdefault(sentence, source)
    return [(source, sentence) for sentence, source in found.items()]


def _blocks(path: Path, place: str) -> Iterator[str]:
    """Yield the paragraphs of a page of HTML, a page of the manual, or a file of fortunes; nothing of another file."""
    if path.suffix in (".html", ".htm", ".page"):
        text = path.read_text("utf-8", "replace")
        text = re.sub(r"(?is)<(script|style|pre|code)\b.*?</\1>", " X ", text)
        text = re.sub(r"(?s)<!--.*?-->", " ", text)
        yield from (html.unescape(_TAG.sub("", part)) for part in _BLOCK.split(text))
    elif path.suffix == ".gz" and "/man" in place:
        text = gzip.decompress(path.read_bytes()).decode("utf-8", "replace")
        text = re.sub(r'(?m)^\.\\".*$', "", text)
        text = re.sub(r"(?m)^\.(?:[BIR]|BR|RB|BI|IB|IR|RI|SM)\b *(.*)$", lambda found: found[1].replace('"', ""), text)
        text = re.sub(r"\\f.|\\[&/,%|^]|\\-", lambda found: "-" if found[0] == "\\-" else "", text)
        text = re.sub(r"\\\((?:aq|cq|oq)|\\\[[a-z]+\]", "'", text)
        yield from re.split(r"(?m)^[.'].*$|\n\s*\n", text)
    elif "games/fortunes" in place and path.suffix != ".gz":
        yield from (part.split("\n        --")[0] for part in path.read_text("utf-8", "replace").split("\n%\n"))


def _is_german(sentence: str) -> bool:
    words, frequent = re.findall(r"[^\W\d_]+", sentence), _FREQUENT.split()
    return (
        4 <= len(words) <= 60
        and sentence[0].isupper()
        and sentence[-1] in ".!?"
        and sum(word.lower() in frequent for word in words) >= 0.08 * len(words)
        and len("".join(words)) >= 0.7 * len(sentence.replace(" ", ""))
    )


Words = list[str]


def _agreement(words: Words, rng: random.Random) -> Words | None:
    at = [i for i, word in enumerate(words) if word in _VERBS]
    return _with(words, i := rng.choice(at), _VERBS[words[i]]) if at else None


def _determiner(words: Words, rng: random.Random) -> Words | None:
    at = [i for i, word in enumerate(words[:-1]) if word in _DETERMINERS and words[i + 1][0].isupper()]
    return _with(words, i := rng.choice(at), rng.choice(_DETERMINERS[words[i]])) if at else None


def _no_verb(words: Words, rng: random.Random) -> Words | None:
    at = [i for i, word in enumerate(words) if word.strip(".,") in _VERBS]
    if len(at) != 1 or "," in " ".join(words):
        return None
    mark = words[at[0]][-1]
    left = _with(words, at[0])
    return _with(left, -1, left[-1] + mark) if mark in ".!?" else left


def _order(words: Words, rng: random.Random) -> Words | None:
    i = rng.randrange(1, len(words) - 2)
    one, other = words[i : i + 2]
    return None if "," in one + other or one.lower() == other.lower() else [*words[:i], other, one, *words[i + 2 :]]


def _spelling(words: Words, rng: random.Random) -> Words | None:
    at = [i for i, word in enumerate(words) if len(word) >= 6 and word.isalpha()]
    if not at:
        return None
    word = words[i := rng.choice(at)]
    k = rng.randrange(1, len(word) - 2)
    return None if word[k] == word[k + 1] else _with(words, i, word[:k] + word[k + 1] + word[k] + word[k + 2 :])


def _with(words: Words, i: int, *new: str) -> Words:
    """Return the words with others in the place of one."""
    i %= len(words)
    return [*words[:i], *new, *words[i + 1 :]]


#: Functions that make a faulty sentence from a sentence's words, or nothing.
KINDS: dict[str, Callable[[Words, random.Random], Words | None]] = {
    "subject and verb agree": _agreement,
    "determiner and noun agree": _determiner,
    "the verb is missing": _no_verb,
    "two neighbours change places": _order,
    "two letters of a word change places": _spelling,
}


def make_pairs(sentences: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Make pairs of a sentence and the same with one fault, 500 of each kind at most.

    >>> make_pairs(["Die alten Schiffe in diesem kleinen Hafen sind rot."])["subject and verb agree"][0][1]
    'Die alten Schiffe in diesem kleinen Hafen ist rot.'
    """
    rng = random.Random(0)
    usable = [text for text in sentences if 6 <= len(text.split()) <= 22 and _PLAIN.fullmatch(text)]
    found: dict[str, list[tuple[str, str]]] = {}
    for kind, make in KINDS.items():
        pairs = found.setdefault(kind, [])
        for text in usable:
            if len(pairs) == _SIZE:
                break
            made = make(text.split(), rng)
            if made is not None and (faulty := " ".join(made)) != text:
                pairs.append((text, faulty))
    return found


def judged(folder: str, pairs: dict[str, list[tuple[str, str]]]) -> dict[str, dict[str, float]]:
    """Return the share of pairs that the models of a folder judge right, of those with scores, by metric and kind."""
    metrics = {
        "Fluency": FluencyNgram(models=folder),
        "WPSLOR": SLOR(f"{folder}/wordpiece.safetensors"),
        "SLOR": SLOR(f"{folder}/word.safetensors"),
    }
    kinds = np.repeat(list(pairs), [len(found) for found in pairs.values()])
    good, faulty = zip(*(pair for found in pairs.values() for pair in found), strict=True)
    result = {}
    for name, metric in metrics.items():
        better, worse = metric.predict(good).values, metric.predict(faulty).values
        told = ~np.isnan(better + worse)
        right = better > worse
        result[name] = {kind: float(right[told & (kinds == kind)].mean()) for kind in pairs}
        result[name] |= {"all": float(right[told].mean()), "with a score": float(told.mean())}
    return result


def german(packages: Path, output: Path, *, progress: bool | None = None) -> dict[str, Any]:
    """Train on all sources but held-out sentences, and on all but `OTHERS`, and judge the sentences left out."""
    corpus = read_corpus(packages)
    sentences = _shuffled([text for _, text in corpus])
    learned, others = (
        _shuffled([text for source, text in corpus if (source in OTHERS) is other]) for other in (False, True)
    )
    return {
        "held-out sentences of the same sources": _measured(
            sentences[HELD_OUT:], sentences[:HELD_OUT], output / "all", progress
        ),
        "other sources": _measured(learned, others, output / "without", progress),
    }


def _shuffled(texts: list[str]) -> list[str]:
    random.Random(0).shuffle(texts)
    return texts


def _measured(learned: list[str], left_out: list[str], folder: Path, progress: bool | None) -> dict[str, Any]:
    folder.mkdir(parents=True, exist_ok=True)
    train_class_model(learned, folder, progress=progress)
    train_ngrams(learned, folder, "de", progress=progress)
    pairs = make_pairs(left_out)
    return {
        "sentences": len(learned),
        "words": sum(len(text.split()) for text in learned),
        "pairs": {kind: len(found) for kind, found in pairs.items()},
        "right": judged(str(folder), pairs),
    }
