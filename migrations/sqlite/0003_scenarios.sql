-- The trigger and the steps are JSON as it came, hence bytes. (TRIGGER is a word of SQL.)
CREATE TABLE btx_scenario (
    id         TEXT PRIMARY KEY,
    project_id TEXT NOT NULL,
    name       TEXT NOT NULL,
    started_by BLOB NOT NULL,
    steps      BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
CREATE INDEX btx_scenario_walk ON btx_scenario (project_id, created_at, id);

CREATE TABLE btx_scenario_run (
    id          TEXT PRIMARY KEY,
    project_id  TEXT NOT NULL,
    scenario_id TEXT NOT NULL REFERENCES btx_scenario (id),
    contact_id  TEXT NOT NULL,
    status      TEXT NOT NULL,
    created_at  INTEGER NOT NULL
);
CREATE INDEX btx_scenario_run_walk ON btx_scenario_run (project_id, scenario_id, created_at, id);
