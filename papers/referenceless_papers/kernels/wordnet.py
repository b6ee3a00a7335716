"""Synonyms from WordNet's files, wherever they are: nltk's data, a Debian installation, or a folder that is named."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from referenceless_metrics.core.support.installation import import_extra
from referenceless_metrics.core.support.validation import InputError

SYSTEM_FOLDER = "/usr/share/wordnet"
"""Folder of Debian's package wordnet-base."""

_NEEDED = tuple(
    name for part in ("noun", "verb", "adj", "adv") for name in (f"data.{part}", f"index.{part}", f"{part}.exc")
)

_N_LEXICOGRAPHER_FILES = 45


def _reader(folder: Path) -> Any:
    """Return nltk's reader of WordNet's files in a folder."""
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class Reader(WordNetCorpusReader):  # type: ignore[misc]
        """nltk's reader, which also takes a folder without `lexnames`, as in Debian.

        That file names the lexicographers' files. Nothing here depends on those names, so numbers take their place.
        """

        def open(self, file: str) -> Any:
            if file == "lexnames" and not (folder / file).is_file():
                lines = [f"{number:02d}\tlexicographer.{number:02d}\t0\n" for number in range(_N_LEXICOGRAPHER_FILES)]
                return io.StringIO("".join(lines))
            return super().open(file)

        def map_wn(self, version: str = "wordnet") -> None:
            """Map no synsets from another version, which only other languages need and which wants nltk's data."""

    # From 3.10 on nltk reads only under the folders on this path, and asks that others be added to it.
    import nltk.data

    if str(folder) not in nltk.data.path:
        nltk.data.path.append(str(folder))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The multilingual functions are not available")
        return Reader(str(folder), None)


def _from_nltk_data() -> Any:
    """Return nltk's own WordNet, or None if its data are not installed."""
    from nltk.corpus import wordnet

    try:
        wordnet.ensure_loaded()
    except LookupError:
        return None
    return wordnet


def load_wordnet(folder: str | None = None) -> Any:
    """Return WordNet as nltk's `WordNetCorpusReader`.

    Args:
        folder: a folder of WordNet's files; None for nltk's data, or else the system's.

    Raises:
        ImportError: without nltk; the message names the extra.
        InputError: if there are no such files; the message says how to get them.
    """
    import_extra("nltk", "rouge", "the kernel meteor")
    if folder is None:
        found = _from_nltk_data()
        if found is not None:
            return found
    path = Path(SYSTEM_FOLDER if folder is None else folder)
    missing = [name for name in _NEEDED if not (path / name).is_file()]
    if missing and folder is None:
        raise InputError(
            "the kernel meteor needs WordNet's files: install them with `python -m nltk.downloader wordnet`, or "
            "on Debian with `apt-get install wordnet-base`, or name their folder in kernel_options={'wordnet': …}"
        )
    if missing:
        raise InputError(f"{path}: it is no folder of WordNet's files, for it lacks {', '.join(missing)}")
    return _reader(path)


@lru_cache(maxsize=4)
def synonyms_in(folder: str | None = None) -> Callable[[str], frozenset[str]]:
    """Return the function from a word to the names of all lemmas of its synsets, without those of several words.

    Raises:
        ImportError: as `load_wordnet`.
        InputError: as `load_wordnet`.
    """
    wordnet = load_wordnet(folder)

    @lru_cache(maxsize=1 << 18)
    def synonyms(word: str) -> frozenset[str]:
        names = (name for synset in wordnet.synsets(word) for name in synset.lemma_names())
        return frozenset(name for name in names if "_" not in name)

    return synonyms
