"""Questions made from statements: corpora of edited prose have few that begin with their verb, and people ask many.

The verb of a statement with a short subject is put before it ("The shop is closed." and "Is the shop closed?"), and a
regular past tense becomes "did" and the verb without its ending ("He opened it." and "Did he open it?").
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

Words = list[str]

_PRONOUNS_LISTED = "i you he she it we they there this that"
_PRONOUNS = frozenset(_PRONOUNS_LISTED.split())
_DETERMINERS_LISTED = "the a an my your his her its our their this that"
_DETERMINERS = frozenset(_DETERMINERS_LISTED.split())
_AUXILIARIES_LISTED = "is are was were has have had can could will would should must may might"
_AUXILIARIES = frozenset(_AUXILIARIES_LISTED.split())
#: Fewest times that the corpora have a verb that may stand after "did".
_LEAST_COUNT = 20
_END, _MARK = ".", "?"


def question_of(words: Sequence[str], counts: Mapping[str, int]) -> Words | None:
    """Return the question to a statement, in lower case but for "I"; None if the rules make none of it.

    Args:
        words: the words of a statement, the full stop as the last of them.
        counts: count of each word in the corpora.

    >>> question_of("He opened the door .".split(), {"open": 50})
    ['did', 'he', 'open', 'the', 'door', '?']
    >>> question_of("The door is open .".split(), {})
    ['is', 'the', 'door', 'open', '?']
    """
    size = _size_of_subject([word.lower() for word in words])
    if not size or words[-1] != _END or len(words) < size + 3:
        return None
    subject, verb = [words[0].lower(), *words[1:size]], words[size]
    first, after = (verb, []) if verb in _AUXILIARIES else ("did", _without_past(verb, counts))
    if verb not in _AUXILIARIES and not after:
        return None
    return [first, *subject, *after, *words[size + 1 : -1], _MARK]


def _size_of_subject(words: Sequence[str]) -> int:
    """Return the number of words of the subject with which a statement begins; 0 if that is not seen."""
    if words[0] in _PRONOUNS and _may_be_verb(words[1:2]):
        return 1
    if words[0] in _DETERMINERS and words[1:2] and words[1].isalpha() and _may_be_verb(words[2:3]):
        return 2
    return 0


def _may_be_verb(words: Collection[str]) -> bool:
    return any(word in _AUXILIARIES or word.endswith("ed") for word in words)


def _without_past(verb: str, counts: Mapping[str, int]) -> Words:
    """Return a regular verb without its ending, the more frequent of two; none if the corpora have neither."""
    forms = sorted((verb[:-1], verb[:-2]), key=lambda form: -counts.get(form, 0))
    return forms[:1] if counts.get(forms[0], 0) >= _LEAST_COUNT else []
