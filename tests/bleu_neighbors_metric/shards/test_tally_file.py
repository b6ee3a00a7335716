"""Tally files: the same bits after a round trip, and clear errors for any other file."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.shards.tally import Shard, merge, tally_shard
from bleu_neighbors_metric.shards.tally_file import read_tally, write_tally

TEXTS = ["the cat sat", "the cat sits", "a dog barked", "the dog sat"]
RATINGS = [1.0, 0.0001, 1e-30, 0.7]


def tallied(weights="uniform", shard="1/1"):
    metric = BLEUNeighbors(0.05, 1, 1.0, weights=weights, progress=False)
    return tally_shard(metric, TEXTS, RATINGS, Shard.parse(shard), ["the cat", "", "the dog sat"])


def rewritten(path, header=None, numbers=None, **changes):
    """Write a file anew with a checksum that is right, whatever it holds."""
    first, _, body = path.read_bytes().split(b"\n", 2)
    old, own = body.split(b"\n", 1)
    if header is None:
        header = json.dumps({**json.loads(old), **changes}).encode()
    body = header + b"\n" + (own if numbers is None else numbers(own))
    path.write_bytes(b"\n".join((first, hashlib.sha256(body).hexdigest().encode(), body)))


@pytest.mark.parametrize("weights", ["uniform", "similarity"])
def test_a_round_trip_keeps_every_bit(tmp_path, weights):
    for shard in ("1/2", "2/2"):
        write_tally(tmp_path / shard[0], tallied(weights, shard))
    read = merge([read_tally(tmp_path / name) for name in ("2", "1")])
    made = merge([tallied(weights, shard) for shard in ("1/2", "2/2")])
    np.testing.assert_array_equal(read.values, made.values)
    assert (read.reasons, read.signature) == (made.reasons, made.signature)


def test_damage_and_other_files_are_named(tmp_path):
    path = tmp_path / "one.tally"
    with pytest.raises(FileNotFoundError, match=r"one\.tally"):
        read_tally(path)
    with pytest.raises(ValueError, match="not a file"):
        read_tally(tmp_path)
    write_tally(path, tallied())
    content = path.read_bytes()
    for place in (len(content) - 1, len(content) // 2, 90):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(ValueError, match=r"one\.tally: the tally is truncated or damaged"):
            read_tally(path)
    path.write_bytes(content.replace(b"tally 1\n", b"tally 2\n", 1))
    with pytest.raises(ValueError, match="format version 2"):
        read_tally(path)
    path.write_bytes(b"text,quality\n")
    with pytest.raises(ValueError, match="not a tally"):
        read_tally(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"header": b"[]"},
        {"header": b"x"},
        {"header": b"{" * 100_000},
        {"n_candidates": -1},
        {"n_candidates": 10**18},
        {"n_candidates": True},
        {"shard": {"number": 3, "of": 2}},
        {"shard": {"number": 1}},
        {"whole": {}},
        {"unit": {"exponent": 10**9, "bits": 30, "n_words": 1}},
        {"unit": {"exponent": 1, "bits": 0, "n_words": 1}},
        {"unit": {"exponent": 1, "bits": 30, "n_words": 10**12}},
        {"unit": None},
        {"more": 1},
        {"numbers": lambda own: b"\xff" * 8 + own[8:]},
        {"numbers": lambda own: own[:-1] + b"\x02"},
        {"numbers": lambda own: own[:-1]},
    ],
)
def test_what_no_tally_can_hold_is_refused(tmp_path, changes):
    path = tmp_path / "one.tally"
    write_tally(path, tallied())
    rewritten(path, **changes)
    with pytest.raises(ValueError, match=r"one\.tally: the tally cannot be used"):
        read_tally(path)


def test_sums_that_are_no_numbers_are_refused(tmp_path):
    path = tmp_path / "one.tally"
    write_tally(path, tallied("similarity"))
    rewritten(path, numbers=lambda own: own[:24] + np.array([np.nan]).tobytes() + own[32:])
    with pytest.raises(ValueError, match="not all finite"):
        read_tally(path)
