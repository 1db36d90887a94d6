"""The folder hub/: all its ways to run a class say the same, and what its page names is there."""

import re
import subprocess
import sys
from functools import reduce

import lock
import pytest
import yaml
from stored import ROOT
from traitlets.config.loader import PyFileConfigLoader

from mha_course._version import __version__
from mha_course.engine.progress import merge_driver

HUB = ROOT / "hub"
PAGE = (HUB / "README.md").read_text(encoding="utf-8")
IMAGE = (HUB / "image.txt").read_text(encoding="utf-8")
VALUES = yaml.safe_load((HUB / "values.yaml").read_text(encoding="utf-8"))
MACHINE = PyFileConfigLoader("jupyterhub_config.py", path=str(HUB)).load_config()


def value(path):
    """Return what values.yaml says at a path like singleuser.memory.limit."""
    return reduce(lambda found, key: found[key], path.split("."), VALUES)


def seconds_of_culler():
    (culler,) = MACHINE.JupyterHub.services
    return int(culler["command"][-1].removeprefix("--timeout="))


def test_one_machine_and_a_cluster_give_a_student_the_same():
    of_cluster, of_machine = value("singleuser.extraEnv"), MACHINE.Spawner.environment
    assert set(of_machine) == set(of_cluster) - {"HOME"}
    same = set(of_machine) - {"MHA_COURSE_MODEL_CACHE"}  # it stands where each of them can share it
    assert {key: of_machine[key] for key in same} == {key: of_cluster[key] for key in same}
    assert MACHINE.Spawner.args == value("hub.config.KubeSpawner.args")
    assert MACHINE.Spawner.mem_limit == value("singleuser.memory.limit")
    assert MACHINE.Spawner.default_url == value("singleuser.defaultUrl")
    assert seconds_of_culler() == value("cull.timeout")
    assert value("singleuser.image.tag") == __version__


def test_the_page_says_what_the_configuration_says():
    assert MACHINE.Spawner.mem_limit == "1G" and "1 GiB" in PAGE
    minutes = int(re.search(r"cull_idle_timeout=(\d+)", " ".join(MACHINE.Spawner.args))[1]) // 60
    assert f"{minutes} minutes" in PAGE and seconds_of_culler() == 3600 and "an hour" in PAGE
    chart = re.search(r"chart (\S+?):", (HUB / "values.yaml").read_text(encoding="utf-8"))[1]
    assert f"--version {chart}" in PAGE


def test_the_hub_answers_to_its_own_machine_alone():
    assert MACHINE.JupyterHub.bind_url == "http://127.0.0.1:8000" and "reverse_proxy 127.0.0.1:8000" in PAGE


def test_every_version_is_pinned():
    assert re.search(r"^PROXY := [\w-]+@[\d.]+$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert f" nbgitpuller=={lock.locked(lock.EVERYBODYS)['nbgitpuller']}\n" in IMAGE


def test_git_is_told_the_same_of_updates_wherever_it_is_told():
    teaching = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
    told = [re.findall(r'merge\.mha_course\.driver "\S*python (.*?)"', text)
            for text in (merge_driver.__doc__, teaching, PAGE, IMAGE)]  # fmt: skip
    assert all(told)
    assert {line for lines in told for line in lines} == {"-P -m mha_course.engine.progress.merge_driver %O %A %B %P"}


def test_every_file_of_ours_that_the_page_and_the_service_name_is_there():
    service = (HUB / "mha-course-hub.service").read_text(encoding="utf-8")
    named = re.findall(r"(?:/opt/mha_course/|\s)((?:hub|tools)/[\w./-]+\w)", PAGE + service)
    assert len(set(named)) >= 4
    assert [name for name in set(named) - {"hub/model"} if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("name", ["Ada", "ada lovelace!", "../root", "-rf", "9lives"])
def test_a_list_with_a_name_that_cannot_be_makes_no_account(name, tmp_path):
    (tmp_path / "names.txt").write_text(f"ada\n{name}\n")
    done = subprocess.run([sys.executable, HUB / "accounts.py", tmp_path / "names.txt"], capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == "" and done.stderr.startswith("No account was made.")
    assert name.split()[-1] in done.stderr


def test_measuring_the_load_changes_a_stored_file_only_if_it_is_asked_to():
    def written(*asked):
        command = ["make", "-n", "load", *asked]
        return re.search(r"--file (\S+)", subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout)[1]

    assert "build/" in (ROOT / ".gitignore").read_text().split()
    assert (written(), written("KEEP=yes")) == ("build/load.json", "benchmarks/load.json")


def test_the_load_is_measured_on_this_machine_alone():
    code = "from load_protocol import *; asyncio.run(open_kernel('http://hub.example.org', 'token', 'x.ipynb'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "benchmarks", capture_output=True, text=True)
    assert "is not on this machine, and only this machine is measured" in done.stderr
