-- A bin's address carries a secret token: found by its hash, sealed for its owner to see again.
CREATE TABLE btx_inspector_bin (
    id              TEXT COLLATE "C" PRIMARY KEY,
    project_id      TEXT COLLATE "C" NOT NULL REFERENCES btx_project (id),
    name            TEXT NOT NULL,
    token_hash      BYTEA NOT NULL CONSTRAINT btx_inspector_bin_token UNIQUE,
    token           BYTEA NOT NULL,
    script          BYTEA NOT NULL,
    script_position BIGINT NOT NULL DEFAULT 0,
    is_default      BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);
CREATE UNIQUE INDEX btx_inspector_bin_default ON btx_inspector_bin (project_id) WHERE is_default = 1;
CREATE INDEX btx_inspector_bin_walk ON btx_inspector_bin (project_id, created_at, id);

-- The body comes last: whoever lists captures never reads that far. No reference to the bin: a deleted
-- bin's captures are invisible at once, and go in small batches.
CREATE TABLE btx_inspector_capture (
    id                   TEXT COLLATE "C" PRIMARY KEY,
    project_id           TEXT COLLATE "C" NOT NULL,
    bin_id               TEXT COLLATE "C" NOT NULL,
    kind                 TEXT NOT NULL,
    method               TEXT NOT NULL,
    path                 TEXT NOT NULL,
    query                TEXT,
    remote_ip            TEXT,
    response_status_code BIGINT,
    attempt_id           TEXT COLLATE "C",
    delivery_id          TEXT COLLATE "C",
    event_id             TEXT COLLATE "C",
    endpoint_id          TEXT COLLATE "C",
    request_id           TEXT COLLATE "C",
    simulated_at         BIGINT,
    created_at           BIGINT NOT NULL,
    body_size            BIGINT NOT NULL,
    headers              BYTEA NOT NULL,
    body                 BYTEA NOT NULL
);
CREATE INDEX btx_inspector_capture_walk ON btx_inspector_capture (project_id, bin_id, created_at, id);
CREATE INDEX btx_inspector_capture_bin ON btx_inspector_capture (bin_id);
CREATE INDEX btx_inspector_capture_age ON btx_inspector_capture (created_at);
