-- A report has any number of notes, each with its author and time. A former note is the first entry of its report.
CREATE TABLE note_entries (
    service    TEXT    NOT NULL,
    report     TEXT    NOT NULL,
    written_at INTEGER NOT NULL, -- milliseconds since 1970; with the report it identifies the entry
    author     TEXT    NOT NULL, -- empty: the person at this machine
    content    TEXT    NOT NULL,
    seen_at    INTEGER NOT NULL,
    PRIMARY KEY (service, report, written_at)
) STRICT, WITHOUT ROWID;
INSERT INTO note_entries (service, report, written_at, author, content, seen_at)
    SELECT service, report, written_at, '', content, seen_at FROM notes;
DROP TABLE notes;
ALTER TABLE note_entries RENAME TO notes;
