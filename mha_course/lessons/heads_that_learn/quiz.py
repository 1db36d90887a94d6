"""Five questions at the end of this lesson; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only
from mha_course.maths.masks import causal_mask
from mha_course.maths.small_model import SmallModel
from mha_course.training.training import Training


def _twins():
    """What became of two heads that start alike in everything, after some steps."""
    training = Training("repeat", seed=0, num_heads=2)
    parameters = dict(training.model.parameters)
    for name in (name for name in parameters if name.startswith("W_") and name != "W_out"):
        axis = 0 if name.startswith("W_O") else 1
        first, _ = np.split(parameters[name], 2, axis)
        parameters[name] = np.concatenate([first, first], axis)
    training.model = SmallModel(training.model.design, parameters)
    training.train(5)
    first, second = np.split(training.model.parameters["W_Q/1"], 2, axis=1)
    same, moved = np.allclose(first, second, atol=1e-9), not np.allclose(first, parameters["W_Q/1"][:, : len(first.T)])
    return only({"alike": same and moved, "still": same and not moved, "apart": not same})


def _how_many_keys():
    return str(int(causal_mask(16)[4].sum()))


QUESTIONS = (
    choice("heads_that_learn.who-reads", """
        Layer 1 has written into each row which letter stood before it. The query of layer 2 has its own letter. Which
        matrix of layer 2 has to read what layer 1 wrote, so that the query finds the right position?

        - W_Q
          The query looks for its own letter, which its row had from the start.
        - W_K
          The key must mean: before me stood this letter. The query looks for that.
        - W_V
          The value is the letter to be written. Its row had that from the start.
        - W_O
          W_O passes on what was found. Who looks at whom is decided before.
        """, right="W_K"),
    choice("heads_that_learn.what-tells", """
        A model was trained on words of 7 letters. Its loss is 0.00. What can tell whether it looks for the letter or
        only a fixed distance back?

        - 1,000 more steps of training  [longer]
          The loss is 0.00: there is almost nothing left to learn from.
        - 1,000 new sentences with other words of 7 letters  [more]
          There the fixed distance is right every time.
        - more digits of its loss  [zero]
          Both ways can come as near to 0 as you like.
        - sentences with words of other lengths  [other]
          There the two ways lead to different positions.
        """, right="other"),
    choice("heads_that_learn.twins", """
        Two heads of a layer start alike in W_Q, W_K and W_V, and in their rows of W_O. The model is trained. What
        becomes of the two?

        - Both change, and in the same way.  [alike]
          Equal heads have equal gradients, so each step changes them equally.
        - Training soon gives each of them its own work.  [apart]
          Nothing in the gradients tells one from the other, so they stay equal.
        - Neither changes at all.  [still]
          Their gradients are equal, but they are not 0.
        - Only the first one changes.  [one]
          The loss treats both alike: they have the same gradients.
        """, right=_twins),
    choice("heads_that_learn.carried", """
        From lesson 10: which product decides what a head carries from the position it looks at?

        - W_Q W_Kᵀ  [who]
          That decides who looks at whom.
        - W_Q W_Vᵀ  [asked]
          Queries and values are never multiplied with each other.
        - W_V W_O  [carried]
          W_V takes columns from a row, and W_O says where they go.
        - W_K W_V  [keys]
          Both make a row of the same token, one beside the other.
        """, right="carried", lesson="what_a_head_does"),
    choice("heads_that_learn.how-many-keys", """
        From lesson 7: a sentence of 16 letters has the causal mask. At how many keys may the fifth query look?

        - 5
          At the four before it, and at itself.
        - 4
          It may look at itself, too.
        - 11
          These come after it, and are hidden.
        - 16
          That is so without a mask.
        """, right=_how_many_keys, lesson="masks"),
)  # fmt: skip
