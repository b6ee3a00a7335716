"""A process that is forked, with a limit on its time."""

import os
import time


def exit_status_of_child(work, seconds=10):
    """Fork a process that does some work; None if it has not ended after so many seconds."""
    child = os.fork()
    if not child:
        os._exit(int(work()))
    for _ in range(seconds * 100):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return None
