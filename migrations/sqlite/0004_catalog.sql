CREATE TABLE btx_catalog_item (
    id         TEXT PRIMARY KEY,
    project_id TEXT NOT NULL,
    sku        TEXT NOT NULL,
    name       TEXT,
    price      TEXT,
    currency   TEXT,
    attributes BLOB NOT NULL,
    import_id  TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CONSTRAINT btx_catalog_item_sku UNIQUE (project_id, sku)
);
CREATE INDEX btx_catalog_item_walk ON btx_catalog_item (project_id, created_at, id);
CREATE INDEX btx_catalog_item_import ON btx_catalog_item (project_id, import_id, created_at, id);

-- The cursor of the work is next_chunk: it moves in the transaction that stores the chunk's rows, and only the holder of
-- claim_token may move it.
CREATE TABLE btx_catalog_import (
    id           TEXT PRIMARY KEY,
    project_id   TEXT NOT NULL,
    request_id   TEXT NOT NULL,
    format       TEXT NOT NULL,
    status       TEXT NOT NULL,
    total        INTEGER NOT NULL,
    done         INTEGER NOT NULL DEFAULT 0,
    failed       INTEGER NOT NULL DEFAULT 0,
    errors       BLOB NOT NULL,
    chunks       INTEGER NOT NULL,
    next_chunk   INTEGER NOT NULL DEFAULT 0,
    tries        INTEGER NOT NULL DEFAULT 0,
    claim_token  TEXT,
    leased_until INTEGER,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    started_at   INTEGER,
    finished_at  INTEGER
);
CREATE INDEX btx_catalog_import_walk ON btx_catalog_import (project_id, created_at, id);
CREATE INDEX btx_catalog_import_waiting ON btx_catalog_import (created_at, id) WHERE finished_at IS NULL;
CREATE INDEX btx_catalog_import_queue ON btx_catalog_import (project_id, created_at, id) WHERE finished_at IS NULL;

-- Rows that were received and not yet stored. They are here before their import is, so that an upload never has to be held
-- in memory; what no import ever claimed is swept away.
CREATE TABLE btx_catalog_chunk (
    import_id  TEXT NOT NULL,
    number     INTEGER NOT NULL,
    content    BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (import_id, number)
);
CREATE INDEX btx_catalog_chunk_age ON btx_catalog_chunk (created_at);
