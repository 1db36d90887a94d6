"""The words of the course, each with its meaning, its lesson and its other names: the one list of them."""

from typing import NamedTuple

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.glossary import Glossary
from mha_course.engine.pictures.picture import Picture
from mha_course.lessons import LESSONS


class Word(NamedTuple):
    """One word. name: as the lesson's own table has it; others: what papers, libraries and textbooks say instead."""

    name: str
    meaning: str
    others: str = ""


WORDS = {  # a lesson -> the words that it explains
    "start_here": (
        Word("token", "a word, a part of a word or a punctuation mark, as the model sees it", "subword, word piece"),
        Word("self-attention", "the words of a sentence attend to the words of the same sentence", "intra-attention"),
        Word("parameters", "the numbers that a model learns in training", "weights, trainable weights"),
        Word("value", "the row of numbers that a word contributes to the mix", "content, memory"),
        Word("vector", "a row of numbers", "1-D array, 1-D tensor"),
        Word("head", "one complete attention computation with parameters of its own", "attention head"),
    ),
    "inputs": (
        Word("id", "the number of a token in the vocabulary", "token index, input id"),
        Word("embedding", "the vector that stands for a token", "word vector, token embedding"),
        Word("dimension", "the number of entries in a vector", "width, size, number of features"),
        Word("positional encoding", "the vector that stands for a position", "position embedding, if it is learned"),
        Word("d_model", "the dimension of a token's vector in the model", "hidden size, embedding size, n_embd"),
        Word("batch", "several sentences in one array, (sentences, tokens, d_model)", "mini-batch"),
        Word("broadcasting", "repeating an axis of size 1 until two shapes fit"),
    ),
    "queries_keys_values": (
        Word(
            "dot product",
            "the entries of two vectors, multiplied in pairs and added up",
            "inner product, scalar product",
        ),
        Word("query, key, value", "the three vectors made from a token's row"),
        Word(
            "linear projection",
            "a product XW with a matrix of parameters",
            "linear layer, dense layer without a bias",
        ),
        Word("d_k", "the dimension of queries and keys", "head dimension, head_dim"),
        Word("d_v", "the dimension of values", "head dimension, head_dim"),
        Word("context", "the sentence that keys and values come from", "source, memory, encoder states"),
    ),
    "scaled_scores": (
        Word("transpose", "the matrix with its rows written as columns"),
        Word("independent", "knowing one tells you nothing about the other"),
        Word("variance", "the mean of the squared distances from the mean", "squared standard deviation"),
        Word("score", "a dot product of query and key, usually divided by √d_k", "attention logit, energy, alignment"),
    ),
    "softmax": (
        Word("probability distribution", "numbers that are not negative and sum to 1", "categorical distribution"),
        Word(
            "attention weight",
            "the share of a query's attention that one token gets",
            "attention probability, attention score",
        ),
        Word("exponential", "e to the power of a number", "exp"),
        Word("logits", "the numbers that go into a softmax", "unnormalised log-probabilities"),
        Word("temperature", "a positive number that all scores are divided by before the softmax", "1/β"),
        Word("kernel", "a function that measures how similar two things are"),
        Word("overflow", "a float too large for its format, shown as inf"),
        Word("saturated", "one attention weight so close to 1 that all hardly move"),
    ),
    "weighted_sums": (
        Word("contribution", "what one key's token adds to one query's output"),
        Word("weighted sum", "the sum of all contributions", "weighted average, convex combination"),
        Word("scaled dot-product attention", "scores, softmax and weighted sum together", "SDPA, softmax attention"),
    ),
    "heads": (
        Word("concatenation", "the heads' outputs side by side", "concat"),
        Word("W_O", "the output matrix: it mixes the heads", "output projection, out_proj, c_proj"),
        Word("layer", "here: multi-head attention, with what belongs to it; a model can have many", "block"),
    ),
    "masks": (
        Word("mask", "here: a table of True and False, which query may attend to which key", "attn_mask"),
        Word("causal mask", "hides every key after the query's own position", "look-ahead mask, autoregressive mask"),
        Word("padding", "empty tokens that fill up a short sentence", "PAD"),
        Word("packed", "several texts, one after the other, as if they were one sentence", "sequence packing"),
    ),
    "cross_attention": (
        Word("cross-attention", "one sequence attends to another", "encoder–decoder attention"),
        Word("encoder", "the part that reads a sentence"),
        Word("decoder", "the part that writes a sentence, token by token"),
    ),
    "residual_and_norm": (
        Word(
            "residual connection", "the path on which the input goes around a layer, up to the sum", "skip connection"
        ),
        Word(
            "layer norm",
            "each row brought to mean 0 and variance 1, with a gain and a bias for each column",
            "LayerNorm",
        ),
        Word("eps", "a small number under the root, against 0 / 0", "epsilon"),
        Word(
            "gain, bias",
            "two trained numbers for each column: one multiplies the normalised entry, the other is added",
            "γ and β, weight and bias, scale and shift",
        ),
        Word("sublayer", "attention with its sum and its norm; lesson 11 adds a second kind", "block"),
        Word("post-norm, pre-norm", "the norm after the sum, or at a sublayer's start", "post-LN, pre-LN"),
        Word("dropout", "entries set to 0 at random in training"),
    ),
    "what_a_head_does": (
        Word("associative", "the order in which a product of three matrices is computed is free"),
        Word("rank", "the smallest number of rows from which all rows of a matrix can be made, by adding up multiples"),
        Word(
            "identity",
            "the square matrix with ones on its diagonal and zeros elsewhere; multiplying by it changes nothing",
        ),
        Word("inverse of A", "the matrix that gives I when multiplied by A"),
        Word("W_O^i", "the rows of W_O that belong to head i"),
        Word("residual stream", "the rows that all layers read from and add to", "hidden states"),
    ),
    "stacks": (
        Word("stack", "sublayers or layers, one after the other"),
        Word("loss", "one number that says how wrong a model is", "cost, objective"),
        Word("warm-up", "very small steps at the beginning of training", "learning-rate warmup"),
        Word(
            "feed-forward",
            "two matrices that work on each row by itself, with a step like max(0, x) between them",
            "FFN, MLP",
        ),
        Word("d_ff", "the width between the two matrices", "intermediate size"),
        Word(
            "encoder layer, decoder layer",
            "one round of sublayers: in 2017 two in an encoder, three in a decoder",
            "Transformer block",
        ),
        Word("memory", "the rows that the encoder gives at its end, to which the decoder attends", "encoder states"),
        Word("recurrent", "one token after the other, with a summary that is carried along", "RNN"),
    ),
    "find_the_bug": (
        Word("experiment", "a change of the inputs whose effect is known in advance", "metamorphic test"),
        Word("to fold", "to lay two axes into one, such as heads and sentences", "flatten"),
        Word("turn, block", "some of the queries, or keys, computed together", "tile, chunk"),
    ),
    "learning": (
        Word("derivative", "the change of a result, divided by a small change of one number", "partial derivative"),
        Word("gradient", "the derivatives for several numbers, together", "∇"),
        Word("learning rate", "the number by which the gradient is multiplied in a step", "step size, lr, η"),
        Word("gradient descent", "steps against the gradient", "GD; SGD if each step sees a part of the data"),
        Word("forward pass", "from the inputs to the result", "forward"),
        Word("backward pass", "from the loss back to all gradients", "backward"),
        Word("backpropagation", "the whole gradient in one backward pass", "backprop, reverse-mode differentiation"),
        Word("cross-entropy", "−log of the probability of the right answer", "negative log-likelihood"),
    ),
    "heads_that_learn": (
        Word("accuracy", "the proportion of the answers that are right"),
        Word(
            "induction head",
            "a head that finds an earlier occurrence of the query's token, and copies what came after it",
        ),
        Word("ablation", "switching a part off, to see what is lost", "knock-out"),
        Word("patching", "replacing what a part computed, to see what changes after it", "activation patching"),
        Word("Adam", "gradient descent with a running mean of each parameter's gradients, and of their squares"),
    ),
    "real_model": (
        Word("rotary positions", "queries and keys are turned by angles that grow with the position", "RoPE"),
        Word("RMS norm", "each row is divided by the root of the mean of its squares", "RMSNorm"),
        Word("grouped heads", "several query heads share one head of keys and values", "GQA, grouped-query attention"),
        Word(
            "attention sink", "a token, mostly the first, to which many heads give most of their weight, whatever it is"
        ),
        Word("SwiGLU", "a feed-forward layer in which a smooth ReLU of one wide row gates another", "gated MLP"),
        Word("control", "the same test with other parts, chosen at random", "baseline"),
        Word("greedy", "always the token with the largest logit", "argmax decoding"),
        Word("cache", "the keys and values of all tokens so far, kept", "KV cache"),
    ),
    "five_treatments": (
        Word("shared projection", "one matrix that all heads use"),
        Word("initialisation", "setting the parameters before training", "init"),
        Word(
            "float32, float64", "numbers of 4 and of 8 bytes, with about 7 and 16 digits", "single and double precision"
        ),
    ),
}
COLUMNS = ("word", "meaning", "lesson", "also called")
ALL_WORDS = f"{LESSONS['start_here'].notebook}#cell-id=words-text"  # where a notebook calls words()


def glossary_of(lesson: str) -> Glossary:
    """Return the words that a lesson and those before it explain; without lesson 0's, which every sentence has.

    >>> glossary_of("masks").meanings["causal mask"]
    "hides every key after the query's own position"
    """
    met = list(WORDS)[1 : list(LESSONS).index(lesson) + 1]
    return Glossary({word.name: word.meaning for each in met for word in WORDS[each]}, ALL_WORDS)


def words() -> Picture:
    """List the words of the course: what each means, where it is explained, and its other names.

    >>> print(words().text.splitlines()[5])
    vector (lesson 0): a row of numbers. Also called: 1-D array, 1-D tensor.
    """
    listed = [(word, LESSONS[lesson]) for lesson, explained in WORDS.items() for word in explained]
    head = markup.row(map(markup.column_header, COLUMNS))
    rows = (_row(word, lesson.heading, lesson.notebook) for word, lesson in listed)
    text = [_said(word, lesson.heading.partition(" ")[0]) for word, lesson in listed]
    return Picture(markup.table("The words of the course", rows, head), "\n".join(["The words of the course:", *text]))


def _row(word: Word, heading: str, notebook: str) -> markup.Markup:
    link = markup.link(heading.partition(" ")[0], notebook)
    contents = [word.meaning, link, word.others or "–"]
    return markup.row([markup.row_header(word.name), *(markup.cell(each, style=markup.LEFT) for each in contents)])


def _said(word: Word, number: str) -> str:
    others = f" Also called: {word.others}." if word.others else ""
    return f"{word.name} (lesson {number}): {word.meaning}.{others}"
