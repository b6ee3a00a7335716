"""Opening language models of Hugging Face by name, folder or GGUF file, with errors of one sentence."""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import os
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metric_commons.support.errors import InputError
from metric_commons.support.installation import import_extra
from metric_commons.support.validation import describe
from slor_metric.language_models.hf.gguf_header import check_gguf
from slor_metric.language_models.hf.torch_support import resolve_device

if TYPE_CHECKING:
    import torch

__all__ = ["KINDS", "display_name", "open_model", "open_pair", "open_tokenizer", "resolve_dtype"]

#: What a model can be, with the class of transformers that opens it.
KINDS = {
    "causal language model": "AutoModelForCausalLM",
    "masked language model": "AutoModelForMaskedLM",
    "sequence-to-sequence model": "AutoModelForSeq2SeqLM",
}
DTYPES = ("float32", "float64", "bfloat16", "float16", "auto")


def resolve_dtype(dtype: object) -> torch.dtype | str:
    """Return the precision to load weights in.

    Args:
        dtype: one of `DTYPES` (`"auto"`: that of the checkpoint), a `torch.dtype`, or None for float32, in which
            scores are the same to 1e-4 nat whatever shares a batch.

    Raises:
        TypeError: for anything else.
        ValueError: for another name.
    """
    import torch

    if dtype is None:
        return torch.float32
    if isinstance(dtype, torch.dtype):
        if not dtype.is_floating_point:
            raise ValueError(f"Expected argument `dtype` to be a floating-point type, but got {dtype}")
        return dtype
    if not isinstance(dtype, str):
        raise TypeError(f"Expected argument `dtype` to be a string or a torch.dtype, but got {describe(dtype)}")
    name = dtype.removeprefix("torch.")
    if name not in DTYPES:
        known = ", ".join(repr(choice) for choice in DTYPES)
        raise ValueError(f"Expected argument `dtype` to be one of {{{known}}}, but got {dtype!r}")
    found: torch.dtype | str = "auto" if name == "auto" else getattr(torch, name)
    return found


def display_name(source: str | os.PathLike[str]) -> str:
    """Return what a signature calls a model: a Hub name as it is, of a path the last part."""
    return Path(source).name if _is_local(source) else str(source)


def open_tokenizer(
    source: str | os.PathLike[str],
    *,
    revision: str | None = None,
    trust_remote_code: bool = False,
    local_files_only: bool = False,
) -> Any:
    """Open the tokeniser of a model.

    Args:
        source: a Hub name, a folder, or a GGUF file.
        revision: the branch, tag or commit on the Hub.
        trust_remote_code: run code that comes with the model.
        local_files_only: do not ask the Hub.

    Raises:
        FileNotFoundError: for a path where there is nothing.
        ImportError: without transformers (extra `hf`), or without gguf for a GGUF file (extra `gguf`).
        InputError: for a name that the Hub does not have or that cannot be fetched, or a folder without a tokeniser.
    """
    transformers = import_extra("transformers", "hf", "This language model")
    location, options = _locate(source, revision, trust_remote_code, local_files_only)
    try:
        with _gguf_read_once("gguf_file" in options):
            return transformers.AutoTokenizer.from_pretrained(location, **options)
    except _load_errors() as error:
        raise _no_model(source, "tokeniser", error) from error


def open_model(
    source: str | os.PathLike[str],
    *,
    device: object = None,
    dtype: object = None,
    revision: str | None = None,
    trust_remote_code: bool = False,
    local_files_only: bool = False,
    progress: bool | None = None,
    kind: str = "causal language model",
) -> Any:
    """Open a language model in evaluation mode on a device.

    Args:
        source: a Hub name, a folder, or a GGUF file.
        device: see `slor_metric.language_models.hf.torch_support.resolve_device`.
        dtype: see `resolve_dtype`.
        revision: the branch, tag or commit on the Hub.
        trust_remote_code: run code that comes with the model.
        local_files_only: do not ask the Hub.
        progress: show transformers' progress bars; None: only on a terminal.
        kind: what it is to be, one of `KINDS`.

    Raises:
        FileNotFoundError: for a path where there is nothing.
        ImportError: as `open_tokenizer`.
        InputError: as `open_tokenizer`, and for a model of another kind.
        ValueError: for a device or precision that cannot be had.
    """
    import_extra("torch", "hf", "This language model")
    transformers = import_extra("transformers", "hf", "This language model")
    where, precision = resolve_device(device), resolve_dtype(dtype)
    location, options = _locate(source, revision, trust_remote_code, local_files_only)
    release = tuple(int(part) for part in transformers.__version__.split(".")[:2])
    options["dtype" if release >= (4, 56) else "torch_dtype"] = precision  # renamed in 4.56
    try:
        gguf = "gguf_file" in options
        with _progress_bars(transformers, progress, gguf=gguf), _gguf_read_once(gguf):
            model = getattr(transformers, KINDS[kind]).from_pretrained(location, **options)
    except _load_errors() as error:
        raise _no_model(source, kind, error) from error
    return model.to(where).eval()


def open_pair(
    model: Any,
    tokenizer: Any,
    *,
    device: object = None,
    dtype: object = None,
    revision: str | None = None,
    trust_remote_code: bool = False,
    local_files_only: bool = False,
    progress: bool | None = None,
    kind: str = "causal language model",
) -> tuple[Any, Any, str]:
    """Open a model with its tokeniser, or check those that are given.

    Args:
        model: a name, a path, or a model object (then with `tokenizer`).
        tokenizer: a tokeniser object, or the name or path of one; None for the one that comes with `model`.
        device: see `open_model`; a model object stays where it is with None.
        dtype: see `open_model`; a model object keeps its own with None.
        revision: see `open_model`.
        trust_remote_code: see `open_model`.
        local_files_only: see `open_model`.
        progress: see `open_model`.
        kind: see `open_model`.

    Returns:
        The model, the tokeniser, and the name that a signature gives the model.

    Raises:
        FileNotFoundError, ImportError, InputError, ValueError: as `open_model`.
        TypeError: for a model object of another kind, or one without a tokeniser.
    """
    import_extra("torch", "hf", "This language model")
    import_extra("transformers", "hf", "This language model")
    source = {"revision": revision, "trust_remote_code": trust_remote_code, "local_files_only": local_files_only}
    if isinstance(model, (str, os.PathLike)):
        tokenizer = model if tokenizer is None else tokenizer
        name = display_name(model)
        model = open_model(model, device=device, dtype=dtype, progress=progress, kind=kind, **source)  # type: ignore[arg-type]
    else:
        model = _check_object(model, tokenizer, device, dtype, kind)
        name = Path(str(getattr(model.config, "_name_or_path", "") or type(model).__name__)).name
    if isinstance(tokenizer, (str, os.PathLike)):
        tokenizer = open_tokenizer(tokenizer, **source)  # type: ignore[arg-type]
    return model, tokenizer, name


def _check_object(model: Any, tokenizer: Any, device: object, dtype: object, kind: str) -> Any:
    """Check a model that is given as an object, and move it where that is asked for."""
    import torch

    if not isinstance(model, torch.nn.Module) or not hasattr(model, "config"):
        raise TypeError(
            f"Expected argument `model` to be a name, a path or a {kind} of transformers, but got {describe(model)}"
        )
    if tokenizer is None:
        raise TypeError("Expected argument `tokenizer` beside a model object, but got None")
    moves: dict[str, Callable[[], Any]] = {}
    if device is not None:
        moves["device"] = lambda: resolve_device(device)
    if dtype is not None and dtype != "auto":
        moves["dtype"] = lambda: resolve_dtype(dtype)
    return model.to(**{name: move() for name, move in moves.items()}) if moves else model


@contextlib.contextmanager
def _progress_bars(transformers: Any, progress: bool | None, gguf: bool) -> Iterator[None]:
    """Keep transformers from drawing progress bars where none are wanted, and leave its setting as it was."""
    if sys.stderr.isatty() if progress is None else progress:
        yield
        return
    logging = transformers.utils.logging
    enabled = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        # The bar of the GGUF reader heeds no setting. Log messages go to the real stderr all the same.
        with contextlib.redirect_stderr(io.StringIO()) if gguf else contextlib.nullcontext():
            yield
    finally:
        if enabled:
            logging.enable_progress_bar()


@contextlib.contextmanager
def _gguf_read_once(wanted: bool) -> Iterator[None]:
    """Keep what gguf reads and derives while a model is opened.

    transformers reads a file's fields several times, and asks for the table of tensor names anew for each of a model's
    hundreds of modules: a minute for a small model.
    """
    if not wanted:
        yield
        return
    gguf = importlib.import_module("gguf")
    own = {name: getattr(gguf, name) for name in ("GGUFReader", "get_tensor_name_map")}
    for name, found in own.items():
        setattr(gguf, name, functools.cache(found))
    try:
        yield
    finally:
        for name, found in own.items():
            setattr(gguf, name, found)


@contextlib.contextmanager
def _quiet_hub() -> Iterator[None]:
    """Keep the Hub client's warnings back, and leave its setting as it was."""
    from huggingface_hub.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(before)


def _is_local(source: str | os.PathLike[str]) -> bool:
    if isinstance(source, os.PathLike) or Path(source).expanduser().exists():
        return True
    # A Hub name is "name" or "owner/name".
    return source.startswith((".", "~", os.sep)) or source.count("/") > 1 or source.endswith(".gguf")


def _locate(
    source: str | os.PathLike[str], revision: str | None, trust_remote_code: bool, local_files_only: bool
) -> tuple[str, dict[str, Any]]:
    """Return where transformers finds the model and the options to pass, after making sure it is there."""
    if not isinstance(source, (str, os.PathLike)) or not os.fspath(source):
        raise TypeError(f"Expected argument `model` to be a name, a path or a model, but got {describe(source)}")
    options: dict[str, Any] = {}
    if trust_remote_code:
        options["trust_remote_code"] = True
    if not _is_local(source):
        _fetch_config(str(source), revision, local_files_only)
        return str(source), {**options, "revision": revision or "main", "local_files_only": local_files_only}
    path = Path(source).expanduser()
    if path.is_dir():
        if not (path / "config.json").is_file():
            raise InputError(f"Expected the folder {path} to hold a Hugging Face model, but it has no config.json")
        return str(path), {**options, "local_files_only": True}
    if not path.is_file():
        raise FileNotFoundError(f"Expected argument `model` to name a model, but there is nothing at {path}")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise InputError(
                f"Expected {path} to be a folder of a Hugging Face model or a GGUF file, but it is neither"
            )
    gguf = import_extra("gguf", "gguf", "This language model")
    try:
        check_gguf(path, gguf.GGML_QUANT_SIZES)
    except ValueError as error:
        raise InputError(f"Cannot load a language model from {path}: {error}") from None
    return str(path.parent), {**options, "gguf_file": path.name, "local_files_only": True}


def _fetch_config(name: str, revision: str | None, local_files_only: bool) -> None:
    """Ask for one small file first: the Hub client says clearly why it cannot be had, transformers does not."""
    from huggingface_hub import constants, errors, hf_hub_download

    offline = local_files_only or constants.HF_HUB_OFFLINE
    begin = f"Cannot load the language model {name!r}"
    try:
        with _quiet_hub():  # one sentence below instead of a warning for each attempt
            hf_hub_download(name, "config.json", revision=revision, local_files_only=offline)
    except errors.GatedRepoError as error:
        raise InputError(
            f"{begin}: its owners ask you to accept terms on the Hugging Face Hub and to log in"
        ) from error
    except errors.RepositoryNotFoundError as error:
        raise InputError(
            f"{begin}: there is no such folder here, and no public model of that name on the Hugging Face Hub"
        ) from error
    except errors.RevisionNotFoundError as error:
        raise InputError(f"{begin}: it has no revision {revision!r}") from error
    except errors.LocalEntryNotFoundError as error:
        why = (
            "it is not in the local cache, and the Hugging Face Hub is not to be asked (offline mode)"
            if offline
            else "it is not in the local cache, and the Hugging Face Hub cannot be reached"
        )
        raise InputError(f"{begin}: {why}; give the path of a local copy instead") from error
    except errors.EntryNotFoundError as error:
        raise InputError(f"{begin}: that repository of the Hugging Face Hub has no config.json") from error
    except (errors.HFValidationError, ValueError) as error:
        raise InputError(f"{begin}: that is no name of a model on the Hugging Face Hub and no path") from error
    except OSError as error:
        raise InputError(f"{begin}: the Hugging Face Hub cannot be reached ({type(error).__name__})") from error


def _load_errors() -> tuple[type[Exception], ...]:
    """Return what transformers lets out where a file is truncated, foreign or of an unknown kind."""
    from safetensors import SafetensorError

    known = (OSError, ValueError, KeyError, TypeError, IndexError, EOFError, RuntimeError, struct.error)
    return (*known, SafetensorError)


def _no_model(source: str | os.PathLike[str], what: str, error: BaseException) -> InputError:
    import torch

    if isinstance(error, torch.OutOfMemoryError):  # says itself what to do, and is no fault of the files
        raise error
    lines = str(error).strip().splitlines()
    reason = lines[0].rstrip(" .:") if lines else type(error).__name__
    return InputError(f"Cannot load a {what} from {source!s}: {reason}")
