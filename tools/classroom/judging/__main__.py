"""nbgrader's autograding with one flag more: `python -m judging ASSIGNMENT --i-trust-them`, in the course's folder."""

from nbgrader.apps import AutogradeApp

TRUST = "Let submissions run with your rights, without a sandbox: only if you trust everybody who handed in."
AutogradeApp.flags["i-trust-them"] = ({"Judging": {"i_trust_them": True}}, TRUST)
AutogradeApp.launch_instance()
