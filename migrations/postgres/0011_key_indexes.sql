-- A key of a project is found through the project's API keys, whose ids lead the primary key: one index less to be
-- written with every request, and the only one that was written all over the place.
DROP INDEX btx_idempotency_key;

-- What is still to be erased, and what has been and is still to be deleted: an hour's round reads those rows alone,
-- not all that have ever expired.
ALTER TABLE btx_idempotency ADD COLUMN is_erased BIGINT NOT NULL DEFAULT 0;
UPDATE btx_idempotency SET is_erased = 1 WHERE status = 'expired';
DROP INDEX btx_idempotency_expiry;
CREATE INDEX btx_idempotency_live ON btx_idempotency (expires_at) WHERE is_erased = 0;
CREATE INDEX btx_idempotency_erased ON btx_idempotency (expires_at) WHERE is_erased = 1;
