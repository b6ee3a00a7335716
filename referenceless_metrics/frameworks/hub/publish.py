"""A metric as a Space: its folder, and its upload to the Hub through `huggingface_hub`.

A fitted model becomes a metric of its own: the Space holds the file that `fit` wrote, and
`evaluate.load("OWNER/REPO")` fetches it.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from referenceless_metrics.assessment.agreement import CANNOT_TELL, NO_BETTER, USEFUL, WEAK, WITHIN
from referenceless_metrics.core.files.archive import is_archive
from referenceless_metrics.core.files.atomic import check_new_folder, new_folder
from referenceless_metrics.core.files.digest import file_digest
from referenceless_metrics.core.metric import verdict_of, worth_of
from referenceless_metrics.core.registry import distribution_of, load_metric, metric_spec
from referenceless_metrics.core.support.installation import DISTRIBUTION, project_address, project_version, shipped
from referenceless_metrics.core.support.validation import InputError, PathName
from referenceless_metrics.frameworks.hub.cards import front_matter, metric_card
from referenceless_metrics.frameworks.hub.modules import script


def check_repo(repo_id: str) -> str:
    """Return a Space's own name after checking that `repo_id` is OWNER/REPO and can name a module of `evaluate`.

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
    if "." in repo:  # evaluate imports REPO/REPO.py as a module of this name
        raise InputError(f"Expected a metric's repository to be named without a full stop, but got {repo!r}")
    return repo


_APP = '''"""The web page of {title}, as a Space runs it: the page itself is in the package."""

from referenceless_metrics.pages.app.page import build_app, launch

demo = build_app("{name}"{bound})

if __name__ == "__main__":
    launch(demo)
'''
_FITTED_SCRIPT = '''"""{title} with the ratings of {repo_id}, for `evaluate`: the module itself is in the package."""

from referenceless_metrics.frameworks.evaluate import published_module  # From: referenceless-metrics

Module = published_module("{name}", "{repo_id}", {file!r}, "{digest}", __file__)
'''
_FITTED_CARD = """\
# {title}, learned from the ratings in {repo_id}

- **What it says**: {description}
- **Learned from**: {learned}.
- **What the estimates are worth**: {worth}
- **Use it**: `pip install {distribution}`, then `evaluate.load("{repo_id}").compute({arguments})`;{beside} a text
  without an estimate has a reason, so report the mean with its coverage.
- **Claims**: {claims}
- **Licence** of the ratings and of what was learned from them: {license}.
- **Signature**: `{signature}`

What the metric is, what is known of it, and what it is not meant for:
"""
_CLAIMS = {
    None: "none, until a measurement shows that these estimates agree with people.",
    NO_BETTER: "none: estimates were not shown to be better than the mean rating, so rank no texts by them.",
    CANNOT_TELL: "none yet: too little was measured to say whether estimates agree with ratings.",
    WEAK: "estimates rank texts like the rated ones weakly, or no better than the lengths of the texts do.",
    WITHIN: "estimates rank texts of the systems that were rated; for texts of other systems this was not measured.",
    USEFUL: "estimates rank texts like the rated ones.",
}
"""The claim that estimates support, by the verdict on them; None if it is not known."""
_OF_SYSTEMS = (
    "\n  They are no ratings of another system: only ratings of a system's own outputs support a claim about it."
)


def assemble(
    name: str, repo_id: str, out_dir: PathName, *, pool: PathName | None = None, license: str | None = None
) -> Path:
    """Write the folder that is to become a Space, whole or not at all, without a network.

    It holds the app, its requirements, the card, and the script that `evaluate.load("OWNER/REPO")` looks for, which is
    called REPO.py; and the file of a metric of one's own.

    Args:
        name: a metric that is installed.
        repo_id: the repository, OWNER/REPO.
        out_dir: the folder to write, absent or empty.
        pool: a file that `referenceless fit` wrote for this metric; None for the metric as it is installed.
        license: under which licence that file may be handed on.

    Returns:
        The folder's path.

    Raises:
        InputError: for a malformed repository name, a file that `fit` did not write, or one without a licence.
        ValueError: for an unknown metric.
        FileExistsError: if `out_dir` is not an absent or empty folder.
    """
    spec, repo = metric_spec(name), check_repo(repo_id)
    if (pool is None) != (license is None):
        raise InputError(
            "Expected `license` with `pool`, and only with it: the Space hands on what was learned from the rated "
            "texts, and may hold the texts themselves; say under which licence, such as cc-by-4.0"
        )
    card, files = metric_card(name), {f"{repo}.py": script(name)}
    if pool is not None:
        file = Path(pool).expanduser()
        if not file.is_file() or not is_archive(str(file)):
            raise InputError(f"{pool}: expected a file that `referenceless fit --metric {name}` wrote")
        card = _card_of_fitted(card, name, repo_id, file, str(license))
        digest = file_digest(file)
        files = {
            f"{repo}.py": _FITTED_SCRIPT.format(
                title=spec.title, name=name, repo_id=repo_id, file=file.name, digest=digest
            )
        }
    # the very versions of the package and of who brings the metric, so that scores stay
    bringer, version = distribution_of(name)
    theirs = "" if bringer == DISTRIBUTION else f"{bringer}=={version}\n"
    bound = "" if pool is None else f", pool={file.name!r}"
    files |= {
        front_matter(card)["app_file"]: _APP.format(name=name, title=spec.title, bound=bound),
        "README.md": _links_of_space(card),
        "requirements.txt": f"{DISTRIBUTION}[app]=={project_version()}\n{theirs}",
    }
    target = check_new_folder(Path(out_dir).expanduser(), "out_dir")
    with new_folder(target) as folder:
        for written, content in files.items():
            (folder / written).write_text(content, encoding="utf-8")
        for figure in re.findall(r"\]\(\.\./figures/([\w.]+)\)", card):
            (folder / "figures").mkdir(exist_ok=True)
            shutil.copyfile(shipped("hub_cards", "figures", figure), folder / "figures" / figure)
        if pool is not None:
            shutil.copyfile(file, folder / file.name)
    return target


def _links_of_space(card: str) -> str:
    """Return a card whose links hold in a Space: figures beside it, files of the repository by full addresses.

    If the distribution names no repository, a link to a file becomes its label.
    """
    address = project_address()

    def full(link: re.Match[str]) -> str:
        label, path = link.groups()
        return f"[{label}]({address}/blob/v{project_version()}/{path})" if address else label

    return re.sub(r"\[([^\]]+)\]\(\.\./\.\./([^)]+)\)", full, card.replace("](../figures/", "](figures/"))


def _card_of_fitted(card: str, name: str, repo_id: str, file: Path, license: str) -> str:
    """Return the card of a metric with ratings of one's own: a summary, then the metric's own card."""
    metric: Any = load_metric(name, pool=str(file))
    spec = metric_spec(name)
    reads_sources = getattr(metric, "needs_sources", False)
    verdict = verdict_of(metric)
    summary = _FITTED_CARD.format(
        title=spec.title,
        arguments="predictions=texts, sources=sources" if reads_sources else "predictions=texts",
        beside=" `sources` holds what each text was made from;" if reads_sources else "",
        repo_id=repo_id,
        description=spec.description,
        learned=getattr(metric, "learned_from_", "the ratings in that file"),
        worth=worth_of(metric) or "not known.",
        claims=_CLAIMS[None if verdict is None else verdict.verdict] + _OF_SYSTEMS,
        distribution=DISTRIBUTION,
        license=license,
        signature=metric.signature,
    )
    _, head, body = card.split("---\n", 2)
    metadata = {**yaml.safe_load(head), "title": repo_id.split("/")[1], "license": license}
    return f"---\n{yaml.safe_dump(metadata, sort_keys=False, allow_unicode=True)}---\n\n{summary}{body}"


def publish(
    name: str, repo_id: str, *, token: str | None = None, private: bool | None = None, **fitted: PathName | None
) -> str:
    """Assemble a metric's Space, and upload it.

    A repository that does not exist is created; one that does keeps its visibility and its other files. All files
    arrive in one commit or not at all, so an interrupted upload is safe to run again: files that are there already are
    not sent, nor committed, twice.

    Args:
        name: a metric that is installed.
        repo_id: the repository, OWNER/REPO.
        token: a token of the Hub that may write there; None for the environment's (`HF_TOKEN`) or the saved one.
        private: whether a new repository is private; None for the owner's default.
        fitted: `pool` and `license`, as of `assemble`.

    Returns:
        The address of the repository.

    Raises:
        InputError: as `assemble`.
        ValueError: for an unknown name, or a card that the Hub refuses.
        PermissionError: for no token, an expired one, or one that may not write there.
        ConnectionError: if the Hub cannot be reached, or fails.
    """
    with tempfile.TemporaryDirectory(prefix="publish-") as temporary:
        folder = assemble(name, repo_id, Path(temporary) / repo_id.split("/")[-1], **fitted)  # type: ignore[arg-type]
        return upload(folder, repo_id, token=token, private=private)


def upload(folder: PathName, repo_id: str, *, token: str | None = None, private: bool | None = None) -> str:
    """Upload a folder that `assemble` wrote; see `publish` for the arguments, the result and the errors."""
    from huggingface_hub import HfApi, get_token

    if token is None and get_token() is None:
        raise PermissionError(
            "There is no token for the Hub: give one that may write with --token or HF_TOKEN, or run `hf auth login`"
        )
    api = HfApi(token=token)
    with _in_one_line(f"space {repo_id}"):
        url = api.create_repo(repo_id, repo_type="space", private=private, exist_ok=True, space_sdk="gradio")
        api.upload_folder(
            repo_id=repo_id, repo_type="space", folder_path=folder, commit_message=f"Publish {Path(folder).name}"
        )
    return str(url)


@contextmanager
def _in_one_line(where: str) -> Iterator[None]:
    """Say in one line what is wrong if the Hub fails."""
    from huggingface_hub.errors import HfHubHTTPError

    ancestors = HfHubHTTPError.__mro__
    transport: Any = ancestors[ancestors.index(OSError) - 1]  # of httpx or, before huggingface_hub 1.0, requests
    try:
        yield
    except (transport, RuntimeError, json.JSONDecodeError) as caught:
        # A large file that does not arrive is a RuntimeError, with its cause; a page of HTML in place of the Hub's
        # check of the card is a JSONDecodeError.
        error: Any = caught.__cause__ if type(caught) is RuntimeError else caught
        if not isinstance(error, (transport, json.JSONDecodeError)):
            raise
        status = getattr(getattr(error, "response", None), "status_code", None)
        if status in (401, 403):
            raise PermissionError(
                f"The Hub refuses the token ({status}) for {where}: it is wrong, expired, or may not write there. Give "
                "another by --token or HF_TOKEN, or run `hf auth login`"
            ) from error
        message = str(getattr(error, "server_message", None) or error).strip() or type(error).__name__
        answer = "gives no proper answer" if status is None else f"answers {status}"
        raise ConnectionError(
            f"The Hub {answer} for {where}: {message.splitlines()[0]}. It is safe to run the same command again"
        ) from error
