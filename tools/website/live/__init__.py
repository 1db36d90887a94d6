"""The lessons as live notebooks without a server: static files in which JupyterLab and Python run inside the page."""
