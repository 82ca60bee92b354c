"""Measurements that the documentation quotes; each module is one command: `python -m bench.NAME --help`."""
