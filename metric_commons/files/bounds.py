"""How much a compressed file may grow: sizes are declared, and checked before memory is taken for them."""

from __future__ import annotations

ALWAYS_ALLOWED = 256 * 2**20
"""Bytes that any file may unpack to, however well it compresses."""

MOST_TIMES = 100
"""How many times its size a file may unpack to beyond that; texts and numbers compress three- to tenfold."""

MOST = 16 * 2**30
"""Bytes that no file may exceed."""


def may_unpack(unpacked: int, packed: int) -> bool:
    """Say whether `packed` bytes may be unpacked to `unpacked`.

    >>> may_unpack(10_000_000, 20_000), may_unpack(3_200_000_000, 3_000_000), may_unpack(-1, 10)
    (True, False, False)
    """
    return 0 <= unpacked <= min(MOST, max(ALWAYS_ALLOWED, MOST_TIMES * packed))


def check_unpacked(unpacked: int, packed: int) -> None:
    """Check that `packed` bytes may be unpacked to `unpacked`.

    Raises:
        ValueError: where they may not.
    """
    if not may_unpack(unpacked, packed):
        raise ValueError(f"it declares {unpacked:,} bytes of content in {packed:,} of its own, beyond what is read")
