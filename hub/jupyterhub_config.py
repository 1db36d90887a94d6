"""A JupyterHub for one machine: the machine's own accounts, and a limited server for each student.

The environment that runs the hub also runs the students' servers. It belongs to root, so no student can change it.
"""

import sys
from pathlib import Path

c = get_config()  # type: ignore[name-defined]  # noqa: F821  (JupyterHub brings it)
load_subconfig(str(Path(__file__).parent / "course_servers.py"))  # type: ignore[name-defined]  # noqa: F821

BIN = Path(sys.prefix) / "bin"
SERVER_IDLE = 60 * 60  # seconds

c.JupyterHub.bind_url = "http://127.0.0.1:8000"  # for this machine alone; Caddy stands before it and encrypts
c.ConfigurableHTTPProxy.command = [str(BIN / "configurable-http-proxy")]

c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.allowed_groups = {"mha-students", "mha-teachers"}
c.PAMAuthenticator.admin_groups = {"mha-teachers"}

c.JupyterHub.spawner_class = "systemdspawner.SystemdSpawner"
c.JupyterHub.cleanup_servers = False  # students work on while the hub restarts
c.Spawner.cmd = [str(BIN / "jupyterhub-singleuser")]
c.SystemdSpawner.default_shell = "/bin/bash"
c.SystemdSpawner.isolate_tmp = True
c.SystemdSpawner.unit_extra_properties = {
    "OOMPolicy": "continue",  # at the limit a kernel ends, and the server goes on
    "TasksMax": "300",
}

c.JupyterHub.services = [
    {
        "name": "idle-culler",
        "command": [sys.executable, "-m", "jupyterhub_idle_culler", f"--timeout={SERVER_IDLE}"],
    }
]
c.JupyterHub.load_roles = [
    {
        "name": "idle-culler",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["idle-culler"],
    }
]
