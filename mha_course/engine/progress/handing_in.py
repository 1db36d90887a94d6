"""A copy of the learner's progress to hand in: what was done, without what they wrote to themselves."""

from mha_course.engine.identity import STARTED_IN
from mha_course.engine.progress.progress import Progress
from mha_course.engine.progress.progress_lines import to_line


def hand_in(progress: Progress, to: str) -> None:
    """Write a copy of a learner's progress that holds every event and no note, and say what is in it.

    What could not be saved until now is in it, too: who asks how far they are sees it counted.
    Errors: `OSError` that says what hinders the writing.

    >>> from mha_course.engine.identity import Identity
    >>> progress = Progress(Identity("Signals", "signals"))
    >>> progress.record("right", "heads.split")
    >>> hand_in(progress, "/dev/null")
    /dev/null holds 1 line: what you tried or answered, when, and with what result.
    No code is in it, and nothing that you wrote to yourself. Look at it before you hand it in.
    """
    events = progress.events()
    path = STARTED_IN / to
    try:
        path.write_bytes(b"".join(map(to_line, events)))
    except OSError as error:
        raise OSError(f"{path} could not be written: {error.strerror}. Name another file: hand_in(…).") from None
    notices = [*progress.notices(), progress.why_unsaved]
    notices += [] if events else [f"Nothing that you did is kept in {progress.identity.progress_file}."]
    print(*dict.fromkeys(filter(None, notices)), sep="\n", end="\n" * any(notices))
    lines = "1 line" if len(events) == 1 else f"{len(events)} lines"
    print(f"{to} holds {lines}: what you tried or answered, when, and with what result.")
    print("No code is in it, and nothing that you wrote to yourself. Look at it before you hand it in.")
