-- What a key may do (viewer, admin), until when, and when it was last used, to the minute. Keys from before may do all.
ALTER TABLE keys ADD COLUMN role TEXT NOT NULL DEFAULT 'admin';
ALTER TABLE keys ADD COLUMN expires_at INTEGER;
ALTER TABLE keys ADD COLUMN last_used_at INTEGER;
