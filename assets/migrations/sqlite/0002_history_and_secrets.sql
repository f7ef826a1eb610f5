-- Which checks a former result failed, so that two results can be compared without reading all they found.
ALTER TABLE history ADD COLUMN failed TEXT NOT NULL DEFAULT ''; -- ids of failed checks, one a line

UPDATE history SET failed = coalesce(
    (SELECT group_concat(key, char(10)) FROM json_each(history.checks) WHERE json_extract(value, '$.passed') = 0), '');

-- What the service signs with, apart from the keys of the interface: whoever has a key cannot make signatures.
CREATE TABLE secrets (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;
