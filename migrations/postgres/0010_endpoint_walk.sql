-- Attempts and dead letters name endpoints that have been deleted, too; with the live ones alone in the index, that read
-- the endpoints of every project.
DROP INDEX btx_webhook_endpoint_walk;
CREATE INDEX btx_webhook_endpoint_walk ON btx_webhook_endpoint (project_id, created_at, id);
