"""The words of a course, linked from a text to where they are explained."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mha_course.engine.pictures import markup

# mask in a sentence, not in np.where(mask, …), mask.shape or (scores 2 × 3, mask 2 × 3)
MENTION = r"(?<![\w.(\[])(?:{})s?(?![\w(\[]|\.\w| ?=| \d+ ×)"


@dataclass(frozen=True)
class Glossary:
    """Words with their meanings, and the address at which all of them are listed."""

    meanings: Mapping[str, str]
    address: str

    def linked(self, paragraphs: Iterable[str]) -> Iterator[markup.Markup]:
        """Write the paragraphs as HTML, in which the first mention of each word is a link that shows its meaning.

        What follows two spaces is somebody's code, which stays as it is.

        >>> list(Glossary({"mask": "which key is seen"}, "words.html").linked(["Masks hide keys: mask.any()."]))
        ['<a href="words.html" title="which key is seen">Masks</a> hide keys: mask.any().']
        """
        left = {markup.escaped(word).lower(): meaning for word, meaning in self.meanings.items()}
        longest_first = sorted(map(re.escape, left), key=len, reverse=True)

        def link(found: re.Match[str]) -> str:
            word = found[0].lower()
            meaning = left.pop(word, None) or left.pop(word.removesuffix("s"), None)
            return markup.link(markup.Markup(found[0]), self.address, title=meaning) if meaning else found[0]

        mention = re.compile(MENTION.format("|".join(longest_first)), re.IGNORECASE)
        for paragraph in paragraphs:
            text, *code = markup.escaped(paragraph).split("  ", 1)
            yield markup.Markup("  ".join([mention.sub(link, text), *code]))


NO_WORDS = Glossary({}, "")
