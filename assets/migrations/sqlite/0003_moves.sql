-- The latest changes of where reports stand in lists: whoever remembers places brings them up to date with these few
-- rows instead of walking a list again. The number of the newest is the version of all orders.
CREATE TABLE moves (
    id           INTEGER PRIMARY KEY, -- the newest is never deleted, so numbers only grow
    step         INTEGER NOT NULL CHECK (step IN (-1, 0, 1)), -- a report went from here, nothing moved, one came here
    report_id    INTEGER NOT NULL,
    project_id   INTEGER NOT NULL,
    url          TEXT    NOT NULL,
    result       INTEGER NOT NULL,
    generated_at INTEGER NOT NULL
) STRICT;

INSERT INTO moves VALUES (1, 0, 0, 0, '', 0, 0);

CREATE TRIGGER move_came AFTER INSERT ON moves BEGIN
    DELETE FROM moves WHERE id <= NEW.id - 1000;
END;

CREATE TRIGGER report_move_came AFTER INSERT ON reports BEGIN
    INSERT INTO moves (step, report_id, project_id, url, result, generated_at)
    VALUES (1, NEW.id, NEW.project_id, NEW.url, NEW.result, NEW.generated_at);
END;

CREATE TRIGGER report_move_went AFTER DELETE ON reports BEGIN
    INSERT INTO moves (step, report_id, project_id, url, result, generated_at)
    VALUES (-1, OLD.id, OLD.project_id, OLD.url, OLD.result, OLD.generated_at);
END;

CREATE TRIGGER report_move_changed AFTER UPDATE OF project_id, result, generated_at ON reports BEGIN
    INSERT INTO moves (step, report_id, project_id, url, result, generated_at)
    VALUES (-1, OLD.id, OLD.project_id, OLD.url, OLD.result, OLD.generated_at),
           (1, NEW.id, NEW.project_id, NEW.url, NEW.result, NEW.generated_at);
END;
