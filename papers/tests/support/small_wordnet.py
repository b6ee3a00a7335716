"""A WordNet of a few nouns, in the format of its database files (wndb(5WN)), as Debian lays it out: no `lexnames`."""

SYNSETS = (
    ("car", "auto", "automobile", "motor_vehicle"),
    ("cat", "feline"),
    ("cat", "guy", "Kat"),
    ("dog", "hound"),
    ("mat", "rug"),
    ("couch", "sofa", "rug"),
)
_HEADER = "  1 A few nouns in the format of WordNet 3.0.  \n"
_KINDS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


def write_small_wordnet(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for part in _KINDS:
        for name in (f"data.{part}", f"index.{part}"):
            (folder / name).write_text(_HEADER)
        (folder / f"{part}.exc").write_text("mice mouse\n" if part == "noun" else "")
    data = _HEADER
    offsets = {}
    for words in SYNSETS:
        for word in words:
            offsets.setdefault(word.lower(), []).append(len(data))
        listed = " ".join(f"{word} 0" for word in words)
        data += f"{len(data):08d} 03 n {len(words):02x} {listed} 000 | a gloss  \n"
    (folder / "data.noun").write_text(data)
    lines = [
        f"{word} n {len(where)} 0 {len(where)} 0 {' '.join(f'{at:08d}' for at in where)}  \n"
        for word, where in sorted(offsets.items())
    ]
    (folder / "index.noun").write_text(_HEADER + "".join(lines))
    return folder
