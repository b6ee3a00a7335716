"""A folder of rated outputs in the form of the research data, with made texts."""

import csv
import json

import numpy as np
from text_files import write, write_table

METRICS = ("Bleu_4", "METEOR", "ROUGE_L", "CIDEr")
HEADER = ["dataset", "system", "mr", "sys_ref", *METRICS, "informativeness", "naturalness", "quality"]
WORDS = "nice cheap good restaurant hotel in the centre with food and rooms".split()


def write_nlg_ratings(base, n=520):
    """Write `nlg-ratings/` into a folder and return its path; a third of each data set, most outputs by LOLS."""
    folder = base / "nlg-ratings"
    folder.mkdir()
    rng = np.random.default_rng(0)
    rows, aligned = [], []
    for number in range(n):
        dataset = ("SFHOT", "SFRES", "SFHOT", "SFRES", "BAGEL")[number % 5]
        system = ("LOLS", "WEN" if dataset != "BAGEL" else "Dusek")[number % 10 > 5]
        name = f"place {number % 40}"
        mr = f"inform(name='{name}',type={'hotel' if dataset == 'SFHOT' else 'restaurant'})"
        words = rng.choice(WORDS, 4 + number % 5).tolist()
        text = f"{name} is {' '.join(words)}."
        rating = float(np.clip(round(2 * (6 - 0.4 * len(words) + rng.normal(0, 0.8))) / 2, 1, 6))
        metrics = [f"{value:.4f}" for value in (*rng.random(3), 10 * rng.random())]
        rows.append([dataset, system, mr, text, *metrics, rating, rating, rating])
        aligned.append(
            {"mr": mr, "output": f"{name.capitalize()} is {' '.join(words)} .", "references": [f"{name} is good ."]}
        )
    write_table(folder / "emnlp_data_medians.csv", HEADER, rows, quoting=csv.QUOTE_ALL)
    write(folder / "with_references.jsonl", map(json.dumps, aligned))
    for domain in ("restaurant", "hotel"):
        (folder / "sfx" / domain).mkdir(parents=True)
        for split in ("train", "valid", "test"):
            entries = [[f"inform(name='{split}';type={domain})", f"{split} is a {domain} -s", "unused"]]
            write(
                folder / "sfx" / domain / f"{split}.json", "#####\n# Copyright\n#####\n" + json.dumps(entries, indent=4)
            )
    write(
        folder / "bagel.txt",
        'FULL_DA = inform(name="Ali",type=placetoeat,food=Thai)\n'
        'ABSTRACT_DA = inform(name="X1",type=placetoeat,food=Thai) \n'
        '-> "[name+X]X []serves [food+Thai]Thai [food]food."; \n\n',
    )
    return folder
