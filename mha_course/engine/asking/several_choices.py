"""Several answers at once: the sentences of a list that are true."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

from mha_course.engine.asking.kind import Computed, Judgement
from mha_course.engine.asking.kinds import Option
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.practice import CHOSEN, sentence_fields


@dataclass(frozen=True)
class Several(Computed[list[str]]):
    """The true sentences among several. right: the keys of the true ones, in their order. options: key -> `Option`.

    >>> even = Several(["2"], {"2": Option("2 is even.", "1 + 1."), "3": Option("3 is even.", "1 is left.")})
    >>> even.judged(["2", "3"]).told
    '1 of 2 is judged wrongly. “3 is even.” is not true: 1 is left. Look again.'
    """

    options: Mapping[str, Option]

    def render(self) -> Markup:
        """Draw the fields for an answer."""
        return sentence_fields({key: each.text for key, each in self.options.items()})

    def texts(self) -> list[str]:
        """Return the texts of what can be answered, where these are given."""
        return [each.text for each in self.options.values()]

    def read(self, fields: Mapping[str, object]) -> list[str]:
        """Return the answer that the fields of a form give. Errors: `ValueError` in plain words."""
        if chosen := [key for key in self.options if fields.get(key) == CHOSEN]:
            return chosen
        raise ValueError("Nothing is chosen yet: choose every sentence that is true.")

    def can_be(self, answer: object) -> TypeGuard[list[str]]:
        """Whether this can be an answer; one that was saved by another version may not."""
        return isinstance(answer, list) and bool(answer) and {*map(str, answer)} <= {*self.options}

    def fields(self, answer: list[str]) -> dict[str, str]:
        """Return what the fields of a form show for an answer."""
        return dict.fromkeys(answer, CHOSEN)

    def written(self, answer: list[str]) -> str:
        """Write an answer out."""
        return " ".join(self.options[key].text for key in answer)

    def judged(self, answer: list[str]) -> Judgement:
        """Say whether an answer is right, and else the reason of one sentence that is judged wrongly."""
        true = self.truth()
        missed = [key for key in self.options if (key in true) != (key in answer)]
        if not missed:
            return Judgement(
                True, reasons=tuple((each.text.removesuffix("."), each.reason) for each in self.options.values())
            )
        verb, one = "is" if len(missed) == 1 else "are", self.options[missed[0]]
        said = f"{len(missed)} of {len(self.options)} {verb} judged wrongly."
        is_true = "true" if missed[0] in true else "not true"
        return Judgement(False, f"{said} “{one.text}” is {is_true}: {one.reason} Look again.")
