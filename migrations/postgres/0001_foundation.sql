-- Times are microseconds since the epoch, ids are text compared bytewise, payloads are bytes.

CREATE TABLE btx_project (
    id            TEXT COLLATE "C" PRIMARY KEY,
    name          TEXT NOT NULL,
    contact_limit BIGINT,
    contact_count BIGINT NOT NULL DEFAULT 0,
    rate_limit    BIGINT,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);

CREATE TABLE btx_user (
    id            TEXT COLLATE "C" PRIMARY KEY,
    email         TEXT NOT NULL CONSTRAINT btx_user_email UNIQUE,
    password_hash TEXT NOT NULL,
    is_support    BIGINT NOT NULL DEFAULT 0,
    created_at    BIGINT NOT NULL
);

CREATE TABLE btx_member (
    project_id TEXT COLLATE "C" NOT NULL REFERENCES btx_project (id),
    user_id    TEXT COLLATE "C" NOT NULL REFERENCES btx_user (id),
    role       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (project_id, user_id)
);
CREATE INDEX btx_member_user ON btx_member (user_id);

CREATE TABLE btx_session (
    token_hash BYTEA PRIMARY KEY,
    user_id    TEXT COLLATE "C" NOT NULL REFERENCES btx_user (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX btx_session_expiry ON btx_session (expires_at);

CREATE TABLE btx_api_key (
    id           TEXT COLLATE "C" PRIMARY KEY,
    project_id   TEXT COLLATE "C" NOT NULL REFERENCES btx_project (id),
    name         TEXT NOT NULL,
    hash         BYTEA NOT NULL CONSTRAINT btx_api_key_hash UNIQUE,
    hint         TEXT NOT NULL,
    scopes       TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    expires_at   BIGINT,
    revoked_at   BIGINT
);
CREATE INDEX btx_api_key_walk ON btx_api_key (project_id, created_at, id);

CREATE TABLE btx_contact (
    id         TEXT COLLATE "C" PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL REFERENCES btx_project (id),
    phone      TEXT COLLATE "C" NOT NULL,
    name       TEXT NOT NULL,
    email      TEXT,
    tags       BYTEA NOT NULL,
    attributes BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT btx_contact_phone UNIQUE (project_id, phone)
);
CREATE INDEX btx_contact_walk ON btx_contact (project_id, created_at, id);

CREATE TABLE btx_event (
    id         TEXT COLLATE "C" PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL,
    event_type TEXT COLLATE "C" NOT NULL,
    data       BYTEA NOT NULL,
    request_id TEXT COLLATE "C",
    created_at BIGINT NOT NULL
);
CREATE INDEX btx_event_walk ON btx_event (project_id, created_at, id);
CREATE INDEX btx_event_request ON btx_event (request_id) WHERE request_id IS NOT NULL;

CREATE TABLE btx_webhook_endpoint (
    id                         TEXT COLLATE "C" PRIMARY KEY,
    project_id                 TEXT COLLATE "C" NOT NULL REFERENCES btx_project (id),
    url                        TEXT NOT NULL,
    event_types                TEXT NOT NULL,
    description                TEXT,
    enabled                    BIGINT NOT NULL,
    disabled_reason            TEXT,
    secret                     BYTEA NOT NULL,
    secret_rotated_at          BIGINT,
    previous_secret            BYTEA,
    previous_secret_expires_at BIGINT,
    held_until                 BIGINT,
    created_at                 BIGINT NOT NULL,
    updated_at                 BIGINT NOT NULL,
    deleted_at                 BIGINT
);
CREATE INDEX btx_webhook_endpoint_walk ON btx_webhook_endpoint (project_id, created_at, id) WHERE deleted_at IS NULL;

-- The row of a delivery guards its attempt numbers: a claim raises attempts_count and sets
-- claim_token and leased_until, and only the holder of that token may record the outcome.
CREATE TABLE btx_webhook_delivery (
    id                        TEXT COLLATE "C" PRIMARY KEY,
    project_id                TEXT COLLATE "C" NOT NULL,
    event_id                  TEXT COLLATE "C" NOT NULL,
    event_type                TEXT COLLATE "C" NOT NULL,
    endpoint_id               TEXT COLLATE "C" NOT NULL,
    request_id                TEXT COLLATE "C" NOT NULL,
    parent_delivery_id        TEXT COLLATE "C",
    cause                     TEXT NOT NULL,
    status                    TEXT COLLATE "C" NOT NULL,
    skip_reason               TEXT,
    cancel_reason             TEXT,
    attempts_count            BIGINT NOT NULL DEFAULT 0,
    rungs_taken               BIGINT NOT NULL DEFAULT 0,
    interruptions             BIGINT NOT NULL DEFAULT 0,
    last_attempt_at           BIGINT,
    next_attempt_at           BIGINT,
    dead_letters_at           BIGINT,
    last_response_status_code BIGINT,
    last_error_code           TEXT,
    claim_token               TEXT,
    claimed_at                BIGINT,
    leased_until              BIGINT,
    created_at                BIGINT NOT NULL,
    updated_at                BIGINT NOT NULL
) WITH (fillfactor = 80);
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

-- By day of created_at; retention drops whole partitions. An id's time is its row's created_at, so
-- that one row is found in one partition.
CREATE TABLE btx_webhook_attempt (
    id                      TEXT COLLATE "C" NOT NULL,
    project_id              TEXT COLLATE "C" NOT NULL,
    delivery_id             TEXT COLLATE "C" NOT NULL,
    event_id                TEXT COLLATE "C" NOT NULL,
    event_type              TEXT COLLATE "C" NOT NULL,
    endpoint_id             TEXT COLLATE "C" NOT NULL,
    request_id              TEXT COLLATE "C" NOT NULL,
    attempt_number          BIGINT NOT NULL,
    cause                   TEXT NOT NULL,
    url                     TEXT NOT NULL,
    status                  TEXT COLLATE "C" NOT NULL,
    response_status_code    BIGINT,
    error_code              TEXT,
    remote_ip               TEXT,
    requested_at            BIGINT NOT NULL,
    responded_at            BIGINT,
    duration_ms             BIGINT,
    next_attempt_at         BIGINT,
    request_headers         BYTEA NOT NULL,
    response_headers        BYTEA,
    response_body           BYTEA,
    response_body_truncated BIGINT NOT NULL DEFAULT 0,
    created_at              BIGINT NOT NULL
) PARTITION BY RANGE (created_at);
CREATE TABLE btx_webhook_attempt_rest PARTITION OF btx_webhook_attempt DEFAULT;
CREATE INDEX btx_webhook_attempt_walk ON btx_webhook_attempt (project_id, created_at, id);
CREATE INDEX btx_webhook_attempt_status ON btx_webhook_attempt (project_id, status, created_at, id);
CREATE INDEX btx_webhook_attempt_endpoint ON btx_webhook_attempt (project_id, endpoint_id, created_at, id);
CREATE INDEX btx_webhook_attempt_delivery ON btx_webhook_attempt (delivery_id);

CREATE TABLE btx_webhook_dead_letter (
    id                        TEXT COLLATE "C" PRIMARY KEY,
    project_id                TEXT COLLATE "C" NOT NULL,
    delivery_id               TEXT COLLATE "C" NOT NULL,
    event_id                  TEXT COLLATE "C" NOT NULL,
    event_type                TEXT COLLATE "C" NOT NULL,
    endpoint_id               TEXT COLLATE "C" NOT NULL,
    request_id                TEXT COLLATE "C" NOT NULL,
    reason                    TEXT NOT NULL,
    last_response_status_code BIGINT,
    last_error_code           TEXT,
    created_at                BIGINT NOT NULL,
    resolved_at               BIGINT,
    resolution                TEXT,
    retry_delivery_id         TEXT COLLATE "C"
);
CREATE INDEX btx_webhook_dead_letter_inbox ON btx_webhook_dead_letter (project_id, created_at, id)
    WHERE resolved_at IS NULL;
CREATE INDEX btx_webhook_dead_letter_walk ON btx_webhook_dead_letter (project_id, created_at, id);
CREATE INDEX btx_webhook_dead_letter_delivery ON btx_webhook_dead_letter (delivery_id);

-- A Retry pressed twice carries the same token and finds the delivery that the first press made.
CREATE TABLE btx_retry_token (
    project_id  TEXT COLLATE "C" NOT NULL,
    token       TEXT COLLATE "C" NOT NULL,
    delivery_id TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (project_id, token)
);
CREATE INDEX btx_retry_token_age ON btx_retry_token (created_at);

-- What the chart draws: attempts by hour and recorded status, so that no page counts raw rows.
CREATE TABLE btx_attempt_hour (
    project_id  TEXT COLLATE "C" NOT NULL,
    hour        BIGINT NOT NULL,
    endpoint_id TEXT COLLATE "C" NOT NULL,
    status      TEXT COLLATE "C" NOT NULL,
    count       BIGINT NOT NULL,
    PRIMARY KEY (project_id, hour, endpoint_id, status)
);

CREATE TABLE btx_idempotency (
    api_key_id           TEXT COLLATE "C" NOT NULL,
    key                  TEXT COLLATE "C" NOT NULL,
    project_id           TEXT COLLATE "C" NOT NULL,
    status               TEXT NOT NULL,
    method               TEXT NOT NULL,
    path                 TEXT NOT NULL,
    fingerprint          BYTEA NOT NULL,
    first_request_id     TEXT COLLATE "C" NOT NULL,
    capture_token        TEXT,
    leased_until         BIGINT,
    response_status_code BIGINT,
    response_headers     BYTEA,
    response_body        BYTEA,
    replays              BIGINT NOT NULL DEFAULT 0,
    conflicts            BIGINT NOT NULL DEFAULT 0,
    created_at           BIGINT NOT NULL,
    expires_at           BIGINT NOT NULL,
    PRIMARY KEY (api_key_id, key)
);
CREATE INDEX btx_idempotency_key ON btx_idempotency (project_id, key);
CREATE INDEX btx_idempotency_walk ON btx_idempotency (project_id, created_at, first_request_id);
CREATE INDEX btx_idempotency_expiry ON btx_idempotency (expires_at);

-- By day, as attempts are; a request id's time is its row's created_at.
CREATE TABLE btx_request (
    id                  TEXT COLLATE "C" NOT NULL,
    project_id          TEXT COLLATE "C",
    method              TEXT NOT NULL,
    path                TEXT NOT NULL,
    status_code         BIGINT NOT NULL,
    error_code          TEXT,
    duration_ms         BIGINT NOT NULL,
    api_key_id          TEXT COLLATE "C",
    remote_ip           TEXT,
    user_agent          TEXT,
    idempotency_key     TEXT,
    idempotency_outcome TEXT,
    replayed_request_id TEXT COLLATE "C",
    created_at          BIGINT NOT NULL
) PARTITION BY RANGE (created_at);
CREATE TABLE btx_request_rest PARTITION OF btx_request DEFAULT;
CREATE INDEX btx_request_walk ON btx_request (project_id, created_at, id);
