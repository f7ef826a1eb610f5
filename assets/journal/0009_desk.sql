-- The local copy of a desk, and the writes that it does not have yet. Contents are JSON of the desk's interface.
CREATE TABLE desk_copies (
    service  TEXT PRIMARY KEY,
    overview TEXT NOT NULL,   -- the person, the people, the position in the log, the number of the service
    read_at  INTEGER NOT NULL -- when the desk was last heard of, in milliseconds since 1970
) STRICT, WITHOUT ROWID;

CREATE TABLE desk_copy_rows (
    service TEXT NOT NULL,
    report  TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (service, report)
) STRICT, WITHOUT ROWID;

CREATE TABLE desk_copy_notes (
    service TEXT NOT NULL,
    note    INTEGER NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (service, note)
) STRICT, WITHOUT ROWID;

CREATE TABLE desk_outbox (
    id      INTEGER PRIMARY KEY, -- the order in which the writes were decided
    service TEXT NOT NULL,
    change  TEXT NOT NULL UNIQUE,
    content TEXT NOT NULL
) STRICT;
