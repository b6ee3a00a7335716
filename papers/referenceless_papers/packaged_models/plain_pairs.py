"""Pairs of a text in plain form and the same in another: in a list, a table, a dialogue, with a formula, a new name.

The form of a sentence does not change its fluency, so the scores of a pair should be about the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Record

#: Largest score difference that counts as none.
SAME = 0.3

_SENTENCES = (
    "The museum is closed on Mondays.",
    "We walked along the river until it got dark.",
    "Please send me the report by the end of the week.",
    "The train to the coast leaves every two hours.",
    "She has worked as a nurse for more than ten years.",
    "Most of the students passed the final exam.",
    "He forgot to lock the door when he left.",
    "The new library has a large garden behind it.",
    "I would like to book a table for four people.",
    "Heavy rain caused floods in several villages.",
)
#: Functions that write a sentence in another form.
_FORMS: dict[str, Callable[[str], str]] = {
    "list, dash": lambda text: f"- {text}",
    "list, number": lambda text: f"3. {text}",
    "list, letter": lambda text: f"b) {text}",
    "list, bullet": lambda text: f"\N{BULLET} {text}",
    "table, cell": lambda text: f"| {text} |",
    "dialogue, name": lambda text: f"Anna: {text}",
    "dialogue, letter": lambda text: f"A: {text}",
    "dialogue, bold name": lambda text: f"**Anna:** {text}",
    "dialogue, dash": lambda text: f"\N{EM DASH} {text}",
    "quotation": lambda text: f'"{text}"',
    "quotation, typographic": lambda text: f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}",
    "emphasis": lambda text: f"**{text}**",
    "quoted mail": lambda text: f"> {text}",
}
_PAIRS: dict[str, Sequence[tuple[str, str]]] = {
    "spelling": (
        ("The color of the walls is too dark.", "The colour of the walls is too dark."),
        ("The city center is closed to traffic.", "The city centre is closed to traffic."),
        ("We need to organize the meeting soon.", "We need to organise the meeting soon."),
        ("They traveled through the whole country.", "They travelled through the whole country."),
        ("The theater opens again in autumn.", "The theatre opens again in autumn."),
        ("He apologized for his behavior.", "He apologised for his behaviour."),
        ("The neighbors complained about the noise.", "The neighbours complained about the noise."),
        ("Her favorite dish is fish soup.", "Her favourite dish is fish soup."),
        ("The flight was canceled because of fog.", "The flight was cancelled because of fog."),
        ("I did not realize how late it was.", "I did not realise how late it was."),
        ("The catalog lists all of his works.", "The catalogue lists all of his works."),
        ("A gray cat slept on the roof.", "A grey cat slept on the roof."),
        ("They analyzed the data for weeks.", "They analysed the data for weeks."),
        ("The defense of the town was weak.", "The defence of the town was weak."),
        ("The labor market is recovering.", "The labour market is recovering."),
    ),
    "new name": (
        ("Anna lives with her parents in Boston.", "Zoraya lives with her parents in Boston."),
        ("Peter won the match in three sets.", "Alcaraz won the match in three sets."),
        ("I asked John to write the letter.", "I asked ChatGPT to write the letter."),
        ("The company sold its shares in Ford.", "The company sold its shares in Rivian."),
        ("We watched the film on Friday with Tom.", "We watched the film on Friday with Siobhan."),
        ("The minister met Smith in Geneva.", "The minister met Okonjo-Iweala in Geneva."),
        ("My brother moved to London last year.", "My brother moved to Ouagadougou last year."),
        ("The team from Spain played very well.", "The team from Curacao played very well."),
        ("David and Mary are getting married.", "Priyanka and Mary are getting married."),
        ("She plays the main role beside Brown.", "She plays the main role beside Chalamet."),
        ("The article about Paris is wrong.", "The article about Zaporizhzhia is wrong."),
        ("He bought a new phone from Apple.", "He bought a new phone from Xiaomi."),
        ("Martin taught himself to play the piano.", "Nkechi taught himself to play the piano."),
        ("They named the street after Lincoln.", "They named the street after Zelenskyy."),
        ("The doctor told Susan to rest.", "The doctor told Xiuying to rest."),
    ),
    "formula": (
        ("The value is positive for all numbers.", "The value of $x^2 + 1$ is positive for all numbers."),
        ("We assume that the number is even.", "We assume that $n$ is even."),
        ("The area of the circle is known.", "The area $A = \\pi r^2$ of the circle is known."),
        ("Let the function be continuous.", "Let $f$ be continuous."),
        ("The sum is smaller than ten.", "The sum is smaller than $2n$."),
        ("The line meets the circle at one point.", "The line $y = 2x$ meets the circle at one point."),
        ("The angle is larger than the other.", "The angle $\\alpha$ is larger than the other."),
        ("The limit does not exist.", "The limit $\\lim_{x \\to 0} 1/x$ does not exist."),
        ("This holds for every number.", "This holds for every $k > 0$."),
        ("The solution of the equation is unique.", "The solution of $ax + b = 0$ is unique."),
    ),
    "headline": (
        ("The city will ban cars from the old town.", "City Will Ban Cars From the Old Town"),
        ("A storm leaves thousands without power.", "Storm leaves thousands without power"),
        ("The minister resigns after the vote.", "Minister resigns after vote"),
        ("The police are looking for witnesses.", "Police looking for witnesses"),
        ("Scientists find water on the moon.", "Scientists Find Water on the Moon"),
        ("The bank raises interest rates again.", "Bank raises interest rates again"),
        ("The court rejects the appeal.", "Court rejects appeal"),
        ("The museum opens a new wing.", "Museum Opens New Wing"),
        ("Farmers protest against higher taxes.", "Farmers protest against higher taxes"),
        ("The club signs a young striker.", "Club signs young striker"),
    ),
    "question": (
        ("The museum is closed on Mondays.", "Is the museum closed on Mondays?"),
        ("She has worked as a nurse for ten years.", "Has she worked as a nurse for ten years?"),
        ("You can pay by card here.", "Can you pay by card here?"),
        ("The train leaves at noon.", "Does the train leave at noon?"),
        ("He will help us with the move.", "Will he help us with the move?"),
        ("They were late for the meeting.", "Were they late for the meeting?"),
        ("There is a bank near the station.", "Is there a bank near the station?"),
        ("You have seen this film before.", "Have you seen this film before?"),
        ("We should leave the windows open.", "Should we leave the windows open?"),
        ("It will rain tomorrow.", "Will it rain tomorrow?"),
    ),
    "quoted part": (
        ("He said that the plan was good.", 'He said that the plan was "good".'),
        ("The word comes from French.", 'The word "cheese" comes from French.'),
        ("She called the result a surprise.", 'She called the result "a surprise".'),
        ("The song was played at the wedding.", 'The song "Hello" was played at the wedding.'),
        ("They call this the golden rule.", 'They call this the "golden rule".'),
        ("The sign on the door said closed.", 'The sign on the door said "closed".'),
        ("My answer is yes.", 'My answer is "yes".'),
        ("His last film was a great success.", 'His last film, "The Garden", was a great success.'),
        ("The mayor spoke of a great day.", 'The mayor spoke of "a great day".'),
        ("Nobody knew what the term meant.", 'Nobody knew what "the term" meant.'),
    ),
}  # fmt: skip


def plain_pairs() -> list[tuple[str, str, str]]:
    """Return 200 triples of a kind, a text in plain form, and the same in another form.

    >>> len(plain_pairs())
    200
    """
    pairs = [(form, text, change(text)) for form, change in _FORMS.items() for text in _SENTENCES]
    return pairs + [(kind, plain, other) for kind, rows in _PAIRS.items() for plain, other in rows]


def shifts(score: Callable[[list[str]], Floats]) -> Record:
    """Return for each kind of pair the mean shift, the largest, and the number above `SAME` with the number of pairs.

    Args:
        score: returns the scores of texts, NaN for none.
    """
    pairs = plain_pairs()
    plain, other = (np.asarray(score([pair[side] for pair in pairs]), dtype=float) for side in (1, 2))
    report: Record = {}
    kinds = np.array([pair[0] for pair in pairs])
    for kind in dict.fromkeys(kinds.tolist()):
        shift = np.where(np.isnan(other - plain), np.inf, other - plain)[kinds == kind]
        largest = float(shift[np.abs(shift).argmax()])
        report[kind] = {
            "n": len(shift),
            "mean": round(float(shift.mean()), 3),
            "largest": round(largest, 3),
            "above": int((np.abs(shift) > SAME).sum()),
        }
    return report
