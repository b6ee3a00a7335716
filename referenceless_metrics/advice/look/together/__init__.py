"""Command lines that read several files together."""
