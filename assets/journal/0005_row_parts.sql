-- The rows of the last list in parts, so that the first are shown before the last are read, and no part takes much memory.
CREATE TABLE row_parts (
    service TEXT    NOT NULL REFERENCES last_rows (service) ON DELETE CASCADE,
    part    INTEGER NOT NULL, -- from 0
    content BLOB    NOT NULL,
    PRIMARY KEY (service, part)
) STRICT, WITHOUT ROWID;
INSERT INTO row_parts (service, part, content) SELECT service, 0, content FROM last_rows;
ALTER TABLE last_rows DROP COLUMN content;
