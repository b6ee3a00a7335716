"""The folder of a Space or of a data set's repository, as it is pushed to the Hub."""

from __future__ import annotations

import os
import re
import shutil
import warnings
from collections.abc import Sequence
from pathlib import Path

from metric_commons.datasets.catalogue import SPECS
from metric_commons.files.atomic import check_new_folder, new_folder
from metric_commons.hub.cards import front_matter, metric_card
from metric_commons.hub.modules import script
from metric_commons.registry import distribution_of, metric_names, metric_spec
from metric_commons.support.installation import DISTRIBUTION, project_version, shipped
from metric_commons.support.validation import InputError, check_choice


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
    out_dir: str | os.PathLike[str],
    *,
    data_dir: str | os.PathLike[str] | None = None,
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
    from metric_commons.datasets.exporting import export

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
