"""From text to the ids of tokens, and back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mha_course.language_model.missing_model import not_installed

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from mha_course.language_model.gguf_file import GGUFFile

CONTROL = 3  # the kind of a token that stands for no letters, such as the end of a text
INCOMPLETE = "\N{REPLACEMENT CHARACTER}"  # what bytes decode to that are only a part of a character


def write_tokenizer(file: GGUFFile, path: Path) -> None:
    """Build the tokenizer from the file's vocabulary and merges, and store its definition.

    It joins neighbouring pieces (byte pairs) in the order of the merges. Digits stay single, and a space belongs to
    the word after it.

    Errors: `ModelMissing` without the package that tokenizes.
    """
    try:
        from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    except ModuleNotFoundError as error:
        raise not_installed(error.name or "tokenizers") from None
    texts: list[str] = file.fact("tokenizer.ggml.tokens")
    merges = [tuple(merge.split(" ")) for merge in file.fact("tokenizer.ggml.merges")]
    tokenizer = Tokenizer(models.BPE({text: id for id, text in enumerate(texts)}, merges))
    pieces = [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(pieces)
    tokenizer.decoder = decoders.ByteLevel()
    kinds = zip(texts, file.fact("tokenizer.ggml.token_type"), strict=True)
    tokenizer.add_special_tokens([AddedToken(text, special=True) for text, kind in kinds if kind == CONTROL])
    tokenizer.save(str(path))


class Tokens:
    """The model's tokenizer: text to ids, ids to text."""

    def __init__(self, path: Path) -> None:
        """Read a stored definition. Errors: `ModelMissing` without the package that tokenizes."""
        try:
            from tokenizers import Tokenizer
        except ModuleNotFoundError as error:
            raise not_installed(error.name or "tokenizers") from None
        self._tokenizer: Tokenizer = Tokenizer.from_file(str(path))

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's tokens. Errors: `ValueError` for half of a character."""
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise ValueError("text has half of a character (a lone surrogate), which no token stands for.")
        return self._tokenizer.encode(text, add_special_tokens=False).ids

    def text(self, ids: Sequence[int]) -> str:
        """Return the text of ids; bytes that are only a part of a character become the replacement character."""
        return self._tokenizer.decode(list(ids), skip_special_tokens=False)

    def texts(self, ids: Sequence[int]) -> list[str]:
        """Return each token's text by itself."""
        return [self.text([id]) for id in ids]
