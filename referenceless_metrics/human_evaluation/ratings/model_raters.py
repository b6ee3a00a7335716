"""Raters who are language models by their names: what they say is a judge's word, and not people's."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MODEL = re.compile(
    r"(?<![a-z])(?:gpt|chatgpt|claude|gemini|gemma|llama|mistral|mixtral|qwen|deepseek|command-r|phi|prometheus|llm|"
    r"autoj|grok|o[134])(?![a-z])[\w.:/@-]*",
    re.IGNORECASE,
)


def are_models(raters: Iterable[str]) -> bool:
    """Say whether all raters are called as language models are; False for none.

    >>> are_models(["gpt-4-1106-preview"]), are_models(["gpt-4", "ann"]), are_models(["phil"])
    (True, False, False)
    """
    names = list(raters)
    return bool(names) and all(_MODEL.search(str(name)) is not None for name in names)
