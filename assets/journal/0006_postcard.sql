-- Rows and snapshots have another encoding. What the former one wrote cannot be read any more; lists are loaded again.
DELETE FROM row_parts;
DELETE FROM last_rows;
DELETE FROM snapshots;
