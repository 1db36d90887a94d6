"""Questions as a lesson writes them down, in a text that reads like a page.

    How much is 2 · 3?

    - 5
      That is 2 + 3.
    - six, which is even  [6]
      2 · 3 is 3 + 3.

The question stands first. After an empty line come the options, each in one line. The reason why it is right or wrong
stands below it, two spaces further in. What stands in brackets at an option's end, after two spaces, is its key, which
progress files hold; where none stands, the option's text is its key. Lines of one paragraph are joined with a space.

Whoever formats code by a tool sets `# fmt: skip` behind a tuple of such records, to keep a text at its name.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from textwrap import dedent
from typing import Any

from mha_course.engine.asking.kind import QuestionKind, Said
from mha_course.engine.asking.kinds import Choice, Number, Option, Order
from mha_course.engine.asking.question import Part, Question, Task
from mha_course.engine.asking.several_choices import Several
from mha_course.engine.pictures.picture import Picture

OPTION = re.compile(r"- (\S.*?)(?:  \[([^\[\]]+)\])?")
REASON = re.compile(r"  ((?!- )\S.*)")
Told = Callable[[], str]


def choice(
    name: str, text: str, right: str | Callable[[], str], numbers: Told | None = None, lesson: str = ""
) -> Question[str]:
    """Write down a question with options, each of which has its reason.

    right: the key of the right option, or what computes it. numbers, lesson: as `Question` has them.
    Errors: `ValueError` for a text that is not in order, with the name of the question and the line.

    >>> choice("sums.product", __doc__.partition("page.")[2].partition("The question")[0], right="6").kind.texts()
    ['5', 'six, which is even']
    """
    asked, options = _with_reasons(name, text)
    if not callable(right) and right not in options:
        raise ValueError(f"{name}: right is {right!r}, but the keys are {', '.join(options)}.")
    return Question(name, asked, Choice(right, options), numbers, lesson)


def order(name: str, text: str, right: Callable[[], list[str]], numbers: Told | None = None) -> Question[list[str]]:
    """Write down a question with items to put in order, which have no reasons. right: computes their keys in it.

    Errors: `ValueError` for a text that is not in order, with the name of the question and the line.
    """
    asked, items = read(name, text)
    if explained := next((item for item in items.values() if item.reason), None):
        raise _refused(name, explained.reason, "an item to put in order has no reason.")
    return Question(name, asked, Order(right, {key: item.text for key, item in items.items()}), numbers)


def number(
    name: str, text: str, right: float | Callable[[], float], numbers: Told | None = None, tolerance: float = 0.0
) -> Question[float]:
    """Write down a question for a number. right: the number, or what computes it. tolerance: how far off is right.

    Errors: `ValueError` for a text with options, with the name of the question.
    """
    return Question(name, _without_options(name, text), Number(right, tolerance), numbers)


def several(text: str, truths: Mapping[str, bool], *tables: Picture) -> Part[list[str]]:
    """Write down a part of a task: of the sentences in the text, all that are true are to be chosen.

    truths: whether each is true, by its key. tables: what stands above them.
    Errors: `ValueError` for a text that is not in order, with the line.
    """
    asked, options = _with_reasons("several", text)
    if truths.keys() != options.keys():
        raise ValueError(f"{asked} truths are of {', '.join(truths)}, but the keys are {', '.join(options)}.")
    return Part("", asked, Several([key for key in options if truths[key]], options), tables=tables)


def part(text: str, kind: QuestionKind[Said], *tables: Picture) -> Part[Said]:
    """Write down a part of a task that asks for any kind of answer. tables: what stands above the fields."""
    return Part("", _without_options("part", text), kind, tables=tables)


def task(name: str, title: str, *parts: Part[Any], notice: str) -> Task:
    """Write down a task, whose parts get its name and a number. notice: what to notice at its end."""
    named = (replace(each, name=f"{name}.{place}") for place, each in enumerate(parts, 1))
    return Task(name, title, tuple(named), notice)


def read(name: str, text: str) -> tuple[str, dict[str, Option]]:
    """Return what a text asks, and its options by their keys. Errors: `ValueError` with the name and the line."""
    lines = [line.rstrip() for line in dedent(text).strip().splitlines()]
    end = lines.index("") if "" in lines else len(lines)
    for line in lines[:end]:
        if line.startswith((" ", "- ")):
            raise _refused(name, line, "the question begins at the margin, and an empty line follows it.")
    if not lines:
        raise ValueError(f"{name}: the text is empty.")
    options: dict[str, Option] = {}
    for line in lines[end + 1 :]:
        if found := OPTION.fullmatch(line):
            key = found[2] or found[1]
            if key == found[1] and key.endswith("]"):
                raise _refused(name, line, "a key in brackets needs two spaces before it.")
            if key in options or found[1] in [option.text for option in options.values()]:
                raise _refused(name, line, "another option has the same text or key.")
            options[key] = Option(found[1])
        elif options and (found := REASON.fullmatch(line)):
            key, option = options.popitem()
            options[key] = Option(option.text, f"{option.reason} {found[1]}".strip())
        else:
            raise _refused(name, line, 'an option begins with "- ", and its reason, below it, with two spaces.')
    return " ".join(lines[:end]), options


def _with_reasons(name: str, text: str) -> tuple[str, dict[str, Option]]:
    asked, options = read(name, text)
    if len(options) < 2:
        raise ValueError(f"{name}: there are {len(options)} options, but at least 2 are needed.")
    if bare := next((option for option in options.values() if not option.reason), None):
        raise _refused(name, bare.text, "this option has no reason below it.")
    return asked, options


def _without_options(name: str, text: str) -> str:
    asked, options = read(name, text)
    if options:
        raise ValueError(f"{name}: there are options, but this question has none.")
    return asked


def _refused(name: str, line: str, why: str) -> ValueError:
    return ValueError(f"{name}, at {line.strip()!r}: {why}")
