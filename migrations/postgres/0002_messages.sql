-- A message outlives the contact it was accepted for.
CREATE TABLE btx_message (
    id         TEXT COLLATE "C" PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL,
    contact_id TEXT COLLATE "C" NOT NULL,
    text       TEXT NOT NULL,
    channel    TEXT,
    status     TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX btx_message_walk ON btx_message (project_id, created_at, id);
CREATE INDEX btx_message_contact ON btx_message (project_id, contact_id, created_at, id);
