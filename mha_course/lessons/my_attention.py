"""Multi-head attention, one function a lesson. It needs NumPy alone.

python my_attention.py shows what one sentence comes to, and compares it with PyTorch where that is installed.
"""

import numpy as np


# inputs.from_ids · the course's
# (n,), (vocabulary size, d_model), (positions, d_model) -> (n, d_model)
def my_inputs(ids, embeddings, encoding):
    return embeddings[ids] + encoding[: len(ids)]


# queries_keys_values.qkv · the course's
# (n_q, d_model), (n_k, d_model), (d_model, d_k) twice, (d_model, d_v) -> (n_q, d_k), (n_k, d_k), (n_k, d_v)
def my_qkv(X, context, W_Q, W_K, W_V):
    return X @ W_Q, context @ W_K, context @ W_V


# scaled_scores.scaled · the course's
# (n_q, d_k), (n_k, d_k) -> (n_q, n_k)
def my_scaled_scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[-1])


# softmax.table · the course's
# (n_q, n_k) -> (n_q, n_k)
def my_softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


# weighted_sums.from_inputs · the course's
# (n_q, d_model), (n_k, d_model), (d_model, d_k) twice, (d_model, d_v) -> (n_q, d_v)
def my_head(X, context, W_Q, W_K, W_V):
    Q, K, V = my_qkv(X, context, W_Q, W_K, W_V)
    return my_softmax(my_scaled_scores(Q, K)) @ V


# heads.split · the course's
# (n, h·d_k) -> (h, n, d_k)
def my_split(wide, num_heads):
    n, width = wide.shape
    return wide.reshape(n, num_heads, width // num_heads).swapaxes(0, 1)


# heads.merge · the course's
# (h, n, d_v) -> (n, h·d_v)
def my_merge(heads):
    num_heads, n, d_v = heads.shape
    return heads.swapaxes(0, 1).reshape(n, num_heads * d_v)


# heads.multi_head · the course's
# (n_q, d_model), (n_k, d_model), (d_model, h·d_k) twice, (d_model, h·d_v), (h·d_v, d_model), h -> (n_q, d_model)
def my_multi_head_attention(X, context, W_Q, W_K, W_V, W_O, num_heads):
    W_Q, W_K, W_V = (my_split(W, num_heads) for W in (W_Q, W_K, W_V))
    heads = [my_head(X, context, W_Q[i], W_K[i], W_V[i]) for i in range(num_heads)]
    return my_merge(np.stack(heads)) @ W_O


# Try it: python my_attention.py
if __name__ == "__main__":

    def table(text):
        return np.array([row.split() for row in text.split(";")], dtype=float)

    # The rows of dog, steals, ball and cat.
    X = table("0 2 0 0 0 0; 2 0 0 0 0 0; 0 0 2 1 0 0; 0 2 0 1 0 0")
    # Two heads of width 3, side by side.
    W_Q = table("1 0 0 0 1 0; 0 0 1 0 1 0; 0 0 1 1 0 0; 0 0 0 0 0 0; 0 0 0 0 0 0; 0 0 0 0 0 0")
    W_K = table("0 0 2 0 0 2; 2 0 0 2 0 0; 0 4 0 0 4 0; -2 0 0 -2 0 0; 0 0 0 0 0 0; 0 0 0 0 0 0")
    W_V = table("1 0 0 0 0 0; 0 1 0 1 0 0; 0 0 0 0 1 0; 0 0 1 0 0 1; 0 0 0 0 0 0; 0 0 0 0 0 0")
    W_O = table("1 0 0 0 0 0; 0 0 0 0 1 0; 0 0 0 0 0 0; 0 0 0 0 1 0; 0 0 0 0 0 1; 0 0 0 0 0 0")
    result = my_multi_head_attention(X, X, W_Q, W_K, W_V, W_O, 2)
    for name, entry in zip(["action", "animate", "thing", "small", "by", "to"], result[1]):
        print(f"steals {name:8}{entry:6.2f}")
    try:
        import torch
    except ModuleNotFoundError:
        print("PyTorch is not installed here, so nothing is compared.")
    else:
        layer = torch.nn.MultiheadAttention(6, 2, bias=False, batch_first=True).double()
        with torch.no_grad():
            layer.in_proj_weight.copy_(torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T])))
            layer.out_proj.weight.copy_(torch.tensor(W_O.T))
        rows = torch.tensor(X)[None]
        its_result = layer(rows, rows, rows)[0][0].detach().numpy()
        print("largest difference from PyTorch:", np.abs(result - its_result).max())
