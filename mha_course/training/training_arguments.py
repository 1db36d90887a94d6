"""Reads what a run of training is asked for, or says in plain words what is wrong with it."""

from collections.abc import Collection

import numpy as np

from mha_course.maths.small_model import Design, SmallModel
from mha_course.maths.which_head import Head, all_heads


def read_bool(name: str, value: object) -> bool:
    """Return True or False.

    Errors: `TypeError` for anything else.

    >>> read_bool("norm", "no")
    Traceback (most recent call last):
    TypeError: norm is 'no', but must be True or False.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is {value!r}, but must be True or False.")
    return bool(value)


def read_off(off: Collection[Head], design: Design) -> set[Head]:
    """Return the heads that are to be off.

    Errors: `TypeError` for what is no list of pairs, `ValueError` for a head that the design has not.

    >>> read_off([(2, 1)], Design(vocabulary=12))
    {(2, 1)}
    >>> read_off([(3, 1)], Design(vocabulary=12))
    Traceback (most recent call last):
    ValueError: off has (3, 1), but the layers are 1 to 2, each with heads 1 to 1.
    """
    if not isinstance(off, (list, tuple, set, frozenset)) or not all(isinstance(head, tuple) for head in off):
        raise TypeError(f"off is {off!r}, but must be a list of heads, each a pair (layer, head).")
    for head in off:
        if head not in all_heads(design.num_layers, design.num_heads):
            raise ValueError(
                f"off has {head}, but the layers are 1 to {design.num_layers}, each with heads 1 to {design.num_heads}."
            )
    return set(off)


def read_model(model: SmallModel, design: Design) -> SmallModel:
    """Return a model of this design.

    Errors: `ValueError` for another design, or a parameter of another shape.

    >>> design = Design(vocabulary=12)
    >>> read_model(SmallModel(design, {}), design)
    Traceback (most recent call last):
    ValueError: model has embeddings of shape None, but needs (12, 48).
    """
    if model.design != design:
        raise ValueError(f"model has {model.design}, but must have {design}.")
    shapes, given = design.shapes(), {name: np.shape(values) for name, values in model.parameters.items()}
    for name in shapes | given:
        if given.get(name) != shapes.get(name):
            raise ValueError(f"model has {name} of shape {given.get(name)}, but needs {shapes.get(name)}.")
    return model
