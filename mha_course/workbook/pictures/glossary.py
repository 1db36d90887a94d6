"""The words of a course, linked from a text to where they are explained."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mha_course.workbook.pictures import markup

NOT_CODE = r"(?<![\w.(\[])(?:{})s?(?![\w(\[=]|\.\w)"  # mask in a sentence, not in np.where(mask, …) or mask.shape


@dataclass(frozen=True)
class Glossary:
    """Words with their meanings, and the address at which all of them are listed."""

    meanings: Mapping[str, str]
    address: str

    def linked(self, paragraphs: Iterable[str]) -> Iterator[markup.Markup]:
        """Yield the paragraphs as HTML, in which the first mention of each word is a link that shows its meaning.

        >>> list(Glossary({"mask": "which key is seen"}, "words.html").linked(["Masks hide keys: mask.any()."]))
        ['<a href="words.html" title="which key is seen">Masks</a> hide keys: mask.any().']
        """
        left = {word.lower(): meaning for word, meaning in self.meanings.items()}
        longest_first = sorted(map(re.escape, left), key=len, reverse=True)
        mention = re.compile(NOT_CODE.format("|".join(longest_first)), re.IGNORECASE) if left else None
        for text in paragraphs:
            yield markup.escaped(text) if mention is None else markup.joined(self._parts(text, mention, left))

    def _parts(self, text: str, mention: re.Pattern[str], left: dict[str, str]) -> Iterator[str]:
        """Yield the text between the words, and their links. left: the words that were not mentioned yet."""
        begin = 0
        for found in mention.finditer(text):
            word = found[0].lower()
            meaning = left.pop(word, None) or left.pop(word.removesuffix("s"), None)
            if meaning:
                yield text[begin : found.start()]
                yield markup.link(found[0], self.address, title=meaning)
                begin = found.end()
        yield text[begin:]


NO_WORDS = Glossary({}, "")
