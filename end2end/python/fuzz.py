"""Holds a running server to its OpenAPI document, and a disciplined client to its promise: `fuzz.py short|long`."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

import openapi_spec_validator
import requests

import disciplined_client
import generated_client
from botix import running

# How long schemathesis may take, in seconds, and how many cases an operation gets in each phase.
BOUNDS = {"short": {"seconds": 60, "examples": 25}, "long": {"seconds": 1_800, "examples": 1_000}}
# Events are published and never sent: the fuzzer invents receivers, and they are other people's.
SERVER = {"BOTIX_ROLES": "web"}


def document_is_valid(_mode):
    """The document is OpenAPI 3.1, and every example in it fits its schema."""
    with running("demo", **SERVER) as server:
        document = requests.get(f"{server.url}/public/v1/openapi.json", timeout=10).json()
        openapi_spec_validator.validate(document)
        return f"{sum(map(len, document['paths'].values()))} operations, {examples_fit(document)} examples"


def examples_fit(document):
    import jsonschema

    checked = 0
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            media = [body for body in operation.get("requestBody", {}).get("content", {}).items()]
            for response in operation["responses"].values():
                media += response.get("content", {}).items()
            for content_type, each in media:
                examples = [each["example"]] if "example" in each else [named["value"] for named in each.get("examples", {}).values()]
                if not content_type.endswith("json"):
                    continue
                schema = {**each["schema"], "components": document["components"]}
                for example in examples:
                    try:
                        jsonschema.validate(example, schema, cls=jsonschema.Draft202012Validator)
                    except jsonschema.ValidationError as error:
                        raise AssertionError(f"{method} {path}: {error.message} in {example}") from None
                    checked += 1
    return checked


def server_keeps_to_it(mode):
    """schemathesis, every check and every phase, against the seeded server: all lists have rows, in every state."""
    bounds = BOUNDS[mode]
    with running("demo", **SERVER) as server, tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(__file__).with_name("schemathesis.toml")
        command = ["st", "--config-file", config, "run", f"{server.url}/public/v1/openapi.json"]
        # One worker: Python 3.11 counts the depth of its parser's recursion for all threads together, and stumbles over it.
        command += ["--checks", "all", "--continue-on-failure", "--workers", "1", "--report-dir", folder]
        command += ["--max-examples", str(bounds["examples"])]
        if mode == "long":
            command += ["--max-time", str(bounds["seconds"])]
        run = subprocess.run(
            [str(part) for part in command],
            env={**os.environ, "BOTIX_API_KEY": server.key, "SCHEMATHESIS_HOOKS": "schemathesis_hooks", "PYTHONPATH": str(config.parent)},
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=bounds["seconds"] + 120,
        )
        if run.returncode != 0:
            raise AssertionError(f"schemathesis found something:\n{run.stdout[-20_000:]}")
        return next((line.strip() for line in run.stdout.splitlines() if "generated" in line), "")


def nothing_is_lost_or_doubled(mode):
    """The rules of a disciplined client, through a network that loses one answer in three."""
    return disciplined_client.prove(1_000 if mode == "long" else 300)


def generators_understand_it(_mode):
    """A client that a public generator makes from the document creates, walks and retries."""
    return generated_client.prove(**SERVER)


PROOFS = [document_is_valid, generators_understand_it, server_keeps_to_it, nothing_is_lost_or_doubled]


def main(mode):
    failed = 0
    for proof in PROOFS:
        begun = time.monotonic()
        try:
            print(f"✔ {proof.__doc__.splitlines()[0]} ({proof(mode)}; {time.monotonic() - begun:.0f} s)", flush=True)
        except Exception:
            failed += 1
            print(f"✖ {proof.__doc__.splitlines()[0]}\n{traceback.format_exc()}", flush=True)
    print(f"ℹ pass {len(PROOFS) - failed}\nℹ fail {failed}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
