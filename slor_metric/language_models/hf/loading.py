"""Opening language models of Hugging Face by name, folder or GGUF file, with errors of one sentence."""

from __future__ import annotations

import contextlib
import io
import os
import struct
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referenceless_metrics.core.support.installation import import_extra
from referenceless_metrics.core.support.validation import InputError, PathName, Record, check_choice, describe
from slor_metric.language_models.hf.gguf_reader import bounded_reader
from slor_metric.language_models.hf.torch_support import resolve_device

if TYPE_CHECKING:
    import torch


#: Kinds of model, with the class of transformers that opens each.
KINDS = {
    "causal language model": "AutoModelForCausalLM",
    "sequence-to-sequence model": "AutoModelForSeq2SeqLM",
}
#: Errors that transformers lets out if a file is truncated, foreign or of an unknown kind.
_LOAD_ERRORS = (OSError, ValueError, KeyError, TypeError, IndexError, EOFError, RuntimeError, struct.error)
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

    if not isinstance(dtype, (str, torch.dtype, type(None))):
        raise TypeError(f"Expected argument `dtype` to be a string or a torch.dtype, but got {describe(dtype)}")
    name = "float32" if dtype is None else str(dtype).removeprefix("torch.")
    check_choice(name, "dtype", DTYPES)
    precision: torch.dtype | str = "auto" if name == "auto" else getattr(torch, name)
    return precision


def open_tokenizer(source: PathName, **fetch: Any) -> Any:
    """Open the tokeniser of a model.

    Args:
        source: a Hub name, a folder, or a GGUF file.
        fetch: `revision` and `trust_remote_code`, as of `open_pair`.

    Raises:
        FileNotFoundError: for a path that does not exist.
        ImportError: without transformers (extra `hf`), or without gguf for a GGUF file (extra `gguf`).
        InputError: for a name that the Hub does not have or that cannot be fetched, or a folder without a tokeniser.
    """
    return _open_tokenizer(source, fetch, {})


def _open_tokenizer(source: PathName, fetch: Record, readers: dict[str, Any]) -> Any:
    return _open("AutoTokenizer", "tokeniser", source, True, fetch, readers)


def open_pair(
    model: Any,
    tokenizer: Any,
    kind: str = "causal language model",
    *,
    device: object = None,
    dtype: object = None,
    progress: bool | None = None,
    **fetch: Any,
) -> tuple[Any, Any, str]:
    """Open a model with its tokeniser, in evaluation mode on a device, or check those that are given.

    Args:
        model: a Hub name, a folder, a GGUF file, or a model object (then with `tokenizer`).
        tokenizer: a tokeniser object, or the name or path of one; None for the one that comes with `model`.
        kind: the kind of model, one of `KINDS`.
        device: see `torch_support.resolve_device`; with None a model object stays on its device.
        dtype: see `resolve_dtype`; a model object keeps its own with None.
        progress: show transformers' progress bars; None: only on a terminal.
        fetch: `revision`, the branch, tag or commit on the Hub; `trust_remote_code`, to run code that comes with the
            model. The environment variable `HF_HUB_OFFLINE` keeps the Hub from being asked.

    Returns:
        The model, the tokeniser, and the name that a signature gives the model: a Hub name, or a path's last part.

    Raises:
        FileNotFoundError, ImportError, InputError: like `open_tokenizer`; InputError also for a model of another kind.
        TypeError: for a model object of another kind, or one without a tokeniser.
        ValueError: for a device or precision that is not available.
    """
    import_extra("torch", "hf", "This language model")
    transformers = import_extra("transformers", "hf", "This language model")
    readers: dict[str, Any] = {}  # a GGUF file is read once for both
    if isinstance(model, (str, os.PathLike)):
        tokenizer = model if tokenizer is None else tokenizer
        name = Path(model).name if _is_local(model) else str(model)
        where, precision = resolve_device(device), resolve_dtype(dtype)
        release = tuple(int(part) for part in transformers.__version__.split(".")[:2])
        options = {"dtype" if release >= (4, 56) else "torch_dtype": precision}  # renamed in 4.56
        model = _open(KINDS[kind], kind, model, progress, fetch, readers, **options).to(where).eval()
    else:
        model = _check_object(model, tokenizer, device, dtype, kind)
        name = Path(str(getattr(model.config, "_name_or_path", "") or type(model).__name__)).name
    if isinstance(tokenizer, (str, os.PathLike)):
        tokenizer = _open_tokenizer(tokenizer, fetch, readers)
    return model, tokenizer, name


def _open(
    factory: str,
    what: str,
    source: PathName,
    progress: bool | None,
    fetch: Record,
    readers: dict[str, Any],
    **options: Any,
) -> Any:
    """Return the object that a class of transformers reads from a source; an error is told in one sentence.

    `readers` are those of GGUF files, as in `bounded_reader`.
    """
    from safetensors import SafetensorError

    transformers = import_extra("transformers", "hf", "This language model")
    location, located = _locate(source, **fetch)
    with contextlib.ExitStack() as stack:
        if not (sys.stderr.isatty() if progress is None else progress):
            # Not every bar heeds transformers' setting. Log messages go to the real stderr all the same.
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        try:
            if "gguf_file" in located:
                stack.enter_context(bounded_reader(str(Path(location, located["gguf_file"])), readers))
            return getattr(transformers, factory).from_pretrained(location, **located, **options)
        except (*_LOAD_ERRORS, SafetensorError) as error:
            import torch

            if isinstance(error, torch.OutOfMemoryError):  # has a message of its own, and is no fault of the files
                raise
            lines = str(error).strip().splitlines()
            reason = lines[0].rstrip(" .:") if lines else type(error).__name__
            raise InputError(f"Cannot load a {what} from {source!s}: {reason}") from error


def _check_object(model: Any, tokenizer: Any, device: object, dtype: object, kind: str) -> Any:
    """Check a model that is given as an object, and move it to the device and precision if they are given."""
    import torch

    if not isinstance(model, torch.nn.Module) or not hasattr(model, "config"):
        raise TypeError(
            f"Expected argument `model` to be a name, a path or a {kind} of transformers, but got {describe(model)}"
        )
    if tokenizer is None:
        raise TypeError("Expected argument `tokenizer` beside a model object, but got None")
    if device is not None:
        model = model.to(device=resolve_device(device))
    if dtype is not None and dtype != "auto":
        model = model.to(dtype=resolve_dtype(dtype))
    return model


def _is_local(source: PathName) -> bool:
    if isinstance(source, os.PathLike) or Path(source).expanduser().exists():
        return True
    # A Hub name is "name" or "owner/name".
    return source.startswith((".", "~", os.sep)) or source.count("/") > 1 or source.endswith(".gguf")


def _locate(
    source: PathName,
    revision: str | None = None,
    trust_remote_code: bool = False,
) -> tuple[str, Record]:
    """Return a path or name for transformers and the options to pass, after checking that the model is there."""
    if not os.fspath(source):
        raise TypeError("Expected argument `model` to be a name, a path or a model, but got ''")
    options: Record = {}
    if trust_remote_code:
        options["trust_remote_code"] = True
    if not _is_local(source):
        _fetch_config(str(source), revision)
        return str(source), {**options, "revision": revision or "main"}
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
    import_extra("gguf", "gguf", "This language model")
    return str(path.parent), {**options, "gguf_file": path.name, "local_files_only": True}


def _fetch_config(name: str, revision: str | None) -> None:
    """Ask for one small file first: the Hub client says clearly why it cannot be had, transformers does not."""
    from huggingface_hub import constants, errors, hf_hub_download
    from huggingface_hub.utils import logging

    offline = constants.HF_HUB_OFFLINE
    because = "is not to be asked (offline mode)" if offline else "cannot be reached"
    reasons: dict[type[Exception], str] = {  # the first that fits: some are kinds of others
        errors.GatedRepoError: "its owners ask you to accept terms on the Hugging Face Hub and to log in",
        errors.RepositoryNotFoundError: (
            "there is no such folder here, and no public model of that name on the Hugging Face Hub"
        ),
        errors.RevisionNotFoundError: f"it has no revision {revision!r}",
        errors.LocalEntryNotFoundError: (
            f"it is not in the local cache, and the Hugging Face Hub {because}; give the path of a local copy instead"
        ),
        errors.EntryNotFoundError: "that repository of the Hugging Face Hub has no config.json",
        ValueError: "that is no name of a model on the Hugging Face Hub and no path",
        OSError: "the Hugging Face Hub cannot be reached",
    }
    before = logging.get_verbosity()
    logging.set_verbosity_error()  # one sentence below instead of a warning for each attempt
    try:
        hf_hub_download(name, "config.json", revision=revision)
    except tuple(reasons) as error:
        reason = next(reason for kind, reason in reasons.items() if isinstance(error, kind))
        raise InputError(f"Cannot load the language model {name!r}: {reason}") from error
    finally:
        logging.set_verbosity(before)
