"""Verifies webhooks with the public Python libraries, as a receiver would: one JSON object a line in, one word a line out.

Each line is {"library", "secret", "headers", "body"}, the body in base64; the answer is `accepted` or `rejected`.
"""

import base64
import json
import sys

import standardwebhooks
import svix.webhooks

LIBRARIES = {"standardwebhooks": standardwebhooks.Webhook, "svix": svix.webhooks.Webhook}
REFUSALS = (standardwebhooks.WebhookVerificationError, svix.webhooks.WebhookVerificationError)

for line in sys.stdin:
    case = json.loads(line)
    verifier = LIBRARIES[case["library"]](case["secret"])
    try:
        verifier.verify(base64.b64decode(case["body"]), case["headers"])
        print("accepted")
    except REFUSALS:
        print("rejected")
