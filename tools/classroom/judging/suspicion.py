"""Finds what a person should look at: code that reaches for the checks or for the answers of the course."""

import ast
import re
from collections.abc import Iterator

from . import limits
from .graded_course import PACKAGE, PACKAGES
from .reading import read, root

CLOSED = tuple(f"{each}.{part}" for each in PACKAGES for part in ("lessons", "mistakes", "engine"))
PAST_PYTHON = {"ctypes", "_ctypes", "ctypeslib", "cffi"}  # modules, or parts of one
THE_SYSTEMS = re.compile(r"(?<![\w.:/])/(?:etc|proc|sys|root|var|dev(?!/null))/[\w.-]*")  # files, in a text
DIGGING = {  # a way to what a function cannot see by its arguments -> what it is
    "_getframe": "looks at who called it", "currentframe": "looks at who called it", "f_back": "looks at who called it",
    "get_objects": "looks through the memory", "get_referrers": "looks through the memory",
    "__subclasses__": "looks through the memory", "settrace": "traces code", "setprofile": "traces code",
    "__code__": "looks into code", "__globals__": "looks into code",
}  # fmt: skip


def of(cells: list[dict], outputs: list[list[dict]]) -> list[tuple[int, str]]:
    """Return for each suspicious cell its number and a sentence. outputs: of each cell, when it ran."""
    names = set(PACKAGES)
    found = []
    for number, (cell, shown) in enumerate(zip(cells, outputs, strict=True)):
        sentences = [] if cell.get("exercise") else _sentences(cell["source"], names)
        sentences += ["It asks for the course's answers while it runs."] * _asks_for_answers(shown)
        found += [(number, sentence) for sentence in dict.fromkeys(sentences)]
    return found


def _sentences(source: str, names: set[str]) -> list[str]:
    if len(source) > limits.CHARACTERS:  # it did not run
        return []
    try:
        return list(in_code(source, names))
    except RecursionError:
        return ["It is nested too deeply to be read."]


def in_code(source: str, names: set[str] | None = None) -> Iterator[str]:
    """Yield a sentence for everything suspicious. names: those that stand for something of the course, so far.

    >>> list(in_code("import mha_course\\nmha_course.check = print"))
    ['It changes mha_course.check.']
    >>> list(in_code("from mha_course import softmax\\nweights = softmax([1, 2])"))
    []
    """
    names = set(PACKAGES) if names is None else names
    tree = read(ast.parse, source)
    if tree is None:
        yield from _named(source)
        return
    for node in ast.walk(tree):
        names |= _names_of_the_course(node)
    names -= {name for node in ast.walk(tree) for name in _made_anew(node)}
    for node in ast.walk(tree):
        yield from _seen(node, names)


def _seen(node: ast.AST, names: set[str]) -> Iterator[str]:
    match node:
        case ast.ImportFrom(module=str(module)) if _is_closed(module):
            yield f"It imports from {module}."
        case ast.ImportFrom(module=str(module), names=parts) if any(_is_closed(f"{module}.{p.name}") for p in parts):
            yield f"It imports from {module} a part that is not for lessons."
        case ast.Import() | ast.ImportFrom() if found := [each for each in _imported(node) if _is_forbidden(each)]:
            yield f"It imports {found[0]}."
        case ast.Constant(value=str(text)):
            yield from _named(text)
        case ast.Attribute(attr=attribute) if attribute in PAST_PYTHON:
            yield f"It uses {attribute}."
        case ast.Attribute(ctx=ast.Store() | ast.Del()) if root(node) in names:
            yield f"It changes {ast.unparse(node)}."
        case ast.Subscript(ctx=ast.Store() | ast.Del()) if _reaches_into(node.value, names):
            yield f"It changes {ast.unparse(node.value)}."
        case ast.Attribute(attr=attribute) if root(node) in PACKAGES and _is_closed(ast.unparse(node)):
            yield f"It uses {root(node)}.{attribute}."
        case ast.Attribute(attr=attribute) if attribute in DIGGING:
            yield f"It {DIGGING[attribute]}: {attribute}."
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[target, *_]) if root(target) in names:
            yield f"It changes {ast.unparse(target)}."


def _named(text: str) -> Iterator[str]:
    """Yield a sentence for what a text names."""
    if any(closed in text for closed in CLOSED):
        yield f"It names {PACKAGE}'s own answers or checks."
    if text in PAST_PYTHON:
        yield f"It names {text}."
    if found := THE_SYSTEMS.search(text):
        yield f"It names a file of the machine that grades: {found[0]}."


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Return what an import names, in full."""
    before = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    return [before + part.name for part in node.names]


def _is_forbidden(name: str) -> bool:
    return _is_closed(name) or not PAST_PYTHON.isdisjoint(name.split("."))


def _names_of_the_course(node: ast.AST) -> set[str]:
    """Return the names that an import gives to the course or to something of it."""
    match node:
        case ast.Import(names=parts):
            return {(p.asname or p.name).partition(".")[0] for p in parts if p.name.partition(".")[0] in PACKAGES}
        case ast.ImportFrom(module=str(module), names=parts) if module.partition(".")[0] in PACKAGES:
            return {part.asname or part.name for part in parts}
    return set()


def _made_anew(node: ast.AST) -> Iterator[str]:
    """Yield a name that the cell gives to something of its own."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) if name not in PACKAGES:
            yield name


def _reaches_into(node: ast.AST, names: set[str]) -> bool:
    """Whether it is a module's dictionary, or that of all modules."""
    text = ast.unparse(node)
    of_a_module = text.endswith(".__dict__") or text.startswith(("vars(", "globals("))
    return text == "sys.modules" or (of_a_module and any(name in text for name in names))


def _is_closed(module: str) -> bool:
    return any(module == closed or module.startswith(f"{closed}.") for closed in CLOSED)


def _asks_for_answers(outputs: list[dict]) -> bool:
    said = " ".join(str(each.get("evalue", "")) for each in outputs if isinstance(each, dict))
    said += " ".join(str(each["data"].get("text/plain", "")) for each in outputs if isinstance(each.get("data"), dict))
    return any(f"No module named '{closed}" in said for closed in CLOSED)
