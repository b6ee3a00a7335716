"""Exact match and F1 of answers, as SQuAD's evaluation of version 2.0 defines them.

Rajpurkar, Zhang, Lopyrev and Liang (2016, EMNLP) and Rajpurkar, Jia and Liang (2018, ACL): both are without capitals,
ASCII punctuation, the articles a, an and the, and further spaces, and of several right answers the best counts.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence

EXACT_MATCH = "exact match"
F1 = "F1"

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


def plain_answer(answer: str) -> str:
    """Return an answer without capitals, punctuation, articles and further spaces, in this order.

    >>> plain_answer("The  Eiffel-Tower, a landmark!")
    'eiffeltower landmark'
    """
    return " ".join(_ARTICLES.sub(" ", answer.lower().translate(_WITHOUT_PUNCTUATION)).split())


def exact_match(answer: str, right: Sequence[str]) -> float:
    """Return 1 if an answer is one of the right ones, and else 0; of a question without any, a blank one is right.

    >>> exact_match("eiffel tower", ["the Eiffel Tower", "Paris"]), exact_match("", [])
    (1.0, 1.0)
    """
    return max(float(plain_answer(answer) == plain_answer(each)) for each in right or [""])


def f1_of_words(answer: str, right: Sequence[str]) -> float:
    """Return the F1 of an answer's words and those of the right answer that they meet best.

    >>> f1_of_words("in 1889", ["1889"])
    0.6666666666666666
    """
    return max(_f1(plain_answer(answer).split(), plain_answer(each).split()) for each in right or [""])


def _f1(words: Sequence[str], right: Sequence[str]) -> float:
    if not words or not right:
        return float(list(words) == list(right))
    n_common = (Counter(words) & Counter(right)).total()
    if n_common == 0:
        return 0.0
    precision, recall = n_common / len(words), n_common / len(right)
    return 2 * precision * recall / (precision + recall)
