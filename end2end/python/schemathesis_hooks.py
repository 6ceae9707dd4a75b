"""What schemathesis can't know: a repeated idempotency key is answered with what was created then, be it deleted since. In
the stateful phase each valid call is an operation of its own, and so gets a key of its own."""

import uuid

import schemathesis

KEY = "Idempotency-Key"


@schemathesis.serializer("application/x-ndjson", "text/csv")
def lines(context, value):
    """Text of any kind, as it was generated."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", errors="replace")


@schemathesis.hook
def before_call(context, case, kwargs):
    stateful = case.meta is not None and case.meta.phase.name == "stateful"
    if stateful and KEY in (case.headers or {}) and case.meta.generation.mode.is_positive:
        case.headers[KEY] = str(uuid.uuid4())
