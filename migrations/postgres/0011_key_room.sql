-- An answer is written over its capture moments later, and is some three times as long. With room left in the page the new
-- version stays there, and none of the four indexes has to learn of it.
ALTER TABLE btx_idempotency SET (fillfactor = 40);
