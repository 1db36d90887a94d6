"""The words a lesson imports. Maths is here at once; the rest loads when first asked for."""

from importlib import import_module

from mha_course import _numpy  # noqa: F401  (before all that needs NumPy)
from mha_course._version import __version__
from mha_course.engine.progress.missing_names import explain_missing_names
from mha_course.forward.examples import article, sentence, steals, translation, two_heads
from mha_course.maths.attention import attention
from mha_course.maths.attention_gradients import attention_gradients
from mha_course.maths.dropout import dropout
from mha_course.maths.heads import merge_heads, repeat_heads, split_heads
from mha_course.maths.inputs import embed, positional_encoding, token_ids, tokenize, vocabulary
from mha_course.maths.layer_norm import layer_norm
from mha_course.maths.masks import causal_mask, padding_mask
from mha_course.maths.multi_head import MultiHeadAttention, multi_head_attention
from mha_course.maths.projections import project
from mha_course.maths.rms_norm import rms_norm
from mha_course.maths.rotary import rotate
from mha_course.maths.scores import scaled_scores
from mha_course.maths.softmax import softmax
from mha_course.maths.sublayer import AttentionSublayer
from mha_course.maths.weighted_sums import contributions, weighted_sum

_WHEN_ASKED = {  # name -> module, and what it is called there, if otherwise
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

__all__ = [
    "__version__",
    "AttentionSublayer", "MultiHeadAttention", "article", "attention", "attention_gradients", "causal_mask",
    "contributions", "dropout",
    "embed", "layer_norm", "merge_heads", "multi_head_attention", "padding_mask", "positional_encoding", "project",
    "repeat_heads", "rms_norm", "rotate", "scaled_scores", "sentence", "softmax", "split_heads", "steals",
    "token_ids", "tokenize", "translation", "two_heads", "vocabulary", "weighted_sum", *_WHEN_ASKED,
]  # fmt: skip

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
