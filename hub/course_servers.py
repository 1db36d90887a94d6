"""What every student's server is told, by a JupyterHub on one machine and by The Littlest JupyterHub alike."""

from pathlib import Path

c = get_config()  # type: ignore[name-defined]  # noqa: F821  (JupyterHub brings it)

KERNEL_IDLE, SERVER_LOOKS = 30 * 60, 5 * 60  # seconds

c.Spawner.default_url = "/lab"
c.Spawner.mem_limit = "1G"
c.Spawner.environment = {
    "MHA_COURSE_MODEL_CACHE": str(Path(__file__).resolve().parent / "model"),  # converted once, read by all
    "OMP_NUM_THREADS": "1",  # the matrices are small, and every core has many users
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONNOUSERSITE": "1",  # what somebody installs at home cannot stand before the course's own
}
c.Spawner.args = [
    f"--MappingKernelManager.cull_idle_timeout={KERNEL_IDLE}",
    f"--MappingKernelManager.cull_interval={SERVER_LOOKS}",
    "--MappingKernelManager.cull_connected=True",  # a forgotten page holds a kernel for ever otherwise
]
c.Spawner.start_timeout = c.Spawner.http_timeout = 120  # sixty begin in the same minute
