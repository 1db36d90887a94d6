"""Five questions at the end of lesson 1."""

from mha_course.asking.kinds import Choice, Option
from mha_course.asking.question import Question

QUESTIONS = {
    "inputs.same-word-twice": Question(
        about="inputs",
        text="*The* stands at position 0 and again at position 4 of a sentence. What about its two rows of X?",
        kind=Choice(
            {
                "equal": Option(
                    "they are equal: same token, same row", "Their embeddings are. Then the positions are added."
                ),
                "difference": Option(
                    "they differ, as the rows of positions 0 and 4 do",
                    "The embedding is the same both times, so only the positions differ.",
                ),
                "nothing": Option("they have nothing in common", "Both contain the same embedding."),
                "one": Option(
                    "there is one row, for both", "X has a row for each token of the sentence, not for each word."
                ),
            }
        ),
        right="difference",
    ),
    "inputs.without-positions": Question(
        about="inputs",
        text="You forget to add the positional encoding. What happens to *dog bites man* and *man bites dog*?",
        kind=Choice(
            {
                "error": Option(
                    "an error: X has the wrong shape", "The shape is the same with and without. No error comes."
                ),
                "words": Option(
                    "all words get the same output", "Their embeddings still differ. Only the order is lost."
                ),
                "zero": Option("all outputs become 0", "The embeddings are still there, and their mix is not 0."),
                "same": Option(
                    "*dog* gets the same output in both", "Each word meets the same two others, so its mix is the same."
                ),
            }
        ),
        right="same",
    ),
    "inputs.one-wave": Question(
        about="inputs",
        text="Somebody encodes positions by one sine wave alone, of wavelength 6. What goes wrong?",
        kind=Choice(
            {
                "repeats": Option(
                    "position 6 looks like position 0",
                    "One wave comes back. Several, with lengths chosen well, do not come back together within a text.",
                ),
                "grows": Option(
                    "the numbers grow with the text", "A sine never leaves −1 to 1. Counting 0, 1, 2, … would grow."
                ),
                "negative": Option(
                    "some entries become negative", "That harms nothing: rows of X may hold any numbers."
                ),
                "first": Option(
                    "position 0 gets 0 and is lost", "0 is a number like any other, and the embedding stays."
                ),
            }
        ),
        right="repeats",
    ),
    "inputs.ids-as-numbers": Question(
        about="inputs",
        text="Why not feed the ids themselves, one number for each token?",
        kind=Choice(
            {
                "integers": Option(
                    "ids are whole numbers, and attention needs fractions",
                    "The article's inputs are whole numbers, and all works.",
                ),
                "twice": Option("two tokens could get the same id", "Each different token has an id of its own."),
                "order": Option(
                    "it would say that id 4 is twice id 2",
                    "An id is a name. Calculating with it would treat chance as meaning.",
                ),
                "position": Option(
                    "an id says where the token stands", "It does not: the same token has the same id everywhere."
                ),
            }
        ),
        right="order",
    ),
    "inputs.the-mix": Question(
        about="start_here",
        text="From lesson 0: what is the new description of *disrupt* made of?",
        kind=Choice(
            {
                "largest": Option(
                    "of the word with the largest share alone",
                    "The others count too, each by its share. Nothing is picked.",
                ),
                "all": Option(
                    "of all words, each in its share", "The shares are its row of weights, and they sum to 1."
                ),
                "equal": Option("of all words in equal parts", "That is the special case where all scores are equal."),
                "itself": Option(
                    "of its own row, times its largest share",
                    "Its own row is one part of the mix, and often not the largest.",
                ),
            }
        ),
        right="all",
    ),
}
