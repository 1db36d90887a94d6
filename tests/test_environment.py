"""The cell of lesson 0 that tells whether everything is ready."""

import importlib.metadata

from mha_course.learner import environment


def test_all_is_ready_here(capsys):
    environment.ready()
    assert capsys.readouterr().out == "Everything is ready.\n"


def test_what_is_missing_or_different_is_named_with_its_cure(monkeypatch, capsys):
    wanted = [*importlib.metadata.requires("mha_course")[:1], "numpy==1.0", "nowhere-to-be-found==2.0"]
    monkeypatch.setattr(environment, "requires", lambda name: wanted)
    environment.ready()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("numpy is ") and lines[0].endswith("but the course was checked with 1.0.")
    assert lines[1] == "nowhere-to-be-found 2.0 is missing."
    assert lines[2].endswith("-m pip install -e .")
