"""The real binary, started as an operator would: a data folder of its own, a free port, configuration by environment."""

import contextlib
import json
import os
import pathlib
import socket
import subprocess
import tempfile
import time

import requests

BINARY = os.environ.get("BOTIX_BINARY") or str(pathlib.Path(__file__).parents[2] / "target/debug/botix")
AMBIENT = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("BOTIX_", "LEPTOS_")) and name != "DATABASE_URL"
}


class Botix:
    """A running server: `url`, and `key` of a project of its own."""

    def __init__(self, folder, url, environment, process):
        self.folder, self.url, self.environment, self.process = folder, url, environment, process
        self.key = None

    def cli(self, *arguments):
        """Runs one command to its end and reads what it prints."""
        run = subprocess.run([BINARY, *arguments], env=self.environment, capture_output=True, check=True, timeout=30)
        return json.loads(run.stdout)

    def new_key(self):
        """An API key of a project of its own."""
        project = self.cli("project", "create", "--name", "Shop")
        return self.cli("api-key", "create", "--project", project["id"])["key"]


@contextlib.contextmanager
def running(command="serve", **settings):
    """Starts `botix COMMAND` and ends it. Nothing of the caller's configuration reaches it."""
    with tempfile.TemporaryDirectory(prefix="botix-") as folder:
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        environment = {
            **AMBIENT,
            "BOTIX_DATA_DIR": folder,
            "BOTIX_LISTEN": f"127.0.0.1:{port}",
            "BOTIX_ALLOWED_PRIVATE_NETWORKS": "127.0.0.0/8",
            "BOTIX_RATE_LIMIT": "1000000",
            "BOTIX_LOG": "warn",
            **settings,
        }
        with open(pathlib.Path(folder) / "output", "w+") as output:
            process = subprocess.Popen([BINARY, command], env=environment, stdout=output, stderr=subprocess.STDOUT)
            server = Botix(folder, url, environment, process)
            try:
                wait_until_ready(server, output)
                server.key = printed_key(output) if command == "demo" else server.new_key()
                yield server
            finally:
                process.terminate()
                try:
                    process.wait(timeout=20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def wait_until_ready(server, output):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if server.process.poll() is not None:
            break
        with contextlib.suppress(requests.RequestException):
            if requests.get(f"{server.url}/readyz", timeout=2).ok:
                return
        time.sleep(0.1)
    output.seek(0)
    raise RuntimeError(f"{BINARY} did not become ready:\n{output.read()}")


def printed_key(output):
    """The key that `botix demo` prints, one `label  value` a line."""
    output.seek(0)
    for line in output:
        if line.split()[:2] == ["API", "key"]:
            return line.split()[2]
    raise RuntimeError("botix demo printed no API key")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
