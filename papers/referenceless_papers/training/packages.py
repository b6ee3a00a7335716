"""The packages that networks are trained with."""

from __future__ import annotations

from metric_commons.support.installation import import_extra


def import_torch() -> None:
    """Import torch and safetensors.

    Raises:
        ImportError: where one is missing; the message names the extra of this distribution.
    """
    for module in ("torch", "safetensors"):
        import_extra(module, "networks", "A network that torch trains", "referenceless-papers")
