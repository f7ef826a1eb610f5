-- The desk: triage that a team shares. A row per report with its version, notes, and a log that only grows.
-- Contents are the JSON of the interface (src/domain/desk); beside them stands what is searched by.

-- People are never deleted: the log names them.
CREATE TABLE people (
    handle  TEXT COLLATE "C" PRIMARY KEY,
    name    TEXT COLLATE "C" NOT NULL,
    left_at BIGINT
);

-- Whose key it is; a key without a person is a robot's.
ALTER TABLE keys ADD COLUMN person TEXT COLLATE "C" REFERENCES people (handle);

-- One row: the number of the last event, the id of this service, and the last event that is no longer kept.
CREATE TABLE desk (
    id         BIGINT PRIMARY KEY CHECK (id = 1),
    revision   BIGINT NOT NULL,
    service_id TEXT COLLATE "C" NOT NULL,
    pruned     BIGINT NOT NULL
);

INSERT INTO desk (id, revision, service_id, pruned) VALUES (1, 0, replace(gen_random_uuid()::text, '-', ''), 0);

-- The services whose reports are triaged here. 1 is this one.
CREATE TABLE desk_services (
    id          BIGINT PRIMARY KEY,
    base        TEXT COLLATE "C",
    service_id  TEXT COLLATE "C" UNIQUE,
    label       TEXT COLLATE "C" NOT NULL,
    merged_into BIGINT REFERENCES desk_services (id) -- the same service under another address
);

INSERT INTO desk_services (id, service_id, label) SELECT 1, service_id, 'this service' FROM desk;

CREATE TABLE desk_states (
    service BIGINT NOT NULL REFERENCES desk_services (id),
    report  TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (service, report)
);

-- The id of a note is the number of the event that added it.
CREATE TABLE desk_notes (
    id        BIGINT PRIMARY KEY,
    service   BIGINT NOT NULL REFERENCES desk_services (id),
    report    TEXT COLLATE "C" NOT NULL,
    withdrawn BIGINT NOT NULL CHECK (withdrawn IN (0, 1)),
    content   TEXT COLLATE "C" NOT NULL
);

CREATE INDEX desk_notes_by_service ON desk_notes (service, id);

CREATE TABLE desk_events (
    revision BIGINT PRIMARY KEY,
    change   TEXT COLLATE "C" NOT NULL UNIQUE, -- the id of the write, drawn by the client
    service  BIGINT REFERENCES desk_services (id),
    report   TEXT COLLATE "C",
    cause    TEXT COLLATE "C",
    at       BIGINT NOT NULL,
    content  TEXT COLLATE "C" NOT NULL
);

CREATE INDEX desk_events_by_report ON desk_events (service, report, revision);

-- What the program decides about a report after an audit, it decides once.
CREATE UNIQUE INDEX desk_events_by_cause ON desk_events (service, report, cause) WHERE cause IS NOT NULL;
