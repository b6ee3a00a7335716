"""Tools of benchmarks: English sentences, times taken in turn, peers, and programs in processes of their own."""

import lzma
import os
import random
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

from text_files import ROOT

from bleu_neighbors_metric.example import example_pool

#: The head of a program in another process.
IMPORT = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); from measuring import *\n"


def english_sentences(n, least=60, most=100):
    """Return n sentences of so many characters from the corpus, or of the packaged pool's words if it is absent."""
    base = Path(os.environ.get("BLEU_NEIGHBORS_DATA", ROOT.parent / "shared" / "data"))
    path = base / "lm-corpus" / "english.txt.xz"
    found = {}
    if path.is_file():
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            stripped = map(str.strip, lines)
            while len(found) < n and (line := next(stripped, None)) is not None:
                if least <= len(line) <= most:
                    found[line] = None
    rng = random.Random(0)
    words = " ".join(example_pool().texts).split()
    while len(found) < n:
        found[" ".join(rng.choices(words, k=most // 7))] = None
    return list(found)


def sentences_of_20_words(data_dir, n):
    """Return n sentences of the corpus, cut to 20 words."""
    with lzma.open(data_dir("lm-corpus") / "english.txt.xz", "rt", encoding="utf-8") as file:
        long = (words for words in map(str.split, islice(file, 100_000)) if len(words) >= 20)
        return [" ".join(words[:20]) for words in islice(long, n)]


def written_sentences(data_dir, n, least=60, most=140):
    """Return n sentences of so many characters, with capitals and without spaces around their marks."""
    with lzma.open(data_dir("lm-corpus") / "english-2.txt.xz", "rt", encoding="utf-8") as file:
        return list(islice((line for line in map(str.strip, file) if least <= len(line) <= most), n))


def in_turn(rounds, *calls, clock=time.perf_counter):
    """Return the seconds of each call in each round; in turn, so that a machine whose speed drifts treats all alike."""
    taken = [[] for _ in calls]
    for _ in range(rounds):
        for call, own in zip(calls, taken, strict=True):
            begin = clock()
            call()
            own.append(clock() - begin)
    return taken


def say(capsys, line):
    with capsys.disabled():
        print(f"\n    {line}")


def told(program):
    """Return a program's output."""
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout


def rouge_l(texts, references, **options):
    """Return a function that scores pairs with rouge-score."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rougeL"], **options)
    return lambda: [scorer.score_multi(own, text) for text, own in zip(texts, references, strict=True)]


def nltk_bleu(texts, pool):
    """Return a function that compares pairs by nltk's BLEU of characters."""
    import warnings

    from nltk.translate.bleu_score import sentence_bleu

    def compare():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for text, other in zip(map(list, texts), map(list, pool), strict=True):
                sentence_bleu([other], text, weights=(0, 1 / 3, 1 / 3, 1 / 3))

    return compare


def sacrebleu(texts, pool, tokenize):
    """Return a function that compares pairs by sacrebleu's BLEU."""
    from sacrebleu.metrics import BLEU

    bleu = BLEU(tokenize=tokenize, effective_order=True)
    return lambda: [bleu.sentence_score(text, [other]) for text, other in zip(texts, pool, strict=True)]


# A small process starts a program: to Linux, the peak of a process begins with that of the one that it was forked from.
_LAUNCH = """
import os, sys
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
child = os.posix_spawn(sys.executable, [sys.executable, *sys.argv[1:]], os.environ, file_actions=quiet)
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""


def used_by(*arguments):
    """Run Python in one thread, and return its user and system seconds and its peak memory in MB."""
    # An installed package has its compiled modules.
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    settings |= {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", _LAUNCH, *arguments]
    run = subprocess.run(command, check=True, capture_output=True, text=True, env=settings)
    code, seconds, peak = map(float, run.stdout.split())
    assert code == 0, run.stderr
    return seconds, peak
