"""Every test has a progress file of its own, so that none sees what another has solved."""

import pytest


@pytest.fixture(autouse=True)
def own_progress(monkeypatch, tmp_path):
    monkeypatch.setenv("MHA_COURSE_PROGRESS", str(tmp_path / "progress.jsonl"))
