-- A bin's address carries a secret token: found by its hash, sealed for its owner to see again.
CREATE TABLE btx_inspector_bin (
    id              TEXT PRIMARY KEY,
    project_id      TEXT NOT NULL REFERENCES btx_project (id),
    name            TEXT NOT NULL,
    token_hash      BLOB NOT NULL UNIQUE,
    token           BLOB NOT NULL,
    script          BLOB NOT NULL,
    script_position INTEGER NOT NULL DEFAULT 0,
    is_default      INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL
);
CREATE UNIQUE INDEX btx_inspector_bin_default ON btx_inspector_bin (project_id) WHERE is_default = 1;
CREATE INDEX btx_inspector_bin_walk ON btx_inspector_bin (project_id, created_at, id);

-- The body comes last: whoever lists captures never reads that far. No reference to the bin: a deleted
-- bin's captures are invisible at once, and go in small batches.
CREATE TABLE btx_inspector_capture (
    id                   TEXT PRIMARY KEY,
    project_id           TEXT NOT NULL,
    bin_id               TEXT NOT NULL,
    kind                 TEXT NOT NULL,
    method               TEXT NOT NULL,
    path                 TEXT NOT NULL,
    query                TEXT,
    remote_ip            TEXT,
    response_status_code INTEGER,
    attempt_id           TEXT,
    delivery_id          TEXT,
    event_id             TEXT,
    endpoint_id          TEXT,
    request_id           TEXT,
    simulated_at         INTEGER,
    created_at           INTEGER NOT NULL,
    body_size            INTEGER NOT NULL,
    headers              BLOB NOT NULL,
    body                 BLOB NOT NULL
);
CREATE INDEX btx_inspector_capture_walk ON btx_inspector_capture (project_id, bin_id, created_at, id);
CREATE INDEX btx_inspector_capture_bin ON btx_inspector_capture (bin_id);
CREATE INDEX btx_inspector_capture_age ON btx_inspector_capture (created_at);
