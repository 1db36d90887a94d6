"""Several answers at once: the sentences of a list that are true."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

from mha_course.workbook.asking.task import Judgement, Said
from mha_course.workbook.pictures.markup import Markup
from mha_course.workbook.pictures.picture import Picture
from mha_course.workbook.pictures.practice import CHOSEN, sentence_fields


@dataclass(frozen=True)
class Sentence:
    """A sentence about what is shown, whether it is true, which is computed, and the reason."""

    text: str
    is_true: bool
    reason: str


@dataclass(frozen=True)
class Several:
    """The true sentences among several. sentences: key -> `Sentence`.

    >>> Several({"3": Sentence("3 is even.", False, "1 is left.")}).judged(["3"]).told
    '1 of 1 is judged wrongly. “3 is even.” is not true: 1 is left. Look again.'
    """

    sentences: dict[str, Sentence]

    def drawn(self) -> Markup:
        """Draw the fields for an answer."""
        return sentence_fields({key: each.text for key, each in self.sentences.items()})

    def pictures(self) -> list[Picture]:
        """Return what is drawn in place of the fields where nothing can be filled in."""
        return []

    def texts(self) -> list[str]:
        """Return the texts of what can be answered, where these are given."""
        return [each.text for each in self.sentences.values()]

    def read(self, fields: Mapping[str, object]) -> Said:
        """Return the answer that the fields of a form give. Errors: `ValueError` in plain words."""
        if chosen := [key for key in self.sentences if fields.get(key) == CHOSEN]:
            return chosen
        raise ValueError("Nothing is chosen yet: choose every sentence that is true.")

    def can_be(self, answer: object) -> TypeGuard[Said]:
        """Whether this can be an answer; one that was saved by another version may not."""
        return isinstance(answer, list) and bool(answer) and {*map(str, answer)} <= {*self.sentences}

    def fields(self, answer: Said) -> dict[str, str]:
        """Return what the fields of a form show for an answer."""
        return dict.fromkeys(answer, CHOSEN)

    def truth(self) -> Said:
        """Return the keys of the sentences that are true."""
        return [key for key, each in self.sentences.items() if each.is_true]

    def judged(self, answer: Said) -> Judgement:
        """Say whether an answer is right, and else the reason of one sentence that is judged wrongly."""
        missed = [each for key, each in self.sentences.items() if each.is_true != (key in answer)]
        if not missed:
            return Judgement(
                True, reasons=tuple((each.text.removesuffix("."), each.reason) for each in self.sentences.values())
            )
        verb, one = "is" if len(missed) == 1 else "are", missed[0]
        said = f"{len(missed)} of {len(self.sentences)} {verb} judged wrongly."
        return Judgement(
            False, f"{said} “{one.text}” is {'true' if one.is_true else 'not true'}: {one.reason} Look again."
        )
