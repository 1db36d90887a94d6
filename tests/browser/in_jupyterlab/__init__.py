"""What only JupyterLab can show: running, saving, reopening, its keyboard, its themes. One process runs all of it."""
