"""The words a lesson imports; each loads when it is first asked for."""

from importlib import import_module

from mha_course import _numpy  # noqa: F401  (before all that needs NumPy)
from mha_course._version import __version__
from mha_course.engine.progress.missing_names import explain_missing_names

_WHEN_ASKED = {  # name -> module, and what it is called there, if otherwise
    "article": "mha_course.forward.examples",
    "sentence": "mha_course.forward.examples",
    "steals": "mha_course.forward.examples",
    "translation": "mha_course.forward.examples",
    "two_heads": "mha_course.forward.examples",
    "attention": "mha_course.maths.attention",
    "attention_gradients": "mha_course.maths.attention",
    "dropout": "mha_course.maths.dropout",
    "merge_heads": "mha_course.maths.heads",
    "repeat_heads": "mha_course.maths.heads",
    "split_heads": "mha_course.maths.heads",
    "embed": "mha_course.maths.inputs",
    "positional_encoding": "mha_course.maths.inputs",
    "token_ids": "mha_course.maths.inputs",
    "tokenize": "mha_course.maths.inputs",
    "vocabulary": "mha_course.maths.inputs",
    "layer_norm": "mha_course.maths.norms",
    "causal_mask": "mha_course.maths.masks",
    "padding_mask": "mha_course.maths.masks",
    "MultiHeadAttention": "mha_course.maths.multi_head",
    "multi_head_attention": "mha_course.maths.multi_head",
    "project": "mha_course.maths.attention",
    "rms_norm": "mha_course.maths.norms",
    "rotate": "mha_course.maths.rotary",
    "scaled_scores": "mha_course.maths.attention",
    "softmax": "mha_course.maths.attention",
    "AttentionSublayer": "mha_course.maths.sublayer",
    "contributions": "mha_course.maths.attention",
    "weighted_sum": "mha_course.maths.attention",
    "ready": "mha_course.installation",
    "matrix": "mha_course.pictures.matrix",
    "mixes": "mha_course.pictures.mixes",
    "chain": "mha_course.pictures.chain",
    "whole_path": "mha_course.pictures.board",
    "curves": "mha_course.pictures.curves",
    "legend": "mha_course.pictures.palette",
    "Kind": "mha_course.forward.matrices",
    "preset": "mha_course.forward.presets",
    "steps": "mha_course.forward.forward:forward",
    "SKILLS": "mha_course.training.skills",
    "Train": "mha_course.widgets.train",
    "Training": "mha_course.training.training",
    "check": "mha_course.lessons.by_name",
    "mine": "mha_course.lessons.by_name",
    "who_looks": "mha_course.pictures.who_looks",
    "Workbench": "mha_course.widgets.workbench",
    "predict": "mha_course.lessons.by_name",
    "quiz": "mha_course.lessons.by_name",
    "arrange": "mha_course.lessons.by_name",
    "practise": "mha_course.lessons.by_name",
    "how_far": "mha_course.lessons.by_name",
    "words": "mha_course.lessons.words",
    "review": "mha_course.lessons.by_name",
    "hand_in": "mha_course.lessons.by_name",
    "real_model": "mha_course.language_model.model",
    "head_jobs": "mha_course.language_model.head_roles",
    "repeated_tokens": "mha_course.language_model.head_roles",
    "Speak": "mha_course.widgets.speak",
    "Gallery": "mha_course.widgets.gallery",
    "Desk": "mha_course.widgets.head_ablation:HeadAblation",
}

__all__ = ["__version__", *_WHEN_ASKED]

explain_missing_names()


def __getattr__(name):
    if name not in _WHEN_ASKED:
        raise AttributeError(f"module 'mha_course' has no attribute {name!r}")
    module, _, called = _WHEN_ASKED[name].partition(":")
    try:
        return getattr(import_module(module), called or name)
    except ModuleNotFoundError as error:
        from mha_course.installation import in_plain_words

        raise in_plain_words(error) from None


def __dir__():
    return sorted([*globals(), *_WHEN_ASKED])
