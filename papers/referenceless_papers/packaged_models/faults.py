"""Share in which `likeliest_fault` names the faulty word: sentences of edited prose with one made fault each.

A fault is at the first word in which a text differs from the sound one, and an edit at the first word in which it
differs from the text: they are the same place or not, for words left out, added and changed alike.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from referenceless_metrics.core.files.reading import Condition, Reading
from referenceless_metrics.core.support.validation import Record
from referenceless_papers.kann.rated_outputs import read_rated_outputs
from slor_metric.fluency.faults import LEAST_EVIDENCE, Fault, evidence_of, likeliest_faults, suspected
from slor_metric.fluency.metric import Fluency

Words = list[str]
_LENGTHS = range(6, 31)
_VERBS = {"is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has"}
_PREPOSITIONS = ("in", "on", "at", "of", "for", "with", "from", "by")
_ARTICLES = ("a", "an", "the")
#: Limits of the bins of GUG's ratings.
_BINS = (2.0, 3.0, 3.5)
#: Limits of evidence that are tried, and of the bins of the detector's probabilities.
_LIMITS = (1.0, 1.5, 2.0, 2.5, 2.75, 3.0, 3.5, 4.0)
_CHANCES = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9)


def _among(words: Iterable[str]) -> Callable[[str], bool]:
    return frozenset(words).__contains__


def _long(word: str) -> bool:
    return word.isalpha() and word.islower() and len(word) > 4


#: For each fault the words that it may befall, and the function that changes one word and the next.
_KINDS: Mapping[str, tuple[Callable[[str], bool], Callable[[random.Random, str, str], Words]]] = {
    "missing verb": (_among(_VERBS), lambda _, word, after: [after]),
    "missing article": (_among(_ARTICLES), lambda _, word, after: [after]),
    "agreement": (_among(_VERBS), lambda _, word, after: [_VERBS[word], after]),
    "preposition": (
        _among(_PREPOSITIONS),
        lambda draw, word, after: [draw.choice([other for other in _PREPOSITIONS if other != word]), after],
    ),
    "spelling": (_long, lambda _, word, after: [word[:2] + word[3] + word[2] + word[4:], after]),
    "order": (str.isalpha, lambda _, word, after: [after, word]),
    "repetition": (str.isalpha, lambda _, word, after: [word, word, after]),
    "extra word": (str.isalpha, lambda draw, word, after: [word, draw.choice(("the", "of", "to", "it")), after]),
}


def made_faults(sentences: Iterable[str], size: int, seed: int = 0) -> list[tuple[str, str, str]]:
    """Return the kind, the sentence and the faulty text of each, the kinds in turn.

    Args:
        sentences: sound ones; each is used once at most.
        size: number of them to make.
        seed: seed of the places.
    """
    draw, made = random.Random(seed), []
    waiting = list(_KINDS)
    for sentence in sentences:
        words = sentence.split()
        if len(words) not in _LENGTHS:
            continue
        for kind in waiting:
            befalls, change = _KINDS[kind]
            places = [i for i in range(1, len(words) - 2) if befalls(words[i]) and words[i + 1].isalpha()]
            if not places:
                continue
            at = draw.choice(places)
            faulty = " ".join([*words[:at], *change(draw, words[at], words[at + 1]), *words[at + 2 :]])
            if faulty != sentence:
                made.append((kind, sentence, faulty))
                waiting = [*(other for other in waiting if other != kind), kind]
                break
        if len(made) == size:
            break
    return made


def first_difference(text: Sequence[str], other: Sequence[str]) -> int:
    """Return the place of the first word of a text that another does not have there.

    >>> first_difference("the old ship sank".split(), "the ship sank".split())
    1
    """
    return next((i for i, pair in enumerate(zip(text, other, strict=False)) if pair[0] != pair[1]), len(other))


def named_faults(prose: Sequence[str], gug: str | None = None, size: int = 480, seed: int = 1) -> Record:
    """Measure the share in which the likeliest fault is the made one.

    Args:
        prose: sound sentences.
        gug: gug_annotations.tsv: the share of its development split in which a fault is named, by the ratings.
        size: number of faults to make, and of sound sentences to read.
        seed: seed of the places.

    Returns:
        For all and by kind: the number of texts in which a fault is named, and the shares of these in which the word is
        the faulty one, and the kind the made one; the share in which the word of the lowest contribution is the faulty
        one, and one of the lowest three; and chance, of one word drawn. Then the shares of sound sentences, and of
        GUG's, in which one is named; these shares at other limits of evidence; and the share of words with a fault, by
        the detector's probability.
    """
    metric = Fluency()
    faults = made_faults(prose, size, seed)
    suspects = suspected(metric, [text for _, _, text in faults])
    named = [fault if _is_named(fault) else None for fault in suspects]
    rows = [_judged(metric, *made, fault) for made, fault in zip(faults, named, strict=True)]
    report: Record = {"all": _shares(rows)}
    report |= {kind: _shares([row for row in rows if row["kind"] == kind]) for kind in _KINDS}
    used = {sentence for _, sentence, _ in faults}
    sound = [text for text in prose if text not in used and len(text.split()) in _LENGTHS][:size]
    sound_suspects = suspected(metric, sound)
    report["sound sentences"] = {"n": len(sound), "named": _mean([*map(_is_named, sound_suspects)])}
    report["by limit of evidence"] = {
        f"{limit:g}": _at_limit(limit, faults, suspects, sound_suspects) for limit in _LIMITS
    }
    report["by probability"] = _calibration(metric, faults, sound)
    if gug is not None:
        rated = read_rated_outputs(
            gug, text_column="Sentence", rating_column="Average", reading=Reading(where=(Condition("Dataset", "dev"),))
        )
        bins = np.digitize(rated.ratings, _BINS)
        names = ("1 to 2", "2 to 3", "3 to 3.5", "3.5 to 4")
        report |= {
            f"GUG dev, rated {name}": _named(metric, [rated.texts[j] for j in np.flatnonzero(bins == i)])
            for i, name in enumerate(names)
        }
    return report


def _is_named(fault: Fault | None, limit: float = LEAST_EVIDENCE) -> bool:
    return fault is not None and evidence_of(fault) > limit


def _at_limit(
    limit: float,
    faults: Sequence[tuple[str, str, str]],
    suspects: Sequence[Fault | None],
    of_sound: Sequence[Fault | None],
) -> Record:
    """Return the shares of faulty texts with a fault named, of these the right ones, and of sound ones with one."""
    right = [
        _is_at(fault, text, first_difference(text.split(), sentence.split()))
        for (_, sentence, text), fault in zip(faults, suspects, strict=True)
        if fault is not None and _is_named(fault, limit)
    ]
    return {
        "named": round(len(right) / max(len(faults), 1), 3),
        "right": _mean(right),
        "sound": _mean([_is_named(fault, limit) for fault in of_sound]),
    }


def _calibration(metric: Fluency, faults: Sequence[tuple[str, str, str]], sound: Sequence[str]) -> list[Record]:
    """Return for bins of the detector's probability the number of words, its mean, and the share of faulty ones.

    Args:
        metric: a metric with the detector.
        faults: kinds, sentences and faulty texts.
        sound: sound sentences, as many.
    """
    before = metric.contributions([sentence for _, sentence, _ in faults])
    after = metric.contributions([text for _, _, text in faults])
    chances, is_faulty = [], []
    for right, wrong in zip(before, after, strict=True):
        chances.append(wrong.fault_chances)
        is_faulty.append(np.arange(len(wrong)) == first_difference(wrong.words, right.words))
    for each in metric.contributions(sound):
        chances.append(each.fault_chances)
        is_faulty.append(np.zeros(len(each), dtype=bool))
    of_words, at_fault = np.concatenate(chances), np.concatenate(is_faulty)
    bins = np.digitize(of_words, _CHANCES)
    return [
        {
            "words": int((bins == i).sum()),
            "probability": _mean(of_words[bins == i].tolist()),
            "faulty": _mean(at_fault[bins == i].tolist()),
        }
        for i in range(len(_CHANCES) + 1)
    ]


def _judged(metric: Fluency, kind: str, sentence: str, text: str, fault: Fault | None) -> Record:
    """Return whether a fault is named, at the right place, of the right kind; chance; and the lowest contributions."""
    words = text.split()
    at = first_difference(words, sentence.split())
    sound, faulty = metric.contributions([sentence, text])
    place = first_difference(faulty.words, sound.words)
    lowest = np.argsort(faulty.contributions, kind="stable")[:3].tolist()
    return {
        "kind": kind,
        "named": fault is not None,
        "right": fault is not None and _is_at(fault, text, at),
        "kind_right": fault is not None and fault.kind == kind,
        "mended": fault is not None and fault.better is not None and fault.better.lower() == sentence.lower(),
        "lowest": place == lowest[0],
        "three_lowest": place in lowest,
        "chance": 1 / len(words),
    }


def _is_at(fault: Fault, text: str, at: int) -> bool:
    """Tell whether a fault is named at a word, or its edit is made there: one of two words swapped is the other."""
    named = len(text[: fault.end].split()) - 1
    return at == named or (fault.better is not None and first_difference(text.split(), fault.better.split()) == at)


def _named(metric: Fluency, texts: Sequence[str]) -> Record:
    return {"n": len(texts), "named": _mean([fault is not None for fault in likeliest_faults(metric, texts)])}


def _shares(rows: Sequence[Record]) -> Record:
    named = [row for row in rows if row["named"]]
    of_named = {name: _mean([row[name] for row in named]) for name in ("right", "kind_right", "mended")}
    of_all = {name: _mean([row[name] for row in rows]) for name in ("named", "lowest", "three_lowest", "chance")}
    return {"n": len(rows), **of_all, **of_named}


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / max(len(values), 1), 3)
