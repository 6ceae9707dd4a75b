-- What a key's first request said, and what the last one that conflicted with it said: sealed, and erased with the
-- key's answer, so that somebody can see in what they differ.
ALTER TABLE btx_idempotency ADD COLUMN request_body BLOB;
CREATE TABLE btx_idempotency_conflict (
    api_key_id       TEXT NOT NULL,
    key              TEXT NOT NULL,
    first_request_id TEXT NOT NULL,
    request_id       TEXT NOT NULL,
    method           TEXT NOT NULL,
    path             TEXT NOT NULL,
    body             BLOB,
    created_at       INTEGER NOT NULL,
    expires_at       INTEGER NOT NULL,
    PRIMARY KEY (api_key_id, key)
) WITHOUT ROWID;
CREATE INDEX btx_idempotency_conflict_expiry ON btx_idempotency_conflict (expires_at);
