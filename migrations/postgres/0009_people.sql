-- What people did in the dashboard, and what staff looked into. Kept as long as the project.
CREATE TABLE btx_audit (
    id         TEXT COLLATE "C" PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL,
    user_id    TEXT COLLATE "C" NOT NULL,
    email      TEXT NOT NULL,
    role       TEXT NOT NULL,
    action     TEXT NOT NULL,
    object     TEXT,
    detail     TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX btx_audit_walk ON btx_audit (project_id, created_at, id);

-- A bulk retry asked for on the inbox's page covers exactly what its filter shows (a JSON object of the filter's pairs), and
-- a careful one leaves what goes to an endpoint that fails again where it is.
ALTER TABLE btx_retry_job ADD COLUMN inbox TEXT;
ALTER TABLE btx_retry_job ADD COLUMN careful BIGINT NOT NULL DEFAULT 0;
ALTER TABLE btx_retry_job ADD COLUMN left_behind BIGINT NOT NULL DEFAULT 0;
