-- The desk: triage that a team shares. A row per report with its version, notes, and a log that only grows.
-- Contents are the JSON of the interface (src/domain/desk); beside them stands what is searched by.

-- People are never deleted: the log names them.
CREATE TABLE people (
    handle  TEXT PRIMARY KEY,
    name    TEXT NOT NULL,
    left_at INTEGER
) STRICT;

-- Whose key it is; a key without a person is a robot's.
ALTER TABLE keys ADD COLUMN person TEXT REFERENCES people (handle);

-- One row: the number of the last event, the id of this service, and the last event that is no longer kept.
CREATE TABLE desk (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    revision   INTEGER NOT NULL,
    service_id TEXT    NOT NULL,
    pruned     INTEGER NOT NULL
) STRICT;

INSERT INTO desk (id, revision, service_id, pruned) VALUES (1, 0, lower(hex(randomblob(16))), 0);

-- The services whose reports are triaged here. 1 is this one.
CREATE TABLE desk_services (
    id          INTEGER PRIMARY KEY,
    base        TEXT,
    service_id  TEXT UNIQUE,
    label       TEXT NOT NULL,
    merged_into INTEGER REFERENCES desk_services (id) -- the same service under another address
) STRICT;

INSERT INTO desk_services (id, service_id, label) SELECT 1, service_id, 'this service' FROM desk;

CREATE TABLE desk_states (
    service INTEGER NOT NULL REFERENCES desk_services (id),
    report  TEXT    NOT NULL,
    version INTEGER NOT NULL,
    content TEXT    NOT NULL,
    PRIMARY KEY (service, report)
) STRICT, WITHOUT ROWID;

-- The id of a note is the number of the event that added it.
CREATE TABLE desk_notes (
    id        INTEGER PRIMARY KEY,
    service   INTEGER NOT NULL REFERENCES desk_services (id),
    report    TEXT    NOT NULL,
    withdrawn INTEGER NOT NULL CHECK (withdrawn IN (0, 1)),
    content   TEXT    NOT NULL
) STRICT;

CREATE INDEX desk_notes_by_service ON desk_notes (service, id);

CREATE TABLE desk_events (
    revision INTEGER PRIMARY KEY,
    change   TEXT    NOT NULL UNIQUE, -- the id of the write, drawn by the client
    service  INTEGER REFERENCES desk_services (id),
    report   TEXT,
    cause    TEXT,
    at       INTEGER NOT NULL,
    content  TEXT    NOT NULL
) STRICT;

CREATE INDEX desk_events_by_report ON desk_events (service, report, revision);

-- What the program decides about a report after an audit, it decides once.
CREATE UNIQUE INDEX desk_events_by_cause ON desk_events (service, report, cause) WHERE cause IS NOT NULL;
