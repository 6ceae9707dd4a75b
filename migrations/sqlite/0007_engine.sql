-- How an endpoint fares: written with the outcomes themselves, one row an endpoint.
CREATE TABLE btx_endpoint_health (
    endpoint_id          TEXT PRIMARY KEY,
    consecutive_failures INTEGER NOT NULL,
    failing_since        INTEGER,
    last_success_at      INTEGER,
    last_failure_at      INTEGER
);

ALTER TABLE btx_webhook_endpoint ADD COLUMN disabled_at INTEGER;

-- First attempts apart from what has waited before, so that an old backlog never stands in front of a new event.
DROP INDEX btx_webhook_delivery_due;
CREATE INDEX btx_webhook_delivery_due ON btx_webhook_delivery
    (endpoint_id, (CASE WHEN rungs_taken > 0 OR cause = 'bulk' THEN 1 ELSE 0 END), next_attempt_at)
    WHERE next_attempt_at IS NOT NULL AND leased_until IS NULL;
