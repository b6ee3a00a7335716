"""``python -m slor_metric.language_models.ngram CORPUS -o DIR``: make the packaged models anew."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from slor_metric.language_models.ngram.packaged import train_packaged


def main() -> None:
    """Run `train_packaged` from a command line and print its report as JSON."""
    parser = argparse.ArgumentParser(description="Train the language models that come with the package.")
    parser.add_argument("corpus", type=Path, help="UTF-8 text, one sentence a line; .xz, .gz and .bz2 too")
    parser.add_argument("-o", "--out-dir", type=Path, required=True, help="folder for the model files")
    arguments = parser.parse_args()
    print(json.dumps(train_packaged(arguments.corpus, arguments.out_dir), indent=2))


if __name__ == "__main__":
    main()
