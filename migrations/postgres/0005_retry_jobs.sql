-- A bulk retry. The cursor of the work is (after_created_at, after_id): it moves in the transaction that makes the deliveries,
-- and only the holder of claim_token may move it.
CREATE TABLE btx_retry_job (
    id               TEXT COLLATE "C" PRIMARY KEY,
    project_id       TEXT COLLATE "C" NOT NULL,
    status           TEXT NOT NULL,
    endpoint_id      TEXT COLLATE "C",
    event_type       TEXT,
    reason           TEXT,
    created_after    BIGINT,
    created_before   BIGINT,
    include_skipped  BIGINT NOT NULL,
    dry_run          BIGINT NOT NULL,
    total            BIGINT NOT NULL,
    done             BIGINT NOT NULL DEFAULT 0,
    failed           BIGINT NOT NULL DEFAULT 0,
    at_skipped       BIGINT NOT NULL DEFAULT 0,
    after_created_at BIGINT,
    after_id         TEXT COLLATE "C",
    tries            BIGINT NOT NULL DEFAULT 0,
    claim_token      TEXT,
    leased_until     BIGINT,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    started_at       BIGINT,
    finished_at      BIGINT
);
CREATE INDEX btx_retry_job_waiting ON btx_retry_job (updated_at, id) WHERE finished_at IS NULL;
CREATE INDEX btx_retry_job_queue ON btx_retry_job (project_id, created_at, id) WHERE finished_at IS NULL;
CREATE INDEX btx_retry_job_age ON btx_retry_job (finished_at) WHERE finished_at IS NOT NULL;

-- Whether a skipped delivery has been sent after all.
CREATE INDEX btx_webhook_delivery_parent ON btx_webhook_delivery (parent_delivery_id)
    WHERE parent_delivery_id IS NOT NULL;
