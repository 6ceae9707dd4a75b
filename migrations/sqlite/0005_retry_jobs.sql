-- A bulk retry. The cursor of the work is (after_created_at, after_id): it moves in the transaction that makes the deliveries,
-- and only the holder of claim_token may move it.
CREATE TABLE btx_retry_job (
    id               TEXT PRIMARY KEY,
    project_id       TEXT NOT NULL,
    status           TEXT NOT NULL,
    endpoint_id      TEXT,
    event_type       TEXT,
    reason           TEXT,
    created_after    INTEGER,
    created_before   INTEGER,
    include_skipped  INTEGER NOT NULL,
    dry_run          INTEGER NOT NULL,
    total            INTEGER NOT NULL,
    done             INTEGER NOT NULL DEFAULT 0,
    failed           INTEGER NOT NULL DEFAULT 0,
    at_skipped       INTEGER NOT NULL DEFAULT 0,
    after_created_at INTEGER,
    after_id         TEXT,
    tries            INTEGER NOT NULL DEFAULT 0,
    claim_token      TEXT,
    leased_until     INTEGER,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL,
    started_at       INTEGER,
    finished_at      INTEGER
);
CREATE INDEX btx_retry_job_waiting ON btx_retry_job (updated_at, id) WHERE finished_at IS NULL;
CREATE INDEX btx_retry_job_queue ON btx_retry_job (project_id, created_at, id) WHERE finished_at IS NULL;
CREATE INDEX btx_retry_job_age ON btx_retry_job (finished_at) WHERE finished_at IS NOT NULL;

-- Whether a skipped delivery has been sent after all.
CREATE INDEX btx_webhook_delivery_parent ON btx_webhook_delivery (parent_delivery_id)
    WHERE parent_delivery_id IS NOT NULL;
