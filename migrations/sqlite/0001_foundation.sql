-- Times are microseconds since the epoch, ids are text compared bytewise, payloads are bytes.

CREATE TABLE btx_project (
    id            TEXT PRIMARY KEY,
    name          TEXT NOT NULL,
    contact_limit INTEGER,
    contact_count INTEGER NOT NULL DEFAULT 0,
    rate_limit    INTEGER,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
);

CREATE TABLE btx_user (
    id            TEXT PRIMARY KEY,
    email         TEXT NOT NULL CONSTRAINT btx_user_email UNIQUE,
    password_hash TEXT NOT NULL,
    is_support    INTEGER NOT NULL DEFAULT 0,
    created_at    INTEGER NOT NULL
);

CREATE TABLE btx_member (
    project_id TEXT NOT NULL REFERENCES btx_project (id),
    user_id    TEXT NOT NULL REFERENCES btx_user (id),
    role       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (project_id, user_id)
);
CREATE INDEX btx_member_user ON btx_member (user_id);

CREATE TABLE btx_session (
    token_hash BLOB PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES btx_user (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
);
CREATE INDEX btx_session_expiry ON btx_session (expires_at);

CREATE TABLE btx_api_key (
    id           TEXT PRIMARY KEY,
    project_id   TEXT NOT NULL REFERENCES btx_project (id),
    name         TEXT NOT NULL,
    hash         BLOB NOT NULL CONSTRAINT btx_api_key_hash UNIQUE,
    hint         TEXT NOT NULL,
    scopes       TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER,
    expires_at   INTEGER,
    revoked_at   INTEGER
);
CREATE INDEX btx_api_key_walk ON btx_api_key (project_id, created_at, id);

CREATE TABLE btx_contact (
    id         TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES btx_project (id),
    phone      TEXT NOT NULL,
    name       TEXT NOT NULL,
    email      TEXT,
    tags       BLOB NOT NULL,
    attributes BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CONSTRAINT btx_contact_phone UNIQUE (project_id, phone)
);
CREATE INDEX btx_contact_walk ON btx_contact (project_id, created_at, id);

CREATE TABLE btx_event (
    id         TEXT PRIMARY KEY,
    project_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    data       BLOB NOT NULL,
    request_id TEXT,
    created_at INTEGER NOT NULL
);
CREATE INDEX btx_event_walk ON btx_event (project_id, created_at, id);
CREATE INDEX btx_event_request ON btx_event (request_id) WHERE request_id IS NOT NULL;

CREATE TABLE btx_webhook_endpoint (
    id                         TEXT PRIMARY KEY,
    project_id                 TEXT NOT NULL REFERENCES btx_project (id),
    url                        TEXT NOT NULL,
    event_types                TEXT NOT NULL,
    description                TEXT,
    enabled                    INTEGER NOT NULL,
    disabled_reason            TEXT,
    secret                     BLOB NOT NULL,
    secret_rotated_at          INTEGER,
    previous_secret            BLOB,
    previous_secret_expires_at INTEGER,
    held_until                 INTEGER,
    created_at                 INTEGER NOT NULL,
    updated_at                 INTEGER NOT NULL,
    deleted_at                 INTEGER
);
CREATE INDEX btx_webhook_endpoint_walk ON btx_webhook_endpoint (project_id, created_at, id) WHERE deleted_at IS NULL;

-- The row of a delivery guards its attempt numbers: a claim raises attempts_count and sets
-- claim_token and leased_until, and only the holder of that token may record the outcome.
CREATE TABLE btx_webhook_delivery (
    id                        TEXT PRIMARY KEY,
    project_id                TEXT NOT NULL,
    event_id                  TEXT NOT NULL,
    event_type                TEXT NOT NULL,
    endpoint_id               TEXT NOT NULL,
    request_id                TEXT NOT NULL,
    parent_delivery_id        TEXT,
    cause                     TEXT NOT NULL,
    status                    TEXT NOT NULL,
    skip_reason               TEXT,
    cancel_reason             TEXT,
    attempts_count            INTEGER NOT NULL DEFAULT 0,
    rungs_taken               INTEGER NOT NULL DEFAULT 0,
    interruptions             INTEGER NOT NULL DEFAULT 0,
    last_attempt_at           INTEGER,
    next_attempt_at           INTEGER,
    dead_letters_at           INTEGER,
    last_response_status_code INTEGER,
    last_error_code           TEXT,
    claim_token               TEXT,
    claimed_at                INTEGER,
    leased_until              INTEGER,
    created_at                INTEGER NOT NULL,
    updated_at                INTEGER NOT NULL
);
CREATE INDEX btx_webhook_delivery_walk ON btx_webhook_delivery (project_id, created_at, id);
CREATE INDEX btx_webhook_delivery_status ON btx_webhook_delivery (project_id, status, created_at, id);
CREATE INDEX btx_webhook_delivery_endpoint ON btx_webhook_delivery (project_id, endpoint_id, created_at, id);
CREATE INDEX btx_webhook_delivery_event ON btx_webhook_delivery (event_id);
CREATE INDEX btx_webhook_delivery_request ON btx_webhook_delivery (request_id);
CREATE INDEX btx_webhook_delivery_due ON btx_webhook_delivery (endpoint_id, next_attempt_at)
    WHERE next_attempt_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX btx_webhook_delivery_oldest_due ON btx_webhook_delivery (next_attempt_at)
    WHERE next_attempt_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX btx_webhook_delivery_lease ON btx_webhook_delivery (leased_until) WHERE leased_until IS NOT NULL;

-- An id's time is its row's created_at, so that one row is found on the walk's index.
CREATE TABLE btx_webhook_attempt (
    id                      TEXT NOT NULL,
    project_id              TEXT NOT NULL,
    delivery_id             TEXT NOT NULL,
    event_id                TEXT NOT NULL,
    event_type              TEXT NOT NULL,
    endpoint_id             TEXT NOT NULL,
    request_id              TEXT NOT NULL,
    attempt_number          INTEGER NOT NULL,
    cause                   TEXT NOT NULL,
    url                     TEXT NOT NULL,
    status                  TEXT NOT NULL,
    response_status_code    INTEGER,
    error_code              TEXT,
    remote_ip               TEXT,
    requested_at            INTEGER NOT NULL,
    responded_at            INTEGER,
    duration_ms             INTEGER,
    next_attempt_at         INTEGER,
    request_headers         BLOB NOT NULL,
    response_headers        BLOB,
    response_body           BLOB,
    response_body_truncated INTEGER NOT NULL DEFAULT 0,
    created_at              INTEGER NOT NULL
);
CREATE INDEX btx_webhook_attempt_walk ON btx_webhook_attempt (project_id, created_at, id);
CREATE INDEX btx_webhook_attempt_status ON btx_webhook_attempt (project_id, status, created_at, id);
CREATE INDEX btx_webhook_attempt_endpoint ON btx_webhook_attempt (project_id, endpoint_id, created_at, id);
CREATE INDEX btx_webhook_attempt_delivery ON btx_webhook_attempt (delivery_id);

CREATE TABLE btx_webhook_dead_letter (
    id                        TEXT PRIMARY KEY,
    project_id                TEXT NOT NULL,
    delivery_id               TEXT NOT NULL,
    event_id                  TEXT NOT NULL,
    event_type                TEXT NOT NULL,
    endpoint_id               TEXT NOT NULL,
    request_id                TEXT NOT NULL,
    reason                    TEXT NOT NULL,
    last_response_status_code INTEGER,
    last_error_code           TEXT,
    created_at                INTEGER NOT NULL,
    resolved_at               INTEGER,
    resolution                TEXT,
    retry_delivery_id         TEXT
);
CREATE INDEX btx_webhook_dead_letter_inbox ON btx_webhook_dead_letter (project_id, created_at, id)
    WHERE resolved_at IS NULL;
CREATE INDEX btx_webhook_dead_letter_walk ON btx_webhook_dead_letter (project_id, created_at, id);
CREATE INDEX btx_webhook_dead_letter_delivery ON btx_webhook_dead_letter (delivery_id);

-- A Retry pressed twice carries the same token and finds the delivery that the first press made.
CREATE TABLE btx_retry_token (
    project_id  TEXT NOT NULL,
    token       TEXT NOT NULL,
    delivery_id TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (project_id, token)
);
CREATE INDEX btx_retry_token_age ON btx_retry_token (created_at);

-- What the chart draws: attempts by hour and recorded status, so that no page counts raw rows.
CREATE TABLE btx_attempt_hour (
    project_id  TEXT NOT NULL,
    hour        INTEGER NOT NULL,
    endpoint_id TEXT NOT NULL,
    status      TEXT NOT NULL,
    count       INTEGER NOT NULL,
    PRIMARY KEY (project_id, hour, endpoint_id, status)
);

CREATE TABLE btx_idempotency (
    api_key_id           TEXT NOT NULL,
    key                  TEXT NOT NULL,
    project_id           TEXT NOT NULL,
    status               TEXT NOT NULL,
    method               TEXT NOT NULL,
    path                 TEXT NOT NULL,
    fingerprint          BLOB NOT NULL,
    first_request_id     TEXT NOT NULL,
    capture_token        TEXT,
    leased_until         INTEGER,
    response_status_code INTEGER,
    response_headers     BLOB,
    response_body        BLOB,
    replays              INTEGER NOT NULL DEFAULT 0,
    conflicts            INTEGER NOT NULL DEFAULT 0,
    created_at           INTEGER NOT NULL,
    expires_at           INTEGER NOT NULL,
    PRIMARY KEY (api_key_id, key)
);
CREATE INDEX btx_idempotency_key ON btx_idempotency (project_id, key);
CREATE INDEX btx_idempotency_walk ON btx_idempotency (project_id, created_at, first_request_id);
CREATE INDEX btx_idempotency_expiry ON btx_idempotency (expires_at);

-- A request id's time is its row's created_at.
CREATE TABLE btx_request (
    id                  TEXT NOT NULL,
    project_id          TEXT,
    method              TEXT NOT NULL,
    path                TEXT NOT NULL,
    status_code         INTEGER NOT NULL,
    error_code          TEXT,
    duration_ms         INTEGER NOT NULL,
    api_key_id          TEXT,
    remote_ip           TEXT,
    user_agent          TEXT,
    idempotency_key     TEXT,
    idempotency_outcome TEXT,
    replayed_request_id TEXT,
    created_at          INTEGER NOT NULL
);
CREATE INDEX btx_request_walk ON btx_request (project_id, created_at, id);
