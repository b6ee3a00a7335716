"""Modules, cards and uploads for the Hugging Face Hub."""
