"""The packages that networks are trained with, and their abilities on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referenceless_metrics.core.support.installation import import_extra

if TYPE_CHECKING:
    import torch


def import_torch() -> None:
    """Import torch and safetensors.

    Raises:
        ImportError: if one is missing; the message names the extra of this distribution.
    """
    for module in ("torch", "safetensors"):
        import_extra(module, "networks", "A network that torch trains", "referenceless-papers")


def has_bfloat16(device: torch.device) -> bool:
    """Return whether a device has instructions for bfloat16; one that is no CPU is taken to have them."""
    import torch

    if device.type != "cpu":
        return True
    if torch.backends.cpu.get_cpu_capability().startswith(("AVX", "DEFAULT", "NO AVX")):
        return bool(torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())  # ARM and others
