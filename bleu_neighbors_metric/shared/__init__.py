"""Indexes that the processes of a machine share: a folder of raw arrays beside the compact file."""
