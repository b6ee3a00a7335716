"""Uploading a metric's Space or a data set to the Hub, through `huggingface_hub`."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from metric_commons.hub.folder import assemble, repo_type
from metric_commons.support.validation import PathName

_Result = TypeVar("_Result")

ATTEMPTS = 4
"""How often a step is tried; `huggingface_hub` retries some of its requests by itself besides."""

_PASSING = (408, 429, 500, 502, 503, 504)  # states of the Hub that pass
_WAIT = 1.0  # seconds before the second attempt; doubled before each further one


def publish(
    name: str,
    repo_id: str,
    *,
    token: str | None = None,
    private: bool | None = None,
    **assembled: Any,
) -> str:
    """Assemble a metric's Space or a data set, and upload it.

    The repository is created where it does not exist, and keeps its visibility and its other files where it does. All
    files arrive in one commit or not at all, so an upload that was interrupted is safe to run again: what is there
    already is not sent, nor committed, twice.

    Args:
        name: what to publish; see `folder.publishable`.
        repo_id: the repository, OWNER/REPO.
        token: a token of the Hub that may write there; None for the environment's (`HF_TOKEN`) or the saved one.
        private: whether a new repository is private; None for the owner's default.
        assembled: `data_dir`, `configs` and `progress` of a data set, as in `folder.assemble`.

    Returns:
        The address of the repository.

    Raises:
        InputError: for data that may not be handed on, or a malformed repository name.
        ValueError: for an unknown name, or a card that the Hub refuses.
        PermissionError: for no token, an expired one, or one that may not write there.
        ConnectionError: where the Hub cannot be reached, or fails again and again.
    """
    with tempfile.TemporaryDirectory(prefix="publish-") as temporary:
        folder = assemble(name, repo_id, Path(temporary) / repo_id.split("/")[1], **assembled)
        return upload(folder, repo_id, repo_type(name), token=token, private=private)


def upload(folder: PathName, repo_id: str, kind: str, *, token: str | None = None, private: bool | None = None) -> str:
    """Upload a folder that `folder.assemble` wrote; see `publish` for the arguments, the result and the errors.

    Args:
        folder: the folder.
        repo_id: the repository, OWNER/REPO.
        kind: `space` or `dataset`.
        token: as in `publish`.
        private: as in `publish`.
    """
    from huggingface_hub import HfApi, get_token

    if token is None and get_token() is None:
        raise PermissionError(
            "There is no token for the Hub: give one that may write with --token or HF_TOKEN, or run `hf auth login`"
        )
    api = HfApi(token=token)
    sdk = {"space_sdk": "gradio"} if kind == "space" else {}
    where = f"{kind} {repo_id}"
    url = str(_attempt(lambda: api.create_repo(repo_id, repo_type=kind, private=private, exist_ok=True, **sdk), where))
    _attempt(
        lambda: api.upload_folder(
            repo_id=repo_id, repo_type=kind, folder_path=folder, commit_message=f"Publish {Path(folder).name}"
        ),
        where,
    )
    return url


def _attempt(step: Callable[[], _Result], where: str) -> _Result:
    """Return the step's result; try again where the Hub's trouble may pass, and say in one line what will not."""
    transport = _transport_error()
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(_WAIT * 2 ** (attempt - 1))
        try:
            return step()
        except (transport, RuntimeError, json.JSONDecodeError) as caught:
            # A large file that does not arrive is a RuntimeError, with what happened as its cause; a page of HTML
            # where the Hub was asked to check the card is a JSONDecodeError.
            error = caught.__cause__ if type(caught) is RuntimeError else caught
            if not isinstance(error, (transport, json.JSONDecodeError)):
                raise
            status = getattr(getattr(error, "response", None), "status_code", None)
            if status is not None and status not in _PASSING:
                raise _refused(status, where, error) from error
            last = error
            silent = "gives no proper answer" if isinstance(error, json.JSONDecodeError) else "cannot be reached"
            trouble = silent if status is None else f"answers {status}"
    raise ConnectionError(
        f"The Hub {trouble} after {ATTEMPTS} attempts, for {where}: {_first_line(last)}. "
        "It is safe to run the same command again"
    ) from last


def _transport_error() -> Any:
    """Return the class of all errors of huggingface_hub's HTTP client, which is httpx or, before 1.0, requests."""
    from huggingface_hub.errors import HfHubHTTPError

    ancestors = HfHubHTTPError.__mro__
    return ancestors[ancestors.index(OSError) - 1]


def _refused(status: int, where: str, error: Exception) -> Exception:
    if status == 401:
        return PermissionError(
            f"The Hub refuses the token (401) for {where}: it is wrong or expired. Give a valid one by "
            "--token or HF_TOKEN, or run `hf auth login`"
        )
    if status == 403:
        return PermissionError(f"The token may not write to {where} (403): it needs the right to write there")
    return OSError(f"The Hub refuses {where} ({status}): {_first_line(error)}")


def _first_line(error: Exception) -> str:
    message = getattr(error, "server_message", None) or str(error)
    return next((line.strip() for line in str(message).splitlines() if line.strip()), type(error).__name__)
