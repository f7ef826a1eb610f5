-- Reports, the projects they are grouped under, their results, their history, and the keys of the interface.
-- Times are milliseconds since 1970, UTC. Results are ranks, so that they sort by severity: 0 bad, 1 decent, 2 good.

CREATE TABLE projects (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    reports    INTEGER NOT NULL DEFAULT 0,
    good       INTEGER NOT NULL DEFAULT 0,
    decent     INTEGER NOT NULL DEFAULT 0,
    bad        INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX projects_by_created_at ON projects (created_at);

-- AUTOINCREMENT: the id of a deleted report never names another one.
CREATE TABLE reports (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    project_id    INTEGER NOT NULL REFERENCES projects (id),
    url           TEXT    NOT NULL,
    result        INTEGER NOT NULL CHECK (result IN (0, 1, 2)),
    score         INTEGER NOT NULL CHECK (score BETWEEN 0 AND 100),
    generated_at  INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    privacy       INTEGER NOT NULL CHECK (privacy IN (0, 1, 2)),
    password_hash TEXT,
    failed        TEXT    NOT NULL, -- ids of failed checks, one a line
    CHECK (privacy <> 2 OR password_hash IS NOT NULL)
) STRICT;

-- One index for every filter with every sort key; the id at the end of each is the row's own.
CREATE INDEX reports_by_generated_at                ON reports (generated_at);
CREATE INDEX reports_by_url                         ON reports (url);
CREATE INDEX reports_by_result                      ON reports (result);
CREATE INDEX reports_by_result_generated_at         ON reports (result, generated_at);
CREATE INDEX reports_by_result_url                  ON reports (result, url);
CREATE INDEX reports_by_project                     ON reports (project_id);
CREATE INDEX reports_by_project_generated_at        ON reports (project_id, generated_at);
CREATE INDEX reports_by_project_url                 ON reports (project_id, url);
CREATE INDEX reports_by_project_result              ON reports (project_id, result);
CREATE INDEX reports_by_project_result_generated_at ON reports (project_id, result, generated_at);
CREATE INDEX reports_by_project_result_url          ON reports (project_id, result, url);

-- What an opened report shows, apart from the rows that lists read.
CREATE TABLE results (
    report_id INTEGER PRIMARY KEY REFERENCES reports (id) ON DELETE CASCADE,
    checks    TEXT NOT NULL -- JSON: check id to what it found
) STRICT;

-- Former results of reports that were audited again.
CREATE TABLE history (
    id           INTEGER PRIMARY KEY,
    report_id    INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    result       INTEGER NOT NULL,
    score        INTEGER NOT NULL,
    generated_at INTEGER NOT NULL,
    checks       TEXT    NOT NULL
) STRICT;

CREATE INDEX history_by_report ON history (report_id);

-- How many there are of everything, so that no list has to count.
CREATE TABLE totals (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    projects INTEGER NOT NULL DEFAULT 0,
    reports  INTEGER NOT NULL DEFAULT 0,
    good     INTEGER NOT NULL DEFAULT 0,
    decent   INTEGER NOT NULL DEFAULT 0,
    bad      INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO totals (id) VALUES (1);

CREATE TRIGGER project_came AFTER INSERT ON projects BEGIN
    UPDATE totals SET projects = projects + 1;
END;

CREATE TRIGGER project_went AFTER DELETE ON projects BEGIN
    UPDATE totals SET projects = projects - 1;
END;

CREATE TRIGGER project_became_empty AFTER UPDATE OF reports ON projects WHEN NEW.reports = 0 BEGIN
    DELETE FROM projects WHERE id = NEW.id;
END;

CREATE TRIGGER report_came AFTER INSERT ON reports BEGIN
    UPDATE projects
    SET reports = reports + 1, good = good + (NEW.result = 2), decent = decent + (NEW.result = 1), bad = bad + (NEW.result = 0)
    WHERE id = NEW.project_id;
    UPDATE totals
    SET reports = reports + 1, good = good + (NEW.result = 2), decent = decent + (NEW.result = 1), bad = bad + (NEW.result = 0);
END;

CREATE TRIGGER report_went AFTER DELETE ON reports BEGIN
    UPDATE projects
    SET reports = reports - 1, good = good - (OLD.result = 2), decent = decent - (OLD.result = 1), bad = bad - (OLD.result = 0)
    WHERE id = OLD.project_id;
    UPDATE totals
    SET reports = reports - 1, good = good - (OLD.result = 2), decent = decent - (OLD.result = 1), bad = bad - (OLD.result = 0);
END;

-- The new place is counted before the old one is, or a project's only report could empty it on its way back in.
CREATE TRIGGER report_moved AFTER UPDATE OF result, project_id ON reports BEGIN
    UPDATE projects
    SET reports = reports + 1, good = good + (NEW.result = 2), decent = decent + (NEW.result = 1), bad = bad + (NEW.result = 0)
    WHERE id = NEW.project_id;
    UPDATE projects
    SET reports = reports - 1, good = good - (OLD.result = 2), decent = decent - (OLD.result = 1), bad = bad - (OLD.result = 0)
    WHERE id = OLD.project_id;
    UPDATE totals
    SET good   = good   + (NEW.result = 2) - (OLD.result = 2),
        decent = decent + (NEW.result = 1) - (OLD.result = 1),
        bad    = bad    + (NEW.result = 0) - (OLD.result = 0);
END;

-- Search by substring. The URL of a report never changes, nor does the name of a project.
CREATE VIRTUAL TABLE report_search USING fts5 (url, content = 'reports', content_rowid = 'id', tokenize = 'trigram');

CREATE TRIGGER report_search_came AFTER INSERT ON reports BEGIN
    INSERT INTO report_search (rowid, url) VALUES (NEW.id, NEW.url);
END;

CREATE TRIGGER report_search_went AFTER DELETE ON reports BEGIN
    INSERT INTO report_search (report_search, rowid, url) VALUES ('delete', OLD.id, OLD.url);
END;

CREATE VIRTUAL TABLE project_search USING fts5 (name, content = 'projects', content_rowid = 'id', tokenize = 'trigram');

CREATE TRIGGER project_search_came AFTER INSERT ON projects BEGIN
    INSERT INTO project_search (rowid, name) VALUES (NEW.id, NEW.name);
END;

CREATE TRIGGER project_search_went AFTER DELETE ON projects BEGIN
    INSERT INTO project_search (project_search, rowid, name) VALUES ('delete', OLD.id, OLD.name);
END;

-- Keys of the interface: only their digests. A name is free again once its key is revoked.
CREATE TABLE keys (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT    NOT NULL,
    digest     BLOB    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE UNIQUE INDEX keys_in_use ON keys (name) WHERE revoked_at IS NULL;
