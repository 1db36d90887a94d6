"""Slips that several exercises know, each with where it has happened."""

from dataclasses import replace

import numpy as np

from mha_course.workbook.checking.exercise import slip


def unshifted_softmax(scores: np.ndarray) -> np.ndarray:
    """Return the softmax without subtracting anything: beyond 709 it breaks."""
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


UNSCALED = slip(
    "The scale is missing.",
    "A dot product adds d_k products, so it grows with d_k. Undivided, the scores are too far apart, and the softmax "
    "gives nearly everything to one key.",
    where="deepjavalibrary/d2l-java #186, huggingface/blog #2893, mlc-ai/mlc-llm #3426",
)
SCALED_BY_D_K = slip(
    "The scale is d_k, not its root: one scaling too many.",
    "The typical dot product has the size √d_k, so √d_k is what to divide by. Divided by √d_k twice, once in Q and "
    "once in the scores, it is d_k too.",
    where="huggingface/transformers #38290",
    asked="YutaroOgawa/pytorch_advanced #174",
)
HALF_D_K = slip(
    "The scale is d_k / 2.",
    "d_k ** 1 / 2 is (d_k ** 1) / 2, because ** binds tighter than /. Write d_k ** 0.5, or np.sqrt(d_k). With d_k = 4 "
    "both give 2, and nobody notices.",
    where="mkara44/transunet_pytorch #4",
)
TWICE_D_K = slip(
    "The scale is 2·d_k.",
    "x / d_k ** 1 / 2 has no brackets, so it is read from the left: divided by d_k, then by 2. Write x / np.sqrt(d_k).",
)
SCALED_BY_D_MODEL = slip(
    "The root is that of the wrong width: √d_model.",
    "The sum in a dot product runs over the d_k columns of one head's queries. d_model is the width before the "
    "projection, and larger: the shares come out too equal.",
    where="chelsea0x3b/dfdx #171, FareedKhan-dev/train-llm-from-scratch #3, "
    "jadore801120/attention-is-all-you-need-pytorch #42",
)
SCALED_BY_KEYS = slip(
    "The root is that of the number of keys.",
    "How many keys there are does not change how large a dot product is. Its width does: the last axis, shape[-1].",
)
SCALED_BY_QUERIES = slip(
    "The root is that of the number of queries.",
    "How many queries there are does not change how large a dot product is. Its width does: the last axis, shape[-1].",
)
SWAPPED = slip(
    "Queries and keys are swapped.",
    "Each row must belong to one query. Here each row belongs to a key. Where Q Kᵀ is symmetric, as in the article's "
    "example, this cannot be seen.",
)
NO_TRANSPOSE = slip(
    "The transpose is missing.",
    "Q @ K goes down the columns of K. A key is a row, so the keys must first stand as columns: K.T. Only if there are "
    "as many keys as columns does this run at all.",
)
OVER_QUERIES = slip(
    "The softmax runs over the queries.",
    "Each query shares out one whole, so each row must sum to 1. Here each column does: the queries compete for a key.",
    where="labmlai/annotated_deep_learning_paper_implementations #146, nerminnuraydogan/vision-transformer #1, "
    "PetrochukM/PyTorch-NLP #2",
)
OVER_EVERYTHING = slip(
    "The softmax runs over everything at once.",
    "All numbers together sum to 1, so the queries, and the heads if there are any, compete with each other. Each row "
    "must sum to 1 by itself: axis=-1.",
    asked="lucidrains/perceiver-pytorch #46, lucidrains/vit-pytorch #44",
)
AXIS_FROM_THE_FRONT = slip(
    "It counts its axes from the front.",
    "That is right for the number of axes you had in mind, and wrong for one axis more. Count from the end: -1 is the "
    "last axis, -2 the one before it, whatever stands in front.",
)
SOFTMAX_FROM_THE_FRONT = replace(
    AXIS_FROM_THE_FRONT,
    name="The softmax counts its axis from the front.",
    where="FudanNLP/fastNLP #254",
    asked="jadore801120/attention-is-all-you-need-pytorch #52",
)
NOT_NORMALISED = slip(
    "The division by the sum is missing.",
    "e to the power of a score is positive, but it is not yet a share. Shares sum to 1.",
)
MIXES_KEYS = slip(
    "It mixes the keys instead of the values.",
    "Keys are the labels by which tokens are found. What a token hands over is its value.",
)
NO_SOFTMAX = slip(
    "The softmax is missing.",
    "It mixes with the scores themselves. They can be negative, and they do not sum to 1: they are not shares.",
)
SOFTMAX_TWICE = slip(
    "The softmax is taken twice.",
    "The shares lie between 0 and 1, so e to their power lies between 1 and 2.72: taken again, all shares become "
    "nearly equal.",
)
SCALED_LATE = slip(
    "It divides after the softmax.",
    "Then the shares no longer sum to 1, and they were made from the large scores after all. Divide the scores.",
)
CONTEXT_FORGOTTEN = slip(
    "The context is not used.", "Keys and values come from the tokens that answer: the context. Here X answers itself."
)
RESHAPE_SPLIT = slip(
    "The heads are cut by reshape alone.",
    "reshape reads along the rows and fills up the new shape: pieces of different tokens land in one head. Cut each "
    "token's row first, then exchange the token axis and the head axis.",
    where="reczoo/FuxiCTR #30",
    asked="harvardnlp/annotated-transformer #17, harvardnlp/annotated-transformer #118, "
    "hyunwoongko/transformer #15, bentrevett/pytorch-seq2seq #148",
)
RESHAPE_MERGE = slip(
    "The heads are merged by reshape alone.",
    "reshape sets one token of head 1 beside the next token of head 1. Exchange the head axis and the token axis "
    "back first; then each token's pieces lie side by side.",
    where="ajhalthor/Transformer-Neural-Network #8, jadore801120/attention-is-all-you-need-pytorch #7",
)
WRONG_ORDER = slip(
    "The heads stand in the wrong order.",
    "Head 1 belongs in the first columns, since the first rows of W_O were trained for it.",
)
MASKED_AFTER = slip(
    "The mask comes after the softmax.",
    "The hidden keys had their shares when the whole was shared out. Taken away afterwards, the rest no longer sums to "
    "1. Hide the scores, then take the softmax.",
    where="huggingface/pytorch-image-models #2236",
)
MASK_MULTIPLIED = slip(
    "The mask is multiplied into the scores.",
    "A hidden score becomes 0. But e^0 = 1, so the key keeps a share, and among negative scores even the largest. Only "
    "-∞ gives e^-∞ = 0.",
    where="georg-wolflein/good-features #1",
)
MASK_WRONG_SIGN = slip(
    "The hidden scores become +∞ instead of -∞.",
    "e^+∞ takes everything, and ∞ - ∞ or ∞ / ∞ is nan. Two minus signs do that: -float('-inf').",
    where="lucidrains/memory-compressed-attention #2",
)
MASK_INVERTED = slip(
    "True means the opposite here.",
    "In this course True is: may attend. Here a query sees exactly what it must not see, and a model gets "
    "suspiciously good. Some frameworks do mean the opposite, like PyTorch's MultiheadAttention.",
    where="InseeFrLab/torchTextClassifiers #92",
    asked="tensorflow/text #894",
)
MASKS_QUERIES = slip(
    "It hides queries instead of keys.",
    "The mask lies along the wrong axis: the rows of padded queries are hidden, and everybody still sees the padded "
    "keys. Keys go across.",
    where="hyunwoongko/transformer #40",
)
MASK_UNUSED = slip("The mask is not used.", "All keys keep their shares, the hidden ones too.")
HIDDEN_NOT_LOW = slip(
    "What hides a score is not low enough.",
    "-100 or -10000 is small among small scores only. Where all visible scores are smaller, the hidden key takes the "
    "whole; and if its share is then multiplied by 0, nothing is left. -∞ is below every score.",
)
EMPTY_ROW_NAN = slip(
    "A row that may see nothing becomes nan.",
    "All its scores are -∞, and -∞ - (-∞) is nan. One nan is enough: the next layer spreads it to every token. "
    "Such a row takes nothing, so its weights are 0.",
    where="tracel-ai/burn #4697, pytorch/pytorch #131060, pytorch/pytorch #103963",
)
EMPTY_ROW_LOOKS = slip(
    "A row that may see nothing looks all the same.",
    "A large negative number is not -∞. If all scores of a row have it, it is a common shift, and the softmax takes it "
    "out: the hidden keys get shares. Such a row takes nothing, so its weights are 0.",
    where="ml-explore/mlx #2395",
)
NUMBERS_TO_ADD = slip(
    "It returns numbers to add to the scores.",
    "0 and -∞ are an additive mask, which other code wants. This mask only says yes or no: True or False.",
)
HEADS_ADDED = slip("The heads are added.", "A sum mixes what the heads found, and W_O can no longer tell them apart.")
HEADS_BEHIND = slip(
    "The heads still stand behind the tokens.",
    "The cut is right: (n, h, d_k). Now exchange the token axis and the head axis.",
)
COLUMNS_TAKE_TURNS = slip(
    "The heads' columns take turns.", "A head's columns lie next to each other: columns 1 to d_k are head 1."
)
FIRST_AXES_EXCHANGED = slip(
    "It exchanges axes 0 and 1, which is right without a batch only.",
    "With a batch, axis 0 counts sentences. Count from the end: swapaxes(-3, -2).",
)
EXPONENT_HALVED = slip(
    "The 2 is missing in the exponent.",
    "Pair i has the exponent 2i / d_model. With i / d_model the last wave is far too short.",
)
POSITIONS_UNUSED = slip(
    "The positions are not used.", "It counts them anew, 0, 1, 2, … The rows belong to the positions that were given."
)
RETURNS_WEIGHTS = slip(
    "It returns the weights.", "The weights say how much to take. The output is what is taken: weights @ V."
)
MATRICES_EXCHANGED = slip(
    "The matrices of queries and keys are exchanged.", "W_Q belongs to the tokens that ask, W_K to those that answer."
)
VALUES_FROM_X = slip(
    "The values come from the wrong sentence.",
    "Each value belongs to a key: both come from the tokens that answer, the context.",
)
ENTRY_BY_ENTRY = slip(
    "It multiplies entry by entry.", "* is not the matrix product. @ goes along a row, down a column, and adds."
)
NOTHING_SUBTRACTED = slip(
    "Nothing is subtracted.",
    "e to the power of 710 is more than a float can hold: it becomes inf, and inf / inf is nan. Subtract each "
    "row's largest score first.",
)
PLACE_SUBTRACTED = slip(
    "The place of the largest is subtracted, not the largest.",
    "argmax says where the largest stands, a small number. max says how large it is.",
)
WHOLE_TABLE_SUBTRACTED = slip(
    "The largest of the whole table is subtracted.",
    "A row far below it becomes all zeros, and 0 / 0 is nan. Each row needs its own largest: "
    "max(axis=-1, keepdims=True).",
)
