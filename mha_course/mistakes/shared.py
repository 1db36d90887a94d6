"""Mistakes that several exercises know, each with where it has happened."""

from dataclasses import replace

import numpy as np

from mha_course.engine.checking.exercise import mistake


def unshifted_softmax(scores: np.ndarray) -> np.ndarray:
    """Return the softmax without subtracting anything: beyond 709 it breaks."""
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


UNSCALED = mistake(
    "The scale is missing.",
    "A dot product adds up d_k products, so it grows with d_k. Without the division, the scores are too far apart, "
    "and the softmax gives nearly all the weight to one key.",
    where="deepjavalibrary/d2l-java #186, huggingface/blog #2893, mlc-ai/mlc-llm #3426",
)
SCALED_BY_D_K = mistake(
    "The scale is d_k, not its root.",
    "The typical dot product has the size √d_k, so divide by √d_k. Dividing by √d_k twice, once in Q and once in the "
    "scores, also divides by d_k.",
    where="huggingface/transformers #38290",
    asked="YutaroOgawa/pytorch_advanced #174",
)
HALF_D_K = mistake(
    "The scale is d_k / 2.",
    "d_k ** 1 / 2 gives this, because ** binds tighter than /. Write d_k ** 0.5, or np.sqrt(d_k). With d_k = 4 both "
    "give 2, and nobody notices.",
    where="mkara44/transunet_pytorch #4",
)
TWICE_D_K = mistake(
    "The scale is 2·d_k.",
    "x / d_k ** 1 / 2 gives this: it is divided by d_k, then by 2. Write x / np.sqrt(d_k).",
)
SCALED_BY_D_MODEL = mistake(
    "The scale is √d_model, not √d_k.",
    "A dot product adds up the d_k columns of one head. d_model is the width before the projection. With several heads "
    "it is larger, and the weights come out too equal.",
    where="chelsea0x3b/dfdx #171, FareedKhan-dev/train-llm-from-scratch #3, "
    "jadore801120/attention-is-all-you-need-pytorch #42",
)
SCALED_BY_KEYS = mistake(
    "The scale is the root of the number of keys.",
    "How many keys there are does not change how large a dot product is. Its width does: the last axis, shape[-1].",
)
SCALED_BY_QUERIES = mistake(
    "The scale is the root of the number of queries.",
    "How many queries there are does not change how large a dot product is. Its width does: the last axis, shape[-1].",
)
SWAPPED = mistake(
    "Queries and keys are swapped.",
    "Each row must belong to one query. Here each row belongs to a key. Where Q Kᵀ is symmetric, as in the article's "
    "example, this cannot be seen.",
)
NO_TRANSPOSE = mistake(
    "The transpose is missing.",
    "Q @ K goes down the columns of K. A key is a row, so the keys must first become columns: K.T. As it is, this "
    "runs only if there are as many keys as columns.",
)
OVER_QUERIES = mistake(
    "The softmax runs over the queries, not the keys.",
    "The weights of each query must sum to 1, so each row must. Here each column does: the queries compete for a key.",
    where="labmlai/annotated_deep_learning_paper_implementations #146, nerminnuraydogan/vision-transformer #1, "
    "PetrochukM/PyTorch-NLP #2",
)
OVER_EVERYTHING = mistake(
    "The softmax runs over everything at once.",
    "All numbers together sum to 1, so the queries, and the heads if there are any, compete with each other. Each row "
    "must sum to 1 by itself: axis=-1.",
    asked="lucidrains/perceiver-pytorch #46, lucidrains/vit-pytorch #44",
)
AXIS_FROM_THE_FRONT = mistake(
    "The axes are counted from the front.",
    "That is right for one number of axes, and wrong for one axis more. Count from the end: -1 is the last axis, -2 "
    "the one before it, whatever comes in front.",
)
SOFTMAX_FROM_THE_FRONT = replace(
    AXIS_FROM_THE_FRONT,
    name="The softmax counts its axis from the front.",
    where="FudanNLP/fastNLP #254",
    asked="jadore801120/attention-is-all-you-need-pytorch #52",
)
NOT_NORMALISED = mistake(
    "The division by the sum is missing.",
    "An exponential is positive, but it is not yet an attention weight. The weights of a row sum to 1.",
)
MIXES_KEYS = mistake(
    "It mixes the keys instead of the values.",
    "Keys are only compared with queries. The output is made of the values.",
)
NO_SOFTMAX = mistake(
    "The softmax is missing.",
    "The scores themselves mix the values here. They can be negative, and they do not sum to 1: they are not weights.",
)
SOFTMAX_TWICE = mistake(
    "The softmax is taken twice.",
    "The weights lie between 0 and 1, so their exponentials lie between 1 and 2.72: the second softmax makes all "
    "weights nearly equal.",
)
ALREADY_WEIGHTS = mistake("The softmax is already taken.", "These are weights. Scores come before the softmax.")
SCALED_LATE = mistake(
    "It divides by the scale after the softmax.",
    "Then the weights no longer sum to 1, and they were made from the large scores after all. Divide the scores.",
)
CONTEXT_FORGOTTEN = mistake(
    "The context is not used.", "Keys and values come from the context. Here they come from X."
)
RESHAPE_SPLIT = mistake(
    "The heads are cut by reshape alone.",
    "reshape reads row by row and fills up the new shape: pieces of different tokens end up in one head. Cut each "
    "token's row first, then swap the token axis and the head axis.",
    where="reczoo/FuxiCTR #30",
    asked="harvardnlp/annotated-transformer #17, harvardnlp/annotated-transformer #118, "
    "hyunwoongko/transformer #15, bentrevett/pytorch-seq2seq #148",
)
RESHAPE_MERGE = mistake(
    "The heads are merged by reshape alone.",
    "reshape puts one token of head 1 beside the next token of head 1. Swap the head axis and the token axis back "
    "first; then each token's pieces lie side by side.",
    where="ajhalthor/Transformer-Neural-Network #8, jadore801120/attention-is-all-you-need-pytorch #7",
)
WRONG_ORDER = mistake(
    "The heads are in the wrong order.",
    "Head 1 comes first: it has the first d_k columns, and the first rows of W_O.",
)
MASKED_AFTER = mistake(
    "The mask comes after the softmax.",
    "The hidden keys had a part in the sum of the softmax. Without them, the rest no longer sums to 1. Hide the "
    "scores, then take the softmax.",
    where="huggingface/pytorch-image-models #2236",
)
MASK_MULTIPLIED = mistake(
    "The hidden scores become 0, not -∞.",
    "But e^0 = 1, so a hidden key keeps some weight, and among negative scores even the most. Only -∞ gives e^-∞ = 0.",
    where="georg-wolflein/good-features #1",
)
MASK_WRONG_SIGN = mistake(
    "The hidden scores become +∞ instead of -∞.",
    "e^+∞ is infinite, and ∞ / ∞ is nan. Two minus signs do that: -float('-inf').",
    where="lucidrains/memory-compressed-attention #2",
)
MASK_INVERTED = mistake(
    "True and False are the wrong way round.",
    "In this course True means: may attend. Here True marks what is to be hidden. Some frameworks do mean that, like "
    "PyTorch's MultiheadAttention.",
    where="InseeFrLab/torchTextClassifiers #92",
    asked="tensorflow/text #894",
)
MASKS_QUERIES = mistake(
    "It hides queries instead of keys.",
    "The mask has its numbers down the query axis: it hides whole queries, and no key. Keys go across.",
    where="hyunwoongko/transformer #40",
)
MASK_UNUSED = mistake("The mask is not used.", "All keys keep their weights, the hidden ones too.")
HIDDEN_NOT_LOW = mistake(
    "The number in place of hidden scores is not low enough.",
    "-100 or -10000 is low among small scores only. Where all visible scores are lower, the hidden key gets all the "
    "weight; and if that is then set to 0, nothing is left. -∞ is below every score.",
)
EMPTY_ROW_NAN = mistake(
    "A row that may see nothing becomes nan.",
    "No key is visible, so its softmax is 0 / 0. One nan is enough: the next layer spreads it to every token. The "
    "weights of such a row are 0.",
    where="tracel-ai/burn #4697, pytorch/pytorch #131060, pytorch/pytorch #103963",
)
EMPTY_ROW_LOOKS = mistake(
    "A row that may see nothing still gets weights above 0.",
    "A large negative number is not -∞. If it is added to all scores of a row, or put in their place, the softmax "
    "does not notice: the hidden keys get weights. The weights of such a row are 0.",
    where="ml-explore/mlx #2395",
)
NUMBERS_TO_ADD = mistake(
    "It returns numbers to add to the scores.",
    "0 and -∞ are an additive mask, which other code uses. This mask only says yes or no: True or False.",
)
HEADS_ADDED = mistake("The heads are added, not put side by side.",
                      "A sum mixes the heads, and W_O can no longer tell them apart.")
HEADS_BEHIND = mistake(
    "The head axis comes after the token axis.",
    "(n, h, d_k) is the shape right after the cut. Then the token axis and the head axis change places.",
)
COLUMNS_TAKE_TURNS = mistake(
    "The columns go to the heads in turn.", "A head's columns are next to each other: columns 1 to d_k are head 1."
)
FIRST_AXES_EXCHANGED = mistake(
    "It swaps axes 0 and 1, which is right without a batch only.",
    "With a batch, axis 0 counts sentences. Count from the end: swapaxes(-3, -2).",
)
EXPONENT_HALVED = mistake(
    "The 2 is missing from the exponent.",
    "Pair i has the exponent 2i / d_model. With i / d_model the last wave is far too short.",
)
POSITIONS_UNUSED = mistake(
    "The positions are not used.", "They are counted anew, 0, 1, 2, … The rows belong to the given positions."
)
RETURNS_WEIGHTS = mistake(
    "It returns the weights.", "The weights say how much to take of each value. The output is weights @ V."
)
MATRICES_EXCHANGED = mistake(
    "W_Q and W_K are swapped.", "W_Q makes the queries, W_K the keys."
)
VALUES_FROM_X = mistake(
    "The values come from the wrong sentence.",
    "Each value belongs to a key: both come from the context.",
)
ENTRY_BY_ENTRY = mistake(
    "It multiplies entry by entry.", "* is not the matrix product. @ goes along a row, down a column, and adds."
)
NOTHING_SUBTRACTED = mistake(
    "The largest score is not subtracted.",
    "e to the power of 710 is more than a float can hold: it becomes inf, and inf / inf is nan. Subtract each row's "
    "largest score first.",
)
PLACE_SUBTRACTED = mistake(
    "The position of the largest is subtracted, not the largest.",
    "argmax says where the largest is, max how large it is.",
)
WHOLE_TABLE_SUBTRACTED = mistake(
    "The largest of the whole table is subtracted.",
    "A row far below it becomes all zeros, and 0 / 0 is nan. Each row needs its own largest: "
    "max(axis=-1, keepdims=True).",
)
