"""Pools that the processes of a machine share: a folder with an uncompressed archive, which they map."""
