"""Studies whose raters have answered, and their server asked by others than its pages."""

import http.client
import json

from text_files import write_table


def answer(design, folder, rating):
    """Write the ratings of a study in a folder: of each rater, screen, output and named criterion `rating`'s answer."""
    for rater, screens in design.raters.items():
        rows = []
        for number, screen in enumerate(screens, 1):
            for output, criterion in design.asked_on(screen):
                named = (criterion,) if criterion else ()
                rows.append((design.study, rater, number, output, criterion, rating(rater, screen, output, *named)))
        columns = ("study", "rater", "screen", "output", "criterion", "rating")
        write_table(folder / "ratings" / f"{rater}.csv", columns, rows)


def ask(port, method, path, content=None, **headers):
    """Return the status and the text with which the server of a study answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    body = None if content is None else json.dumps(content)
    connection.request(method, path, body, {"Content-Type": "application/json"} | headers)
    reply = connection.getresponse()
    return reply.status, reply.read().decode()
