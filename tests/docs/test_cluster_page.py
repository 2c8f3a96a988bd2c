"""The pages of a cluster: their commands are Dask's, its files can be read, and its TLS plays a tournament."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import needs
import pytest
from contests import bot, document
from dask_cluster import Dask

distributed = pytest.importorskip("distributed", reason="needs the cluster extra")

pytestmark = pytest.mark.filterwarnings("ignore")

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
PAGE = "".join((HOW_TO / f"{name}.md").read_text() for name in ("cluster", "cluster-slurm", "cluster-kubernetes"))


def blocks(kind):
    """Return the pages' blocks of a language."""
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def started():
    """Yield each command of Dask on the pages, as words."""
    yaml = pytest.importorskip("yaml")
    for line in "".join(blocks("sh")).splitlines():
        if " dask " in f" {line}":
            yield shlex.split(line.partition("#")[0].removesuffix("&").replace("$(", "").replace(")", ""))
    for text in "".join(blocks("yaml")).split("---\n"):
        pod = yaml.safe_load(text)["spec"].get("template", {"spec": {"containers": []}})
        yield from (container["command"] for container in pod["spec"]["containers"])


def test_dask_knows_every_option_of_the_page():
    """Those of the shell's lines and of the pods."""
    from distributed.cli import dask_scheduler, dask_worker  # noqa: PLC0415  an extra

    known = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}
    kinds = []
    for words in started():
        kind, *rest = words[words.index("dask") + 1 :]
        options = {each for param in known[kind].params for each in (*param.opts, *param.secondary_opts)}
        assert {word for word in rest if word.startswith("--")} <= options, words
        kinds.append(kind)
    assert kinds.count("scheduler") == kinds.count("worker") == 4


@needs.program("openssl")
def test_the_tls_of_the_page_plays_a_tournament(tmp_path):
    """With its certificate and its variables; no warning is printed, and a client without them is not let in."""
    certificate, exports = (next(each for each in blocks("sh") if word in each) for word in ("openssl", "export "))
    script = f"{certificate}{exports}env -0"
    done = subprocess.run(["sh", "-ec", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    env = dict(each.split("=", 1) for each in done.stdout.split("\0") if each.startswith("DASK_"))
    key, cert = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    security = distributed.Security(tls_ca_file=cert, tls_client_cert=cert, tls_client_key=key, require_encryption=True)
    (tmp_path / "dask").mkdir()
    with Dask(tmp_path / "dask", "--protocol", "tls", security=security, **env) as dask:
        assert dask.address.startswith("tls://")
        dask.work("one")
        words = ["tournament", "hearts", *[shlex.join(bot("ann")["command"])] * 4, "--seed", "a", "--deals", "1"]
        words += ["--sandbox", "none", "--cluster", dask.address, "--out"]
        with_tls, without = (
            subprocess.run(
                [sys.executable, "-m", "croupier", *words, tmp_path / name],
                env=os.environ | variables,
                capture_output=True,
                text=True,
                check=False,
            )
            for name, variables in (("cup", env), ("other", {}))
        )
    assert with_tls.returncode == 0, with_tls.stderr
    assert "is not encrypted" not in with_tls.stderr
    assert document(tmp_path / "cup")["games"] > 0
    assert without.returncode == 2
    assert f"no Dask scheduler answers at {dask.address}" in without.stderr
    assert "Traceback" not in without.stderr
