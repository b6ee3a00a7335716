"""What the distribution says of itself on PyPI: where the project lives, and a README whose links lead there.

Links and images of the README are relative, so that they work in a checkout. PyPI shows the README alone: there they
become absolute addresses in the repository, at the tag of the version. The repository is `repository` under
`[tool.hatch.metadata.hooks.custom]`, or else the environment variable `PROJECT_REPOSITORY`, which the release workflow
sets to where it runs. Where neither is there, links to files become their labels and images are left out: nothing leads
nowhere.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?P<image>!?)\[(?P<label>[^][]*)\]\((?!https?:|mailto:|#)(?P<target>[^()\s]+)\)")
_KINDS = {True: "raw", False: "blob"}  # what an image is taken from, and what a reader is shown


def absolute(markdown: str, repository: str, version: str) -> str:
    """Return Markdown with absolute links and images; without a repository, with none to files.

    >>> absolute("![A page](a.png) of [docs](docs/start.md)", "https://example.org/me/it", "1.0")
    '![A page](https://example.org/me/it/raw/v1.0/a.png) of [docs](https://example.org/me/it/blob/v1.0/docs/start.md)'
    >>> absolute("![A page](a.png) of [docs](docs/start.md)", "", "1.0")
    ' of docs'
    """

    def replaced(link: re.Match[str]) -> str:
        image, label, target = link["image"], link["label"], link["target"]
        if repository:
            return f"{image}[{label}]({repository}/{_KINDS[bool(image)]}/v{version}/{target})"
        return "" if image else label

    parts = _CODE.split(markdown)
    return "".join(part if place % 2 else _LINK.sub(replaced, part) for place, part in enumerate(parts))


class ProjectMetadata(MetadataHookInterface):
    """Adds `readme` and `urls` to the metadata."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add what a checkout does not know of itself."""
        repository = (self.config.get("repository") or os.environ.get("PROJECT_REPOSITORY", "")).rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = absolute(text, repository, str(metadata["version"]))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        own = {}
        if repository:
            changes = f"{repository}/blob/v{metadata['version']}/CHANGELOG.md"
            own = {"Repository": repository, "Issues": f"{repository}/issues", "Changelog": changes}
        metadata["urls"] = {**own, **self.config["urls"]}
