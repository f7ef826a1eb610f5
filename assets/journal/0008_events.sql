-- What was done to reports, by whom and when. Rows are only added; those of more than a year ago are deleted.
CREATE TABLE events (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    service    TEXT    NOT NULL,
    at         INTEGER NOT NULL, -- milliseconds since 1970
    begun_at   INTEGER NOT NULL, -- milliseconds since 1970: the events of one action share it
    author     TEXT    NOT NULL, -- empty: the person at this machine
    report     TEXT,             -- none for a project
    name       TEXT    NOT NULL, -- the report's URL, or the project's name; empty: not known
    project    TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    before     TEXT    NOT NULL,
    after      TEXT    NOT NULL,
    detail     TEXT    NOT NULL,
    audited_at TEXT              -- RFC 3339, as exact as the service says it
) STRICT;
CREATE INDEX events_by_time ON events (service, at);
CREATE INDEX events_by_report ON events (service, report, at) WHERE report IS NOT NULL;
-- An audit that several lists showed is one event.
CREATE UNIQUE INDEX audits_once ON events (service, report, audited_at) WHERE kind = 'audited';

-- The states that were set before there was a log.
INSERT INTO events (service, at, begun_at, author, report, name, project, kind, before, after, detail)
    SELECT service, set_at, set_at, '', report, '', '', 'state', '', state, coalesce(reason, '')
    FROM triages ORDER BY set_at;
