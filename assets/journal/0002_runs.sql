-- Actions on many reports, so that one that was broken off can go on where it stood. Passwords are never part of it.
CREATE TABLE runs (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    service  TEXT    NOT NULL,
    owner    TEXT    NOT NULL, -- the window that works on it
    deed     TEXT    NOT NULL,
    begun_at INTEGER NOT NULL  -- milliseconds since 1970
) STRICT;

CREATE TABLE run_items (
    run        INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    place      INTEGER NOT NULL,
    report     TEXT    NOT NULL,
    url        TEXT    NOT NULL,
    before     TEXT    NOT NULL,
    audited_at TEXT,           -- RFC 3339, as exact as the service says it
    failing    TEXT,           -- ids of the checks that failed before, one a line
    state      TEXT    NOT NULL CHECK (state IN ('waiting', 'sent', 'done', 'failed', 'skipped')),
    told       TEXT    NOT NULL,
    PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;
