"""The folder of a metric's Space or of a data set, and its upload to the Hub through `huggingface_hub`."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from metric_commons.datasets.catalogue import SPECS
from metric_commons.files.atomic import check_new_folder, new_folder
from metric_commons.hub.modules import front_matter, metric_card, script
from metric_commons.registry import distribution_of, metric_names, metric_spec
from metric_commons.support.installation import DISTRIBUTION, project_version, shipped
from metric_commons.support.validation import InputError, PathName, check_choice


def publishable() -> tuple[str, ...]:
    """Return the names of what can be published: metrics and data sets."""
    return (*metric_names(), *SPECS)


# Their source is public; dialogue and language_model have files that only some readers hold.
_PUBLISHED_CONFIGS = {
    "huse": ("summarization", "summarization_judgements"),
    "nlg_ratings": ("sfhot", "sfres"),  # the source of BAGEL states no licence
}
_REFUSED = {
    "asap_sas": "the rules of its Kaggle competition (kaggle.com/c/asap-sas/rules) forbid to hand copies on. For "
    "yourself, metric_commons.datasets.export writes one; others get the data from Kaggle",
}


def repo_type(name: str) -> str:
    """Return what a name becomes on the Hub: `space` (a metric) or `dataset`.

    >>> repo_type("slor"), repo_type("huse")
    ('space', 'dataset')

    Raises:
        ValueError: for an unknown name.
    """
    check_choice(name, "name", publishable())
    return "space" if name in metric_names() else "dataset"


def check_repo(name: str, repo_id: str) -> str:
    """Return the repository's own name after checking that `repo_id` is OWNER/REPO and fits what is published.

    Raises:
        InputError: for anything else.
    """
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id

    try:
        validate_repo_id(repo_id)
    except HFValidationError as error:
        raise InputError(f"Expected a repository as OWNER/REPO: {error}") from None
    if repo_id.count("/") != 1:
        raise InputError(f"Expected a repository as OWNER/REPO, but got {repo_id!r}")
    repo = repo_id.split("/")[1]
    if repo_type(name) == "space" and "." in repo:
        # evaluate imports REPO/REPO.py as a module of this name
        raise InputError(f"Expected a metric's repository to be named without a full stop, but got {repo!r}")
    return repo


def assemble(
    name: str,
    repo_id: str,
    out_dir: PathName,
    *,
    data_dir: PathName | None = None,
    configs: Sequence[str] | None = None,
    progress: bool | None = None,
) -> Path:
    """Write the folder that is to become a repository, whole or not at all, without a network.

    Of a metric: the Space with its app, its requirements, its card, and the script that
    `evaluate.load("OWNER/REPO")` looks for, which is called REPO.py. Of a data set: Parquet files and its card.

    Args:
        name: one of `publishable()`.
        repo_id: the repository, OWNER/REPO.
        out_dir: the folder to write, absent or empty.
        data_dir: the folder that holds a data set's source files.
        configs: a data set's configurations; None for those whose source is public.
        progress: whether a data set's export shows progress on stderr; None for on a terminal.

    Returns:
        The folder's path.

    Raises:
        InputError: for data that may not be handed on, or a malformed repository name.
        ValueError: for an unknown name or configuration.
        FileExistsError: where `out_dir` is not an absent or empty folder.
        FileNotFoundError: where data is missing.

    Warns:
        UserWarning: for a data set whose source states no licence.
    """
    kind = repo_type(name)
    if name in SPECS and not SPECS[name].redistributable:
        raise InputError(f"{name} cannot be published: {_REFUSED[name]}")
    repo = check_repo(name, repo_id)
    if kind == "space":
        if data_dir is not None or configs is not None:
            raise InputError(f"{name} is a metric: `data_dir` and `configs` are for data sets")
        return _assemble_space(name, repo, Path(out_dir).expanduser())
    from metric_commons.datasets.loading import export

    folder = export(name, configs or _PUBLISHED_CONFIGS[name], out_dir, data_dir=data_dir, progress=progress)
    if front_matter((folder / "README.md").read_text(encoding="utf-8"))["license"] == "unknown":
        warnings.warn(f"The source of {name} states no licence: ask its authors before you publish it", stacklevel=2)
    return folder


_APP = '''"""The web page of {title}, as a Space runs it: the page itself is in the package."""

from metric_commons.app.page import build_app, launch

demo = build_app("{name}")

if __name__ == "__main__":
    launch(demo)
'''


def _assemble_space(name: str, repo: str, target: Path) -> Path:
    card = metric_card(name)
    # the very versions of the package and of who brings the metric, so that scores stay
    bringer, version = distribution_of(name)
    theirs = "" if bringer == DISTRIBUTION else f"{bringer}=={version}\n"
    files = {
        f"{repo}.py": script(name),
        front_matter(card)["app_file"]: _APP.format(name=name, title=metric_spec(name).title),
        "README.md": card.replace("](../figures/", "](figures/"),
        "requirements.txt": f"{DISTRIBUTION}[app]=={project_version()}\n{theirs}",
    }
    with new_folder(check_new_folder(target, "out_dir")) as folder:
        for file, content in files.items():
            (folder / file).write_text(content, encoding="utf-8")
        for figure in re.findall(r"\]\(\.\./figures/([\w.]+)\)", card):
            (folder / "figures").mkdir(exist_ok=True)
            shutil.copyfile(shipped("hub_cards", "figures", figure), folder / "figures" / figure)
    return target


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
        name: what to publish; see `publishable`.
        repo_id: the repository, OWNER/REPO.
        token: a token of the Hub that may write there; None for the environment's (`HF_TOKEN`) or the saved one.
        private: whether a new repository is private; None for the owner's default.
        assembled: `data_dir`, `configs` and `progress` of a data set, as in `assemble`.

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
    """Upload a folder that `assemble` wrote; see `publish` for the arguments, the result and the errors.

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
