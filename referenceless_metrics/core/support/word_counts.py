"""The number of words of a text, in any script."""

from __future__ import annotations

import re

_OF_NO_BLANKS = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
"""Signs of Thai, Japanese and Chinese, whose words stand without blanks between."""


def n_words(text: str) -> int:
    """Return the number of words: those between blanks, and one for every three signs of scripts without these.

    >>> n_words("it sat"), n_words("总以为没有什么罪过，能够终身侍奉公婆。"), n_words("很好")
    (2, 6, 1)
    """
    return len(text.split()) + len(_OF_NO_BLANKS.findall(text)) // 3
