"""The signs of which the guess at the language reads text: a to z are 1 to 26."""

from __future__ import annotations

SPACE, OTHER, SIZE = 0, 27, 28
"""What parts words; any letter beyond a to z; the number of signs."""
