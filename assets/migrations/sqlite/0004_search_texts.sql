-- What a search looks at where that is not the URL or the name itself: written by `domain::search_text`, which decodes
-- what URLs have encoded. NULL where there is nothing to decode.
ALTER TABLE reports ADD COLUMN search_text TEXT;
ALTER TABLE projects ADD COLUMN search_text TEXT;

UPDATE reports SET search_text = search_text(url) WHERE url LIKE '%\%%' ESCAPE '\' OR url LIKE '%xn--%';
UPDATE projects SET search_text = search_text(name) WHERE name LIKE '%\%%' ESCAPE '\' OR name LIKE '%xn--%';

-- For searches that are too short for a trigram.
CREATE INDEX reports_by_search_text ON reports (search_text) WHERE search_text IS NOT NULL;

DROP TRIGGER report_search_came;
DROP TRIGGER report_search_went;
DROP TABLE report_search;
CREATE VIEW report_search_texts AS SELECT id, coalesce(search_text, url) AS text FROM reports;
CREATE VIRTUAL TABLE report_search
    USING fts5 (text, content = 'report_search_texts', content_rowid = 'id', tokenize = 'trigram');
INSERT INTO report_search (report_search) VALUES ('rebuild');

CREATE TRIGGER report_search_came AFTER INSERT ON reports BEGIN
    INSERT INTO report_search (rowid, text) VALUES (NEW.id, coalesce(NEW.search_text, NEW.url));
END;

CREATE TRIGGER report_search_went AFTER DELETE ON reports BEGIN
    INSERT INTO report_search (report_search, rowid, text)
    VALUES ('delete', OLD.id, coalesce(OLD.search_text, OLD.url));
END;

DROP TRIGGER project_search_came;
DROP TRIGGER project_search_went;
DROP TABLE project_search;
CREATE VIEW project_search_texts AS SELECT id, coalesce(search_text, name) AS text FROM projects;
CREATE VIRTUAL TABLE project_search
    USING fts5 (text, content = 'project_search_texts', content_rowid = 'id', tokenize = 'trigram');
INSERT INTO project_search (project_search) VALUES ('rebuild');

CREATE TRIGGER project_search_came AFTER INSERT ON projects BEGIN
    INSERT INTO project_search (rowid, text) VALUES (NEW.id, coalesce(NEW.search_text, NEW.name));
END;

CREATE TRIGGER project_search_went AFTER DELETE ON projects BEGIN
    INSERT INTO project_search (project_search, rowid, text)
    VALUES ('delete', OLD.id, coalesce(OLD.search_text, OLD.name));
END;
