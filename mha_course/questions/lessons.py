"""The lessons by the word that the names of their questions and exercises begin with."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Lesson:
    """A lesson's number, its title, and the file of its notebook.

    >>> LESSONS["scores"].heading
    '3 · Scaled scores'
    """

    number: int
    title: str
    notebook: str

    @property
    def heading(self):
        """The first line of the notebook."""
        return f"{self.number} · {self.title}"


LESSONS = {
    "start": Lesson(0, "Start here", "00_start_here.ipynb"),
    "inputs": Lesson(1, "Inputs", "01_inputs.ipynb"),
    "projections": Lesson(2, "Queries, keys, values", "02_queries_keys_values.ipynb"),
    "scores": Lesson(3, "Scaled scores", "03_scaled_scores.ipynb"),
    "softmax": Lesson(4, "Softmax", "04_softmax.ipynb"),
    "mixing": Lesson(5, "Weighted sums", "05_weighted_sums.ipynb"),
    "heads": Lesson(6, "Heads", "06_heads.ipynb"),
    "masks": Lesson(7, "Masks and cross-attention", "07_masks.ipynb"),
    "sublayer": Lesson(8, "The sublayer", "08_sublayer.ipynb"),
    "reading": Lesson(9, "Reading other people's code", "09_reading_code.ipynb"),
}


def lesson_of(name):
    """Return the lesson's word that a name begins with.

    >>> lesson_of("scores.largest-key")
    'scores'
    """
    return name.partition(".")[0]
