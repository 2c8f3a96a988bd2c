"""A Dask scheduler and workers as processes of this machine, on loopback, each under a name of its own."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import croupier


class Dask:
    """A scheduler, and the workers that were started for it; all are killed when this ends."""

    def __init__(self, folder, *words, host="127.0.0.1", security=None, **env):
        self.folder = folder
        self.words = words
        self.host = host
        self.security = security
        self.env = os.environ | env
        self.processes = {}

    def __enter__(self):
        file = self.folder / "scheduler.json"
        self._start("scheduler", [], "scheduler", *self.words, "--port", "0", "--scheduler-file", str(file))
        while not file.exists() or not file.read_text().endswith("\n}"):
            assert self.processes["scheduler"].poll() is None
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.kill()
            process.wait()
            process.stdin.close()

    def start(self, *names, before=(), address=None, host=None, **env):
        """Start workers with these names; return their processes at once."""
        places = ["--nthreads", "1", "--no-nanny", "--local-directory", str(self.folder)]
        words = ("worker", address or self.address, *places)
        return [self._start(name, before, *words, "--name", name, host=host, **env) for name in names]

    def work(self, *names, **how):
        """Start workers with these names, and wait until the scheduler knows them."""
        started = self.start(*names, **how)
        self.wait(names)
        return started

    def wait(self, names):
        """Wait until the scheduler knows workers of these names."""
        from distributed import Client  # noqa: PLC0415  an extra

        with Client(self.address, set_as_default=False, security=self.security) as client:
            while not {*names} <= {it["name"] for it in client.scheduler_info()["workers"].values()}:
                assert all(self.processes[name].poll() is None for name in names)
                time.sleep(0.1)

    def _start(self, name, before, kind, *words, host=None, **env):
        place = ["--host", host or self.host, "--no-dashboard"]
        program = [*before, sys.executable, "-m", f"distributed.cli.dask_{kind}", *words, *place]
        quiet = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        quiet["cwd"] = self.folder
        self.processes[name] = subprocess.Popen(program, env=self.env | env, **quiet)
        return self.processes[name]


def copied(place):
    """Copy croupier as an installed package into a folder; return the variables with which a program imports it."""
    kept_out = shutil.ignore_patterns("__pycache__", "docs")
    shutil.copytree(Path(croupier.__file__).parent, place / "croupier", ignore=kept_out)
    return {"PYTHONPATH": str(place)}
