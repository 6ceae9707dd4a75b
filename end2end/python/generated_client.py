"""A client that a public generator (openapi-python-client) makes from the document, and nobody has touched."""

import importlib
import json
import pathlib
import subprocess
import sys
import tempfile
import uuid

import requests

from botix import running


def prove(**settings):
    """It creates a contact, walks all pages, and retries a dead letter of the seeded project."""
    with running("demo", **settings) as server, tempfile.TemporaryDirectory() as folder:
        generate(server, pathlib.Path(folder))
        sys.path.insert(0, folder)
        try:
            return use(server)
        finally:
            sys.path.remove(folder)


def generate(server, folder):
    document = folder / "openapi.json"
    document.write_text(requests.get(f"{server.url}/public/v1/openapi.json", timeout=10).text)
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", document, "--meta", "none"]
    command += ["--output-path", folder / "generated", "--fail-on-warning"]
    # Without its formatter, which the client does not need, the generator would warn of that alone.
    config = folder / "config.json"
    # It knows no other lines of text: they are handed over as they are.
    lines = {each: "application/octet-stream" for each in ("application/x-ndjson", "text/csv")}
    config.write_text(json.dumps({"post_hooks": [], "content_type_overrides": lines}))
    run = subprocess.run([str(each) for each in [*command, "--config", config]], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout + run.stderr


def use(server):
    operation = lambda path: importlib.import_module(f"generated.api.{path}")
    models = importlib.import_module("generated.models")
    client = importlib.import_module("generated").AuthenticatedClient(base_url=server.url, token=server.key)

    body = models.CreateContactBody.from_dict({"phone": "+79990000001", "name": "Anna", "tags": ["vip"]})
    create = operation("contacts.create_contact")
    first, again = (create.sync(client=client, body=body, idempotency_key="generated-1") for _ in range(2))
    assert first.data.id == again.data.id and first.data.phone == "+79990000001", (first, again)
    refused = create.sync(client=client, body=body, idempotency_key=str(uuid.uuid4()))
    assert refused.details.existing_id == first.data.id, refused

    walked, cursor, pages = [], None, 0
    lister = operation("contacts.list_contacts")
    while True:
        page = lister.sync(client=client, cursor_limit=50, **({"cursor": cursor} if cursor else {}))
        walked += [each.id for each in page.data]
        pages += 1
        if not page.has_more:
            break
        cursor = page.next_cursor
    assert pages > 1 and len(set(walked)) == len(walked) and first.data.id in walked, (pages, len(walked))

    letters = operation("webhook_dead_letters.list_webhook_dead_letters").sync(client=client, cursor_limit=1)
    letter = letters.data[0]
    retry = operation("webhook_dead_letters.retry_webhook_dead_letter")
    made = retry.sync(letter.id, client=client, idempotency_key=str(uuid.uuid4()))
    assert made.data.event_id == letter.event_id and str(made.data.trigger) == "manual", made
    now = operation("webhook_dead_letters.get_webhook_dead_letter").sync(letter.id, client=client)
    assert now.data.retry_delivery_id == made.data.id, now
    return f"{len(walked)} contacts on {pages} pages, dead letter {letter.id} retried"
