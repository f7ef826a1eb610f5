-- What people make of reports, and what their lists looked like. All per service.
CREATE TABLE triages (
    service      TEXT    NOT NULL,
    report       TEXT    NOT NULL,
    state        TEXT    NOT NULL, -- a word of `state:`
    until        TEXT,             -- RFC 3339, of a snoozed one
    set_at       INTEGER NOT NULL, -- milliseconds since 1970; the later of two windows wins
    reason       TEXT,             -- why the program set it; none where a person did
    outcome      TEXT    NOT NULL, -- how the report stood then
    score        INTEGER,
    failing      TEXT,             -- ids of failing checks, one a line; none where nobody knew
    generated_at TEXT,             -- RFC 3339, as exact as the service says it
    seen_at      INTEGER NOT NULL, -- milliseconds since 1970: when a list last held the report
    PRIMARY KEY (service, report)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
    service    TEXT    NOT NULL,
    report     TEXT    NOT NULL,
    content    TEXT    NOT NULL,
    written_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,
    PRIMARY KEY (service, report)
) STRICT, WITHOUT ROWID;

-- Compressed, because they are many and rarely read.
CREATE TABLE snapshots (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    service     TEXT    NOT NULL,
    scope       TEXT    NOT NULL, -- JSON: project, search, result
    is_complete INTEGER NOT NULL,
    taken_at    INTEGER NOT NULL,
    content     BLOB    NOT NULL
) STRICT;
CREATE INDEX snapshots_by_time ON snapshots (service, taken_at);

-- The rows of the last list, to start with: one read and no decompression.
CREATE TABLE last_rows (
    service  TEXT    NOT NULL PRIMARY KEY,
    scope    TEXT    NOT NULL,
    taken_at INTEGER NOT NULL,
    total    INTEGER,             -- how many the service said there are
    content  BLOB    NOT NULL
) STRICT;

CREATE TABLE views (
    service TEXT NOT NULL,
    name    TEXT NOT NULL,
    line    TEXT NOT NULL,
    PRIMARY KEY (service, name)
) STRICT, WITHOUT ROWID;
