"""The shipped configuration, with what a test may not have: accounts of the machine, systemd, and fixed ports."""

import os
from pathlib import Path

c = get_config()  # type: ignore[name-defined]  # noqa: F821  (JupyterHub brings it)
load_subconfig(str(Path(__file__).parent / "jupyterhub_config.py"))  # type: ignore[name-defined]  # noqa: F821

FRONT, API, HUB = os.environ["HUB_PORTS"].split()
NBGRADER = ("assignment_list", "course_list", "formgrader", "validate_assignment")
TESTERS = ("notebook", *(f"nbgrader.server_extensions.{part}" for part in NBGRADER))
TOKEN = os.environ["HUB_TOKEN"]

c.JupyterHub.bind_url = f"http://127.0.0.1:{FRONT}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{API}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{HUB}"

c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.DummyAuthenticator.password = TOKEN

c.JupyterHub.spawner_class = "simple"
c.JupyterHub.cleanup_servers = True
c.SimpleLocalProcessSpawner.home_dir_template = f"{os.environ['HUB_HOMES']}/{{username}}"
c.Spawner.args += ["--allow-root"]  # for a CI that is root
c.Spawner.args += [f"--ServerApp.jpserver_extensions={dict.fromkeys(TESTERS, False)}"]  # no hub's environment has them
c.Spawner.environment |= {"JUPYTER_CONFIG_PATH": str(Path(__file__).resolve().parents[1] / "tools")}  # nor their menus

c.JupyterHub.services.append({"name": "watcher", "api_token": TOKEN})
c.JupyterHub.load_roles.append(
    {"name": "watcher", "scopes": ["admin:users", "admin:servers", "access:servers"], "services": ["watcher"]}
)
