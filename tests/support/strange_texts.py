"""Texts that no fluency metric may take for prose, made from a seed; and sentences of languages other than English."""

import random
import string

GERMAN = [
    "Die Stadt hat beschlossen, den alten Bahnhof im nächsten Jahr zu renovieren.",
    "Meine Großmutter backt jeden Sonntag einen Kuchen für die ganze Familie.",
    "Der Fahrer konnte nicht mehr rechtzeitig bremsen.",
    "Wir suchen eine Wohnung mit drei Zimmern und einem Balkon.",
    "Am Abend saßen sie lange auf der Terrasse und redeten über früher.",
    "Niemand wusste, wohin der Hund gelaufen war.",
    "Das Gericht hat die Klage gegen den Verein abgewiesen.",
    "Im Winter fahren viele Leute zum Skifahren in die Berge.",
]
FRENCH = [
    "La ville a décidé de rénover l'ancienne gare l'année prochaine.",
    "Ma grand-mère prépare chaque dimanche un gâteau pour toute la famille.",
    "Le chauffeur n'a pas pu freiner à temps.",
    "Nous cherchons un appartement de trois pièces avec un balcon.",
    "Le soir, ils restaient longtemps sur la terrasse à parler du passé.",
    "Personne ne savait où le chien était parti.",
    "Le tribunal a rejeté la plainte déposée contre l'association.",
    "En hiver, beaucoup de gens vont skier à la montagne.",
]
JAPANESE = [
    "市は来年、古い駅を改修することを決めました。",
    "祖母は毎週日曜日に家族のためにケーキを焼きます。",
    "運転手は間に合うようにブレーキをかけられなかった。",
    "私たちはバルコニー付きの部屋を探しています。",
    "犬がどこへ行ったのか誰も知りませんでした。",
    "冬には多くの人が山へスキーに行きます。",
]

_SCRIPTS = {
    "greek": (0x3B1, 0x3C9),
    "cyrillic": (0x430, 0x44F),
    "armenian": (0x561, 0x586),
    "hebrew": (0x5D0, 0x5EA),
    "arabic": (0x627, 0x64A),
    "devanagari": (0x905, 0x939),
    "tamil": (0xB85, 0xBB9),
    "thai": (0xE01, 0xE2E),
    "georgian": (0x10D0, 0x10F0),
    "hiragana": (0x3041, 0x3096),
    "katakana": (0x30A1, 0x30FA),
    "cjk": (0x4E00, 0x9FA5),
    "hangul": (0xAC00, 0xD7A3),
    "symbols": (0x2600, 0x27BE),
    "bold": (0x1D400, 0x1D433),
    "emoji": (0x1F300, 0x1F64F),
}


def unknown_scripts(n, seed=0):
    """Return n strings of random signs of one script each, some cut into words, some with a final mark."""
    rng = random.Random(seed)
    texts = []
    for _ in range(n):
        first, last = _SCRIPTS[rng.choice(sorted(_SCRIPTS))]
        words = [
            "".join(chr(rng.randint(first, last)) for _ in range(rng.randint(1, 9))) for _ in range(rng.randint(1, 20))
        ]
        texts.append(rng.choice(["", " "]).join(words) + rng.choice(["", ".", "!", "?"]))
    return texts


def number_lists(n, seed=0):
    """Return n rows of numbers."""
    rng = random.Random(seed)
    return [
        rng.choice([" ", ", ", "-", "\t"]).join(
            str(rng.randint(0, 10 ** rng.randint(1, 6))) for _ in range(rng.randint(1, 30))
        )
        for _ in range(n)
    ]


def punctuation_rows(n, seed=0):
    """Return n rows of punctuation marks."""
    rng = random.Random(seed)
    return ["".join(rng.choice(string.punctuation + " ") for _ in range(rng.randint(1, 60))) for _ in range(n)]


def repeated_words(words, n, seed=0):
    """Return n texts of one word again and again."""
    rng = random.Random(seed)
    return [
        rng.choice([" ", ", "]).join([rng.choice(words)] * rng.randint(2, 40)) + rng.choice(["", ".", "!"])
        for _ in range(n)
    ]


def keyboard_mash(n, seed=0):
    """Return n texts typed by hitting the keys of the letter rows."""
    rng = random.Random(seed)
    rows = ["qwertyuiop", "asdfghjkl;", "zxcvbnm,.", "qwertyuiopasdfghjklzxcvbnm"]
    texts = []
    for _ in range(n):
        row = rng.choice(rows)
        texts.append(
            " ".join("".join(rng.choice(row) for _ in range(rng.randint(1, 9))) for _ in range(rng.randint(1, 15)))
        )
    return texts
